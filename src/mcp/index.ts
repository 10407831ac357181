export type { McpRequest } from './mcp-request.ts';
export type { AnyMcpServer } from './mcp-server.ts';
export type { McpOptions } from './place.ts';
export { registerTools } from './register-tools.ts';
export {
  type StrictFetchExtras,
  type StrictHttpOptions,
  strictFetch,
  strictNode,
} from './strict-http.ts';
export { type StrictStdioOptions, StrictStdioTransport } from './strict-stdio.ts';
