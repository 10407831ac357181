import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import * as client2 from '@modelcontextprotocol/client';
import * as clientStdio2 from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as ServerStdio1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport as ServerHttp1 } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server';
import {
  StdioServerTransport as ServerStdio2,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import {
  registerTools,
  StrictStdioTransport,
  strictFetch,
  strictNode,
} from '../../src/mcp/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  FrameworkRun,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import {
  Gate,
  type Listening,
  listenForHttp,
  listenForStdio,
  WireFetch,
  written,
} from './mcp-wire.ts';
import { byWeb } from './web-request.ts';

const info = { name: 'cases', version: '1.0.0' };

/** A client of the SDK's, as far as the cases need it. */
interface AnyClient {
  callTool(name: string, args: object, signal: AbortSignal): Promise<{ readonly content: unknown }>;
  close(): Promise<void>;
}

/** How one version of the SDK serves and connects. `isStrict` is whether its transports are ours. */
interface Version {
  server(): McpServer1 | McpServer2;
  serveStdio(make: () => never, socket: Socket, isStrict: boolean): void;
  serveHttp(make: () => never, gate: Gate, isStrict: boolean): Promise<Listening & { url: URL }>;
  connect(where: { command: string; args: string[] } | { url: URL }): Promise<AnyClient>;
}

/** Longer than any case takes, and shorter than a minute for what is never answered. */
const timeout = 2_000;

const version1: Version = {
  server: () => new McpServer1(info),
  serveStdio(make: () => McpServer1, socket, isStrict) {
    const transport = isStrict
      ? new StrictStdioTransport({ input: socket, output: socket })
      : new ServerStdio1(socket, socket);
    void make().connect(transport as never);
  },
  async serveHttp(make: () => McpServer1, gate, isStrict) {
    const transport = new ServerHttp1({ sessionIdGenerator: () => randomUUID() });
    await make().connect(transport as never);
    const handle = async (request: never, response: never, body?: unknown): Promise<void> => {
      if (isCall(body)) await gate.pass();
      await transport.handleRequest(request, response, body);
    };
    const strict = strictNode(handle);
    return listenForHttp((request, response) =>
      isStrict ? strict(request, response) : transport.handleRequest(request, response),
    );
  },
  async connect(where) {
    const client = new Client1(info);
    const wire = new WireFetch();
    const transport = 'url' in where ? new Http1(where.url, wire) : new Stdio1(where);
    await client.connect(transport as never);
    return {
      callTool: async (name, args, signal) =>
        (await client.callTool({ name, arguments: args as never }, undefined, {
          signal,
          timeout,
        })) as { content: unknown },
      close: () => wire.flush().then(() => client.close()),
    };
  },
};

const version2: Version = {
  server: () => new McpServer2(info),
  serveStdio(make: () => McpServer2, socket, isStrict) {
    const transport = isStrict
      ? new StrictStdioTransport({ input: socket, output: socket })
      : new ServerStdio2(socket, socket);
    serveStdio(make, { transport: transport as never });
  },
  async serveHttp(make: () => McpServer2, gate, isStrict) {
    const handler = createMcpHandler(make);
    const strict = strictFetch(async (request, extras: { parsedBody?: unknown }) => {
      if (isCall(extras.parsedBody)) await gate.pass();
      return handler.fetch(request, extras);
    });
    return listenForHttp((request, response) =>
      byWeb(request, response, isStrict ? strict : handler.fetch),
    );
  },
  async connect(where) {
    const client = new client2.Client(info, { versionNegotiation: { mode: 'auto' } });
    const wire = new WireFetch();
    const transport =
      'url' in where
        ? new client2.StreamableHTTPClientTransport(where.url, wire)
        : new clientStdio2.StdioClientTransport(where);
    await client.connect(transport);
    return {
      callTool: (name, args, signal) =>
        client.callTool({ name, arguments: args as never }, { signal, timeout }),
      close: () => wire.flush().then(() => client.close()),
    };
  },
};

const versions = { 'MCP SDK 1': version1, 'MCP SDK 2': version2 } as const;

/** The cases through a real client and server: generated ones over stdio, streamed ones over HTTP. */
export function mcpHarness(name: keyof typeof versions): AdapterHarness {
  const version = versions[name];
  return {
    run: ({ runtime, scope, ...job }) => {
      const make = () => {
        const server = version.server();
        registerTools(server as never, runtime, { scope });
        return server as never;
      };
      return drive(version, make, job, true);
    },
    runPlain: ({ tools, ...job }) => {
      const make = () => plainServer(version.server() as McpServer1, tools) as never;
      return drive(version, make, job, false);
    },
    impossible: {
      'a reply that claims too much':
        'The application that shows the reply is the client; no server sees it.',
    },
  };
}

async function drive(
  version: Version,
  make: () => never,
  { answers, isStreamed, signal }: FrameworkJob,
  isStrict: boolean,
): Promise<FrameworkRun> {
  const gate = new Gate();
  const server = isStreamed
    ? await version.serveHttp(make, gate, isStrict)
    : await listenForStdio((socket) => version.serveStdio(make, socket, isStrict));
  const client = await version.connect(server as never);
  const leaving = new AbortController();
  // The client is another program: what it sends when the user leaves is no request of the tool's.
  signal.addEventListener(
    'abort',
    AsyncResource.bind(() => leaving.abort()),
  );
  const told: string[] = [];
  let thrown: unknown;
  for (const { calls = [] } of answers) {
    gate.of = calls.length;
    const told1 = await Promise.all(
      calls.map(async (call) => {
        try {
          const { content } = await client.callTool(
            call.name,
            written(call, calls.length),
            leaving.signal,
          );
          return textOf(content);
        } catch (error) {
          if (!signal.aborted) return String(error);
          thrown = error;
          return undefined;
        }
      }),
    );
    told.push(...told1.filter((text) => text !== undefined));
  }
  await client.close();
  await server.close();
  return { told, reply: answers.at(-1)?.text ?? '', ...(thrown === undefined ? {} : { thrown }) };
}

function isCall(body: unknown): boolean {
  return (body as { method?: unknown } | undefined)?.method === 'tools/call';
}

function textOf(content: unknown): string {
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('');
}

function plainServer(server: McpServer1, tools: readonly PlainTool[]): McpServer1 {
  for (const { name, description, input, run } of tools) {
    const isCoercing = '~standard' in input;
    const orderId = isCoercing ? z.coerce.number() : z.number();
    const config = { description, inputSchema: z.object({ orderId }) };
    server.registerTool(
      name,
      config as never,
      (async (given: unknown) => {
        const text = JSON.stringify(await run(given));
        return { content: [{ type: 'text', text }] };
      }) as never,
    );
  }
  return server;
}
