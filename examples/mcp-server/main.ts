import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createRuntime, memoryLedger } from 'forthright';
import { registerTools, StrictStdioTransport, strictNode } from 'forthright/mcp';
import { offerWhatTheSuiteWants } from './conformance.ts';
import { deskTools } from './desk.ts';

// A desk that closes tickets, as an MCP server.
// Over stdio: npx tsx examples/mcp-server/main.ts
// Over HTTP: npx tsx examples/mcp-server/main.ts --http 8080
// With what the official conformance suite calls beside it: --conformance

const words = process.argv.slice(2);
const runtime = createRuntime({ tools: deskTools(), ledger: memoryLedger() });

function makeServer(): McpServer {
  const server = new McpServer({ name: 'ticket-desk', version: '1.0.0' });
  if (words.includes('--conformance')) offerWhatTheSuiteWants(server);
  registerTools(server, runtime);
  return server;
}

if (words.includes('--http')) {
  serveHttp(Number(words[words.indexOf('--http') + 1]));
} else {
  const server = makeServer();
  server.server.onclose = () => void runtime.close();
  await server.connect(new StrictStdioTransport() as never);
}

function serveHttp(port: number): void {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const transportOf = async (id: string | undefined): Promise<StreamableHTTPServerTransport> => {
    const known = sessions.get(id ?? '');
    if (known !== undefined) return known;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await makeServer().connect(transport as never);
    return transport;
  };
  const handle = strictNode(
    async (request: IncomingMessage, response: ServerResponse, body?: unknown) => {
      const transport = await transportOf(request.headers['mcp-session-id']?.toString());
      await transport.handleRequest(request, response, body);
    },
  );
  const server = createServer((request, response) => {
    if (!isFromHere(request)) {
      response.writeHead(403).end();
      return;
    }
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1', () => {
    console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
}

/** A page of some other site must not reach a server of this machine by a name of its own. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const isLocal = (host: string | undefined): boolean =>
    host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  const { host, origin } = headers;
  return isLocal(host) && (origin === undefined || isLocal(origin.replace(/^https?:\/\//, '')));
}
