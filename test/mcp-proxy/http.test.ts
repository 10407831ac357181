import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/call/json.ts';
import { Folder, proxyArgs, RawClient } from './raw-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/cli/main.js');

let folder: Folder;
const closing: (() => unknown)[] = [];

beforeEach(() => {
  folder = new Folder();
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  folder.remove();
});

/** Starts a proxy that listens; resolves to its address. */
async function listening(args: readonly string[]): Promise<string> {
  return (await started(args)).url;
}

async function started(args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  closing.push(() => stop(child));
  return await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const url = /listening at (\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.on('exit', () => reject(new Error(said)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
  }));
  // Its types know nothing of exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport);
  closing.push(() => client.close());
  return client;
}

const pay = { name: 'pay', arguments: { amount: 2000 } };

function outcomeOf(result: object): unknown {
  const { _meta } = result as { readonly _meta?: Record<string, JsonObject> };
  return _meta?.['forthright/result']?.outcome;
}

describe('forthright proxy --listen', () => {
  it('serves two clients, with one record for both', async () => {
    const url = await listening(proxyArgs(folder.path, '--listen', '0'));
    const first = await connect(url);
    expect((await first.listTools()).tools).toHaveLength(3);
    expect(outcomeOf(await first.callTool(pay))).toBe('ok');
    const sampled = await first.callTool({ name: 'ask', arguments: {} });
    expect(JSON.stringify(sampled)).toContain('sampled');
    const second = await connect(url);
    expect(outcomeOf(await second.callTool(pay))).toBe('already_done');
    expect(folder.effects).toBe(1);
  });

  it('goes on where nobody reads its standard error', async () => {
    const args = proxyArgs(folder.path);
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    closing.push(() => stop(child));
    child.stderr.destroy();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    child.stdin.write(`${text}\nno message\n`);
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.split('\n').length > 2) break;
    }
    expect(said).toContain('"serverInfo"');
    expect(child.exitCode).toBeNull();
  });

  it('serves the client of v2', async () => {
    const url = await listening(proxyArgs(folder.path, '--listen', '0'));
    const client = new ClientV2({ name: 'v2', version: '1' });
    await client.connect(new HttpV2(new URL(url)));
    closing.push(() => client.close());
    expect(outcomeOf(await client.callTool(pay))).toBe('ok');
  });

  it('ends the stream of a call that was cancelled', async () => {
    const url = await listening(proxyArgs(folder.path, '--listen', '0'));
    const headers = { 'content-type': 'application/json' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
    const post = (message: object, session?: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { ...headers, ...(session === undefined ? {} : { 'mcp-session-id': session }) },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const met = await post({ id: 1, method: 'initialize', params });
    const session = met.headers.get('mcp-session-id') ?? '';
    expect(await met.text()).toContain('serverInfo');
    await post({ method: 'notifications/initialized' }, session);
    const slow = { id: 2, method: 'tools/call', params: { name: 'slow', arguments: {} } };
    const calling = await post(slow, session);
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 2 } };
    await post(cancelled, session);
    expect(await calling.text()).not.toContain('"result"');
  });

  it.each([
    { why: 'the process is asked to stop', behaviour: 'late', outcome: 'ok' },
    { why: 'the process is asked to stop', behaviour: 'stall_after', outcome: 'unknown' },
    { why: 'another request ends the session', behaviour: 'late', outcome: 'ok' },
  ])('where $why, a call that is under way ($behaviour) is told', async (given) => {
    folder.behave(given.behaviour);
    const { child, url } = await started(proxyArgs(folder.path, '--listen', '0'));
    const client = await connect(url);
    const calling = client.callTool(pay);
    while (folder.effects === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const session = (client.transport as StreamableHTTPClientTransport).sessionId ?? '';
    const ending = given.why.startsWith('the process')
      ? child.kill()
      : fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    folder.release();
    expect(outcomeOf(await calling)).toBe(given.outcome);
    await ending;
  });

  it('refuses what is no business of its own', async () => {
    const url = await listening(proxyArgs(folder.path, '--listen', '0'));
    const post = (body: string, headers: Record<string, string> = {}): Promise<number> =>
      fetch(url, { method: 'POST', body, headers }).then(({ status }) => status);
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toBe(400);
    expect(await post('{"jsonrpc"')).toBe(400);
    expect(await post('{}', { origin: 'https://elsewhere.example' })).toBe(403);
    expect(await post('{"id":1,"method":"ping"}', { 'mcp-session-id': 'x' })).toBe(404);
    expect(await statusFor(url, 'elsewhere.example')).toBe(403);
    expect((await fetch(url)).status).toBe(400);
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
    expect((await fetch(new URL('/other', url))).status).toBe(404);
  });
});

/** What a server of the tests does with a POST; undefined: it answers as it should. */
type Twist = (message: JsonObject, response: ServerResponse) => boolean;

/** A server of streamable HTTP that counts what it does. */
class HttpServer {
  readonly received: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  sessions = 0;
  effects = 0;
  twist: Twist = () => false;
  resume: (response: ServerResponse, lastId: string) => void = (response) => {
    response.writeHead(405).end();
  };
  readonly #server: Server = createServer(
    (request, response) => void this.#serve(request, response),
  );

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    if (request.method === 'DELETE') {
      response.writeHead(200).end();
      return;
    }
    if (request.method === 'GET') {
      this.resume(response, String(request.headers['last-event-id'] ?? ''));
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    this.received.push(text);
    const message = JSON.parse(text) as JsonObject;
    if (this.twist(message, response)) return;
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const session = message.method === 'initialize' ? `s${++this.sessions}` : undefined;
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    });
    response.end(this.answer(message));
  }

  answer(message: JsonObject): string {
    const { id, method } = message;
    const results: Record<string, () => object> = {
      initialize: () => ({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'http', version: '1' },
      }),
      'tools/list': () => ({
        tools: [
          {
            name: 'pay',
            inputSchema: { type: 'object', properties: { amount: { type: 'integer' } } },
          },
        ],
      }),
      'tools/call': () => {
        this.effects += 1;
        return { content: [{ type: 'text', text: 'paid' }] };
      },
    };
    return JSON.stringify({ jsonrpc: '2.0', id, result: results[String(method)]?.() ?? {} });
  }
}

describe('forthright proxy --url', () => {
  let server: HttpServer;
  let url: string;

  beforeEach(async () => {
    server = new HttpServer();
    url = await server.listen();
    closing.push(() => server.close());
  });

  async function through(...options: readonly string[]): Promise<RawClient> {
    const ledger = join(folder.path, 'ledger.db');
    const args = [main, 'proxy', '--url', url, '--ledger', ledger, ...options];
    const client = new RawClient(args);
    closing.push(() => client.leave());
    await client.initialize();
    return client;
  }

  const args = '{"amount":2000}';
  const isCall = ({ method }: JsonObject): boolean => method === 'tools/call';

  it('passes a call on, with its headers, its session and its version', async () => {
    const client = await through('--header', 'Authorization: Bearer t');
    expect((await client.call('pay', args)).outcome).toBe('ok');
    expect(server.headers.at(-1)).toMatchObject({
      authorization: 'Bearer t',
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-06-18',
    });
    expect((await client.call('pay', args)).outcome).toBe('already_done');
    expect(server.effects).toBe(1);
  });

  it.each([
    [
      'answers 503',
      'unknown',
      (_: JsonObject, response: ServerResponse) => response.writeHead(503).end(),
    ],
    ['breaks off', 'unknown', (_: JsonObject, response: ServerResponse) => response.destroy()],
    [
      'answers nothing',
      'unknown',
      (_: JsonObject, response: ServerResponse) => response.writeHead(202).end(),
    ],
    [
      'answers 401',
      'failed',
      (_: JsonObject, response: ServerResponse) => response.writeHead(401).end(),
    ],
  ])('a call to a server that %s is %s', async (_, outcome, answer) => {
    const client = await through();
    server.twist = (message, response) => {
      if (!isCall(message)) return false;
      answer(message, response);
      return true;
    };
    expect((await client.call('pay', args)).outcome).toBe(outcome);
    server.twist = () => false;
    const code = outcome === 'unknown' ? 'still_confirming' : 'done';
    expect((await client.call('pay', args)).code).toBe(code);
  });

  it('a call that could not be sent is failed, and may come again', async () => {
    const client = await through();
    await client.call('pay', '{"amount":1}');
    const port = Number(new URL(url).port);
    server.close();
    expect(await client.call('pay', args)).toMatchObject({ outcome: 'failed', code: 'not_sent' });
    await untilFree(port);
    await server.listen(port);
    expect((await client.call('pay', args)).outcome).toBe('ok');
  });

  it('takes a stream up again that broke before the answer', async () => {
    const client = await through();
    let answer = '';
    server.twist = (message, response) => {
      if (!isCall(message)) return false;
      answer = server.answer(message);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('id: 7\nretry: 10\ndata:\n\n', () => response.destroy());
      return true;
    };
    server.resume = (response, lastId) => {
      if (lastId !== '7') {
        response.writeHead(405).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: 8\r\ndata: ${answer}\r\n\r\n`);
    };
    expect((await client.call('pay', args)).outcome).toBe('ok');
    expect(server.effects).toBe(1);
  });

  it('opens a new session where the server has forgotten the old one', async () => {
    const client = await through();
    let isForgotten = true;
    server.twist = (message, response) => {
      if (!isCall(message) || !isForgotten) return false;
      isForgotten = false;
      response.writeHead(404).end();
      return true;
    };
    expect((await client.call('pay', args)).outcome).toBe('failed');
    expect((await client.call('pay', args)).outcome).toBe('ok');
    expect(server.sessions).toBe(2);
    expect(server.headers.at(-1)).toMatchObject({ 'mcp-session-id': 's2' });
  });

  it('stands in front of server-everything as well, and behind another HTTP client', async () => {
    const port = await freePort();
    const everything = join(
      root,
      'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    );
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    closing.push(() => stop(child));
    const address = `http://127.0.0.1:${port}/mcp`;
    await untilAnswered(address);
    const ledger = join(folder.path, 'ledger.db');
    const listen = ['--url', address, '--ledger', ledger, '--listen', '0'];
    const client = await connect(await listening([main, 'proxy', ...listen]));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('get-sum');
    const sum = await client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } });
    expect(sum.content).toEqual([{ type: 'text', text: 'The sum of 1 and 2 is 3.' }]);
    const toggled = await client.callTool({ name: 'toggle-subscriber-updates', arguments: {} });
    expect(outcomeOf(toggled)).toBe('ok');
  });
});

/** A request by another name, as after DNS rebinding. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'GET', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on('error', reject).end();
  });
}

async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilFree(port: number): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const server = createNetServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isFree) {
      server.close();
      await once(server, 'close');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function untilAnswered(url: string): Promise<void> {
  for (let n = 0; n < 500; n++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The server did not start.');
}
