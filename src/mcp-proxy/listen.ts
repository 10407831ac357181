import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lineOf } from '../mcp/line-reader.ts';
import { HttpClient } from './http-client.ts';
import { longestMessageBytes } from './limits.ts';
import { errorText, readMessages } from './message.ts';
import { untilSignal } from './serve-stdio.ts';
import { ProxySession, type SessionOptions } from './session.ts';

/** Sessions over streamable HTTP, each with a server of its own behind it and one ledger for all. */
export interface ListenOptions extends Omit<SessionOptions, 'toClient' | 'onCancelled' | 'onDead'> {
  readonly port: number;
  onListening(url: string): void;
}

interface Seat {
  readonly client: HttpClient;
  readonly session: ProxySession;
  usedAtMs: number;
}

const graceMs = 5000;
const mostSessions = 1000;
const idleMs = 24 * 3_600_000;
const path = '/mcp';

/** Serves on the loopback interface until the process is asked to stop. Resolves to the exit code. */
export async function listen(options: ListenOptions): Promise<0 | 1> {
  const house = new House(options);
  const server = createServer((request, response) => void house.serve(request, response));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, '127.0.0.1', resolve);
    });
  } catch (cause) {
    options.logger.error({ cause }, `port ${options.port} cannot be listened on`);
    return 1;
  }
  const { port } = server.address() as AddressInfo;
  options.onListening(`http://127.0.0.1:${port}${path}`);
  const stopped = untilSignal();
  await stopped.promise;
  stopped.off();
  server.close();
  await house.close();
  server.closeAllConnections();
  return 0;
}

class House {
  readonly #options: ListenOptions;
  readonly #seats = new Map<string, Seat>();

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#seats.keys()].map((id) => this.#leave(id)));
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(response, ...refusal);
    const id = request.headers['mcp-session-id'];
    const seat = typeof id === 'string' ? this.#seats.get(id) : undefined;
    if (seat !== undefined) seat.usedAtMs = Date.now();
    if (request.method === 'POST') return await this.#post(request, response, id, seat);
    if (seat === undefined || typeof id !== 'string') {
      return refuse(response, id === undefined ? 400 : 404, 'There is no such session.');
    }
    if (request.method === 'GET') return seat.client.openStream(response);
    await this.#leave(id);
    response.writeHead(200).end();
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    id: string | string[] | undefined,
    seat: Seat | undefined,
  ): Promise<void> {
    const text = await bodyOf(request);
    if (text === undefined) return refuse(response, 413, 'The message is too long, or no UTF-8.');
    const messages = readMessages(text);
    if (seat !== undefined) {
      seat.client.take(response, messages);
      return seat.session.receive(text);
    }
    if (id !== undefined) return refuse(response, 404, 'There is no such session.');
    const [first] = messages;
    if (first?.kind === 'malformed') return refuse(response, 400, 'The message is not JSON-RPC.');
    if (first?.kind !== 'request' || first.method !== 'initialize') {
      return refuse(response, 400, 'The first message has to be initialize.');
    }
    const opened = this.#open();
    if (opened === undefined) return refuse(response, 503, 'There are too many sessions.');
    response.setHeader('mcp-session-id', opened.id);
    opened.seat.client.take(response, messages);
    opened.seat.session.receive(text);
  }

  #open(): { readonly id: string; readonly seat: Seat } | undefined {
    this.#clearIdle();
    if (this.#seats.size >= mostSessions) return undefined;
    const { port: _, onListening: __, ...options } = this.#options;
    const id = randomUUID();
    const client = new HttpClient();
    const session = new ProxySession({
      ...options,
      toClient: (text) => client.send(text),
      onCancelled: (idKey) => client.drop(idKey),
      onDead: (reason) => {
        options.logger.error({}, reason);
        client.fail('The MCP server behind this proxy cannot be started.');
        void this.#leave(id);
      },
    });
    const seat: Seat = { client, session, usedAtMs: Date.now() };
    this.#seats.set(id, seat);
    return { id, seat };
  }

  /** A client that never said goodbye. */
  #clearIdle(): void {
    for (const [id, { usedAtMs }] of this.#seats) {
      if (Date.now() - usedAtMs > idleMs) void this.#leave(id);
    }
  }

  async #leave(id: string): Promise<void> {
    const seat = this.#seats.get(id);
    if (seat === undefined) return;
    this.#seats.delete(id);
    // What is under way is told first.
    await seat.session.close(graceMs);
    seat.client.close();
  }
}

/** A page in a browser must not reach a server on this machine by a name of its own (DNS rebinding). */
function refusalOf(request: IncomingMessage): readonly [number, string] | undefined {
  const { host = '', origin } = request.headers;
  if (!isLocal(`http://${host}`)) return [403, 'Only this machine is served.'];
  if (origin !== undefined && !isLocal(origin)) return [403, 'This origin is not served.'];
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== path) {
    return [404, `There is nothing but ${path}.`];
  }
  return ['POST', 'GET', 'DELETE'].includes(request.method ?? '')
    ? undefined
    : [405, 'POST, GET and DELETE are taken.'];
}

function isLocal(address: string): boolean {
  const name = URL.canParse(address) ? new URL(address).hostname : '';
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]';
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(errorText('null', -32_000, why));
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > longestMessageBytes) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined;
  }
  const { text, problem } = lineOf(Buffer.concat(parts));
  return problem === undefined ? text : undefined;
}
