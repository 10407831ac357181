import { randomUUID } from 'node:crypto';
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import express from 'express';
import { answered, createRuntime, memoryLedger, ok, type Runtime, tool } from 'forthright';
import {
  type McpOptions,
  registerTools,
  StrictStdioTransport,
  strictFetch,
  strictNode,
} from 'forthright/mcp';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Listening, listenForHttp, listenForStdio } from './mcp-wire.ts';
import { byWeb } from './web-request.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  vi.restoreAllMocks();
});

const info = { name: 'own', version: '1.0.0' };
type Answer = (params: { message: string; requestedSchema: unknown }) => {
  action: string;
  content?: unknown;
};

interface Called {
  readonly structuredContent: Record<string, unknown>;
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  call(name: string, args: object, onprogress?: (said: unknown) => void): Promise<Called>;
}

/** A runtime with a tool that asks for what only the user can say, and one whose write has no answer. */
function desk(): { runtime: Runtime; refunds: unknown[] } {
  const refunds: unknown[] = [];
  const refund = tool({
    name: 'refund_order',
    description: 'Refunds an order.',
    input: z.object({ orderId: z.int().positive(), reason: z.string() }),
    effect: 'write',
    askUser: ['orderId'],
    context: z.object({ clerk: z.string() }).optional(),
    async run(input, ctx) {
      await ctx.dispatch(async () => {
        // Clients drop progress that comes in one piece with the answer.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return answered(refunds.push({ ...input, ...ctx.context }));
      });
      return ok('Refunded.');
    },
  });
  const lost = tool({
    name: 'set_address',
    description: 'Sets an address.',
    input: z.object({ to: z.string() }),
    effect: 'write',
    idempotent: true,
    async run(_, ctx) {
      await ctx.dispatch(async () => {
        throw new Error('socket hang up');
      });
      return ok('Set.');
    },
  });
  const look = tool({
    name: 'get_order',
    description: 'Reads an order.',
    input: z.object({}),
    effect: 'read',
    run: async () => ok('Read.', { n: 1 }),
  });
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const tools = [refund, lost, look] as const;
  const runtime = createRuntime({ tools, ledger: memoryLedger(), logger });
  open.push(() => runtime.close());
  return { runtime: runtime as unknown as Runtime, refunds };
}

interface Sdk {
  serve(runtime: Runtime, options: McpOptions): Promise<Listening & { where: never }>;
  connect(where: never, answer?: Answer): Promise<AnyClient>;
}

/** The server has a tool of its own beside those of the runtime. */
function filled(server: McpServer1 | McpServer2, runtime: Runtime, options: McpOptions): never {
  const { registerTool } = server as McpServer1;
  const echo = { description: 'Says it again.', inputSchema: z.object({ said: z.number() }) };
  const run = async ({ said }: { said: number }) => ({
    content: [{ type: 'text', text: String(said) }],
  });
  registerTool.call(server, 'echo', echo as never, run as never);
  registerTools(server as never, runtime, options);
  return server as never;
}

const sdks: Readonly<Record<string, Sdk>> = {
  'SDK 1, stdio': {
    async serve(runtime, options) {
      const listening = await listenForStdio((socket) => {
        const transport = new StrictStdioTransport({ input: socket, output: socket });
        void (filled(new McpServer1(info), runtime, options) as McpServer1).connect(
          transport as never,
        );
      });
      return { ...listening, where: listening as never };
    },
    connect: (where, answer) => connect1(new Stdio1(where), answer),
  },
  'SDK 1, HTTP': {
    async serve(runtime, options) {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
      const server = filled(new McpServer1(info), runtime, options) as McpServer1;
      await server.connect(transport as never);
      const listening = await listenForHttp(
        strictNode((request, response, body) => transport.handleRequest(request, response, body)),
      );
      return { ...listening, where: listening.url as never };
    },
    connect: (where, answer) => connect1(new Http1(where) as never, answer),
  },
  'SDK 2, stdio': {
    async serve(runtime, options) {
      const listening = await listenForStdio((socket) => {
        const transport = new StrictStdioTransport({ input: socket, output: socket }) as never;
        serveStdio(() => filled(new McpServer2(info), runtime, options), { transport });
      });
      return { ...listening, where: listening as never };
    },
    connect: (where, answer) => connect2(new Stdio2(where), answer, 'legacy'),
  },
  'SDK 2, HTTP, MCP 2026': {
    async serve(runtime, options) {
      const { fetch } = createMcpHandler(() => filled(new McpServer2(info), runtime, options));
      const strict = strictFetch(fetch);
      const listening = await listenForHttp((request, response) =>
        byWeb(request, response, strict),
      );
      return { ...listening, where: listening.url as never };
    },
    connect: (where, answer) => connect2(new Http2(where), answer, 'auto'),
  },
};

async function connect1(transport: Stdio1, answer?: Answer): Promise<AnyClient> {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client1(info, { capabilities });
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as never) as never);
  }
  await client.connect(transport);
  open.push(() => client.close());
  return {
    listTools: () => client.listTools(),
    call: (name, args, onprogress) =>
      client.callTool({ name, arguments: args as never }, undefined, {
        ...(onprogress === undefined ? {} : { onprogress }),
      }) as never,
  };
}

async function connect2(
  transport: Stdio2 | Http2,
  answer: Answer | undefined,
  mode: 'auto' | 'legacy',
): Promise<AnyClient> {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client2(info, { capabilities, versionNegotiation: { mode } });
  if (answer !== undefined) {
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => answer(params as never) as never,
    );
  }
  await client.connect(transport);
  open.push(() => client.close());
  return {
    listTools: () => client.listTools(),
    call: (name, args, onprogress) =>
      client.callTool(
        { name, arguments: args as never },
        { ...(onprogress === undefined ? {} : { onprogress }) },
      ) as never,
  };
}

describe.each(Object.entries(sdks))('%s', (name, sdk) => {
  async function stage(options: McpOptions = { scope: 's' }, answer?: Answer) {
    const staged = desk();
    const { where, close } = await sdk.serve(staged.runtime, options);
    open.push(close);
    return { ...staged, client: await sdk.connect(where, answer), where };
  }

  test('lists the tools beside the own ones, with what their effects say, and no output schema', async () => {
    const { client } = await stage();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'echo',
      'refund_order',
      'set_address',
      'get_order',
      'check_write',
    ]);
    const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) => ({
      readOnlyHint,
      destructiveHint,
      idempotentHint,
    });
    expect(tools).toMatchObject([
      {},
      { annotations: hints(false, true, false), inputSchema: { type: 'object' } },
      { annotations: hints(false, true, true) },
      { annotations: hints(true, false, true) },
      { annotations: hints(true, false, true) },
    ]);
    expect(tools.every((each) => !('outputSchema' in each))).toBe(true);
  });

  test('structured content is the result, and only what failed is an error', async () => {
    const { client } = await stage();
    const read = await client.call('get_order', {});
    expect(read.structuredContent).toMatchObject({ outcome: 'ok', code: 'done', data: { n: 1 } });
    expect(JSON.parse(read.content[0]?.text ?? '')).toMatchObject({ outcome: 'ok', code: 'done' });
    expect(read.isError ?? false).toBe(false);
    const lost = await client.call('set_address', { to: 'Lane 1' });
    expect(lost.structuredContent).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(lost.isError ?? false).toBe(false);
    const asked = await client.call('check_write', { ref: lost.structuredContent.ref });
    expect(asked.structuredContent).toMatchObject({ outcome: 'ok', data: { outcome: 'unknown' } });
    const failed = await client.call('get_order', { extra: 1 });
    expect(failed).toMatchObject({ isError: true, structuredContent: { outcome: 'failed' } });
  });

  test("the server's own tools run as before", async () => {
    const { client } = await stage();
    expect((await client.call('echo', { said: 2 })).content[0]?.text).toBe('2');
  });

  test('what only the user can say is asked for, and the call goes on with it', async () => {
    const asked: unknown[] = [];
    const { client, refunds } = await stage({ scope: 's' }, (params) => {
      asked.push(params);
      return { action: 'accept', content: { orderId: 4512 } };
    });
    const { structuredContent } = await client.call('refund_order', { reason: 'late' });
    expect(structuredContent).toMatchObject({ outcome: 'ok' });
    expect(refunds).toEqual([{ orderId: 4512, reason: 'late' }]);
    expect(asked).toMatchObject([
      { requestedSchema: { required: ['orderId'], properties: { orderId: { type: 'integer' } } } },
    ]);
  });

  test('what the user does not say is told, and what is answered is decoded like any text', async () => {
    const { client, refunds } = await stage({ scope: 's' }, () => ({ action: 'decline' }));
    const declined = await client.call('refund_order', { reason: 'late' });
    expect(declined.structuredContent).toMatchObject({
      outcome: 'failed',
      code: 'missing_argument',
      warnings: [{ code: 'user_did_not_say' }],
    });
    const other = await stage({ scope: 's' }, () => ({
      action: 'accept',
      content: { orderId: 9007199254740992 },
    }));
    const wrong = await other.client.call('refund_order', { reason: 'late' });
    expect(wrong.structuredContent).toMatchObject({ outcome: 'failed' });
    expect([...refunds, ...other.refunds]).toEqual([]);
  });

  test('nobody is asked where the client shows no forms', async () => {
    const { client } = await stage();
    const { structuredContent } = await client.call('refund_order', { reason: 'late' });
    expect(structuredContent).toMatchObject({ clarification: { parameterName: 'orderId' } });
  });

  test('progress says when the request has left', async () => {
    const { client } = await stage();
    const said: { progress: number; message?: string }[] = [];
    await client.call('refund_order', { orderId: 1, reason: 'late' }, (each) =>
      said.push(each as never),
    );
    expect(said.map(({ progress }) => progress)).toEqual([1, 2]);
    expect(said[1]?.message).toContain('sent');
  });

  test('the context is what the host makes of the request; where it cannot, nothing runs', async () => {
    const { client, refunds } = await stage({
      scope: 's',
      context: ({ authInfo }) => ({ clerk: String(authInfo) }) as never,
    });
    await client.call('refund_order', { orderId: 1, reason: 'late' });
    expect(refunds).toEqual([{ orderId: 1, reason: 'late', clerk: 'undefined' }]);
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const broken = await stage({
      scope: 's',
      context: () => {
        throw new Error('password=hunter2');
      },
    });
    const told = await broken.client.call('refund_order', { orderId: 1, reason: 'late' });
    expect(told.structuredContent).toMatchObject({ code: 'missing_runtime_context' });
    expect(JSON.stringify(told)).not.toContain('hunter2');
    expect(error).toHaveBeenCalled();
  });

  test('the session is the scope; without one nothing runs that has none', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const { client, runtime, where } = await stage({});
    const first = await client.call('refund_order', { orderId: 1, reason: 'late' });
    const isSession = first.structuredContent.outcome === 'ok';
    expect(isSession || first.structuredContent.code === 'missing_runtime_context').toBe(true);
    if (!isSession || name !== 'SDK 1, stdio') return;
    const second = await sdk.connect(where);
    await second.call('refund_order', { orderId: 1, reason: 'late' });
    const scopes = (await runtime.entries({})).map(({ scope }) => scope);
    expect(new Set(scopes).size).toBe(2);
  });
});

describe('strictNode', () => {
  const post = (url: URL, body: string | Uint8Array) =>
    fetch(url, {
      method: 'POST',
      body: body as never,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });

  test('answers what is no message, and what is too long', async () => {
    const handled: unknown[] = [];
    const server = await listenForHttp(
      strictNode(
        (_: never, response: { end(): void }, body: unknown) => {
          handled.push(body);
          response.end();
        },
        { maxBytes: 100 },
      ),
    );
    open.push(server.close);
    for (const [body, status, code] of [
      ['{"jsonrpc":', 400, -32700],
      [Uint8Array.of(0x22, 0xff, 0x22), 400, -32700],
      ['[]', 400, -32600],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"},7]', 400, -32600],
      [' '.repeat(200), 413, -32600],
    ] as const) {
      const response = await post(server.url, body);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    }
    expect(handled).toEqual([]);
    await post(server.url, '{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(handled).toEqual([{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
  });

  test('says so where a body parser has taken the text away', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const app = express();
    app.use(express.json());
    app.post(
      '/mcp',
      strictNode(() => undefined),
    );
    const server = await listenForHttp(async (request, response) => void app(request, response));
    open.push(server.close);
    expect((await post(server.url, '{}')).status).toBe(500);
    expect(error.mock.calls[0]?.[0]).toContain('express.json()');
  });
});

test('registerTools refuses what is no McpServer', () => {
  const { runtime } = desk();
  expect(() => registerTools({} as never, runtime)).toThrow('McpServer');
  const unknown = { server: {}, registerTool: () => ({ remove: () => undefined }) };
  expect(() => registerTools(unknown as never, runtime)).toThrow('not known');
});
