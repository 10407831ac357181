import type { AskingServer } from './mcp-request.ts';

/** What is read of `McpServer`, of `@modelcontextprotocol/sdk` 1 and `@modelcontextprotocol/server` 2. */
export interface AnyMcpServer {
  readonly server: AskingServer & { setRequestHandler(method: never, handler: never): void };
  registerTool(name: string, config: never, handler: never): { remove(): void };
}

type Handler = (request: never, context: never) => unknown;

/** How a server lists its tools and calls them. */
export interface ToolHandlers {
  list(request: object, context: unknown): Promise<{ readonly tools: readonly object[] }>;
  call(request: object, context: unknown): Promise<object>;
}

/**
 * Puts our handlers of `tools/list` and `tools/call` before the server's own and returns those. The
 * SDK has no public way to get at what answers unknown names; its table of handlers is the same in
 * every release of both versions so far. Throws a TypeError where it is not there.
 */
export function putBefore(
  { server, registerTool }: AnyMcpServer,
  make: (own: ToolHandlers) => ToolHandlers,
  mcpServer: AnyMcpServer,
): void {
  // The server installs its own handlers with its first tool.
  registerTool
    .call(mcpServer, 'forthright', {} as never, (() => ({ content: [] })) as never)
    .remove();
  const table = (server as unknown as { _requestHandlers?: Map<string, Handler> })._requestHandlers;
  const list = table?.get('tools/list');
  const call = table?.get('tools/call');
  if (table === undefined || list === undefined || call === undefined) {
    throw new TypeError(
      'registerTools: this release of the MCP SDK is not known; please report it',
    );
  }
  const ours = make({
    list: async (request, context) => (await list(request as never, context as never)) as never,
    call: async (request, context) => (await call(request as never, context as never)) as never,
  });
  set(server, table, 'tools/list', ours.list);
  set(server, table, 'tools/call', ours.call);
}

/** Version 2 takes the name of a method, and asks users by what a handler returns; version 1 takes a schema. */
function set(
  server: AnyMcpServer['server'],
  table: Map<string, Handler>,
  method: string,
  handler: (request: object, context: unknown) => Promise<object>,
): void {
  if ('projectCallToolResult' in server)
    server.setRequestHandler(method as never, handler as never);
  else table.set(method, handler as Handler);
}
