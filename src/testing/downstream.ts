import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSafeMethod } from '../http/prepare.ts';

/** What may go wrong with one write that a downstream receives. */
export type Trouble =
  /** The connection breaks, and nothing was done. */
  | 'lose_request'
  /** It is done, and the connection breaks before the answer. */
  | 'lose_answer'
  /** 503, and nothing was done. */
  | 'fail_before'
  /** It is done, and the answer is 503. */
  | 'fail_after'
  /** It is held, and done and answered once `release` is called. */
  | 'hold_before'
  /** It is done, and the answer is held until `release` is called. */
  | 'hold_after'
  /** It is held, and answered 503 once `release` is called; nothing is done. */
  | 'hold_then_fail'
  /** 400: refused, and nothing was done. */
  | 'reject';

/** A remote system that can be steered, and that counts: a fake, or a proxy before a sandbox. */
export interface Downstream {
  /** The writes that reached it, in order; `key` is the idempotency key, where one came with it. */
  readonly writes: readonly { readonly key?: string }[];
  /** How many writes took effect. */
  readonly effects: number;
  /** What happens to the next write; after it, all is well again. */
  next(trouble: Trouble): void;
  /** Lets go on what is held. */
  release(): void;
  /** The troubles that it can make; all of them if left out. */
  readonly troubles?: readonly Trouble[];
  /** How many reads reached it. */
  readonly reads?: number;
  /** Holds reads until `release` is called. */
  holdReads?(): void;
}

/** A request as it reached a {@link HttpDownstream}. */
export interface DownstreamRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly key?: string;
}

/** What a request comes to; `body` is sent as JSON where it is not text. */
export interface DownstreamAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** How a downstream is made. */
export interface DownstreamOptions {
  /** Where requests are handed on to: the URL of a fake or a sandbox. Left out: it answers by itself. */
  readonly to?: string;
  /**
   * What a request comes to, where it is not handed on. Left out: a write is done, and answered with
   * an `id`; a read of a URL that has the key of a write in it finds that, and any other is 404.
   */
  answer?(request: DownstreamRequest): DownstreamAnswer | Promise<DownstreamAnswer>;
  /** Whether a write whose key is known is answered as the first was, and not done again; false if left out. */
  readonly honoursKeys?: boolean;
  /** Which requests write; those of an unsafe method if left out. */
  isWrite?(request: DownstreamRequest): boolean;
  /** The header with the key; `idempotency-key` if left out. */
  readonly keyHeader?: string;
}

/** A {@link Downstream} over HTTP, on the loopback address. */
export interface HttpDownstream extends Downstream {
  readonly url: string;
  readonly writes: readonly DownstreamRequest[];
  /** How often a write with each key took effect; those without a key stand under ''. */
  readonly effectsByKey: ReadonlyMap<string, number>;
  readonly reads: number;
  holdReads(): void;
  close(): Promise<void>;
}

/** Starts an HTTP server on 127.0.0.1 that can be told to misbehave, before a fake or sandbox or by itself. */
export async function startDownstream(options: DownstreamOptions = {}): Promise<HttpDownstream> {
  const server = new SteeredServer(options);
  await server.start();
  return server;
}

const longestBody = 1_048_576;
const unavailable: DownstreamAnswer = { status: 503, body: { error: 'unavailable' } };
const refused: DownstreamAnswer = { status: 400, body: { error: 'refused' } };

class SteeredServer implements HttpDownstream {
  readonly writes: DownstreamRequest[] = [];
  readonly effectsByKey: Map<string, number> = new Map();
  reads = 0;
  readonly #options: DownstreamOptions;
  readonly #troubles: Trouble[] = [];
  readonly #answers = new Map<string, DownstreamAnswer>();
  readonly #server: Server;
  #holdsReads = false;
  #held: (() => void)[] = [];

  constructor(options: DownstreamOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get effects(): number {
    return [...this.effectsByKey.values()].reduce((all, count) => all + count, 0);
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  next(trouble: Trouble): void {
    this.#troubles.push(trouble);
  }

  holdReads(): void {
    this.#holdsReads = true;
  }

  release(): void {
    this.#holdsReads = false;
    for (const goOn of this.#held.splice(0)) goOn();
  }

  close(): Promise<void> {
    this.release();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, this.#options.keyHeader ?? 'idempotency-key');
    const { isWrite = ({ method }) => !isSafeMethod(method) } = this.#options;
    if (isWrite(request)) {
      this.writes.push(request);
      const answer = await this.#write(request, this.#troubles.shift());
      if (answer === undefined) response.destroy();
      else send(response, answer);
      return;
    }
    this.reads += 1;
    if (this.#holdsReads) await this.#hold();
    send(response, await this.#handle(request));
  }

  /** Undefined where the connection is to break. */
  async #write(
    request: DownstreamRequest,
    trouble?: Trouble,
  ): Promise<DownstreamAnswer | undefined> {
    switch (trouble) {
      case 'lose_request':
        return undefined;
      case 'lose_answer':
        await this.#commit(request);
        return undefined;
      case 'fail_before':
        return unavailable;
      case 'fail_after':
        await this.#commit(request);
        return unavailable;
      case 'hold_before':
        await this.#hold();
        return this.#commit(request);
      case 'hold_after': {
        const answer = await this.#commit(request);
        await this.#hold();
        return answer;
      }
      case 'hold_then_fail':
        await this.#hold();
        return unavailable;
      case 'reject':
        return refused;
      case undefined:
        return this.#commit(request);
    }
  }

  #hold(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }

  async #commit(request: DownstreamRequest): Promise<DownstreamAnswer> {
    const { key = '' } = request;
    const isKnown = this.#options.honoursKeys === true && this.#answers.has(key);
    if (isKnown && this.#options.to === undefined) return this.#answers.get(key) ?? unavailable;
    const answer = await this.#handle(request);
    if (isKnown || answer.status < 200 || answer.status >= 300) return answer;
    if (key !== '') this.#answers.set(key, answer);
    this.effectsByKey.set(key, (this.effectsByKey.get(key) ?? 0) + 1);
    return answer;
  }

  async #handle(request: DownstreamRequest): Promise<DownstreamAnswer> {
    const { to, answer } = this.#options;
    if (to !== undefined) return handOn(request, to);
    if (answer !== undefined) return answer(request);
    if (!isSafeMethod(request.method))
      return { status: 200, body: { id: `done-${this.effects + 1}` } };
    const known = [...this.#answers].find(([key]) =>
      decodeURIComponent(request.path).includes(key),
    );
    return known?.[1] ?? { status: 404, body: { error: 'not found' } };
  }
}

async function readRequest(
  incoming: IncomingMessage,
  keyHeader: string,
): Promise<DownstreamRequest> {
  let body = '';
  for await (const chunk of incoming) {
    body += String(chunk);
    if (body.length > longestBody) throw new Error('the body is too long');
  }
  const { method = 'GET', url: path = '/' } = incoming;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const key = headers[keyHeader.toLowerCase()];
  return { method, path, headers, body, ...(key === undefined ? {} : { key }) };
}

/** What belongs to one connection, or is written anew. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

async function handOn(request: DownstreamRequest, to: string): Promise<DownstreamAnswer> {
  const { method, path, body } = request;
  const headers = Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name));
  const response = await fetch(new URL(path, to), {
    method,
    headers: Object.fromEntries(headers),
    redirect: 'manual',
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}

function send(response: ServerResponse, { status, body = '' }: DownstreamAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
