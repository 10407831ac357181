import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../src/testing/simulator/random.ts';

/** What becomes of one request. */
export type Weather =
  | 'well'
  | 'slow'
  | 'lost answer'
  | 'lost request'
  | 'late commit'
  | '503 after commit'
  | '503 instead'
  | 'refused by a gateway'
  | 'never answered';

const climate: readonly (readonly [Weather, number])[] = [
  ['well', 54],
  ['slow', 10],
  ['lost answer', 8],
  ['lost request', 5],
  ['late commit', 4],
  ['503 after commit', 8],
  ['503 instead', 4],
  ['refused by a gateway', 4],
  ['never answered', 3],
];

/** The longest that billing takes for anything, in milliseconds, also after a connection broke. */
const longestDelayMs = 500;

/** One write as billing was asked for it. */
export interface Write {
  readonly orderId: number;
  readonly amountCents: number;
}

/** What a write is called, here and in the findings. */
export function nameOf(kind: string, { orderId, amountCents }: Write): string {
  return `${kind} ${orderId} ${amountCents}`;
}

/** Billing refuses these, each time. */
export function isRefused({ amountCents }: Write): boolean {
  return amountCents % 10 === 7;
}

/**
 * A billing service on a loopback port that loses and delays requests and answers, and that counts
 * what it did. `/refund` does what it is asked each time; `/credit` honours keys. `GET /refund/key`
 * looks one up.
 */
export class Billing {
  readonly effects: Map<string, number> = new Map();
  readonly weathers: Map<Weather, number> = new Map();
  readonly #byKey = new Set<string>();
  readonly #random: Random;
  readonly #server: Server;

  constructor(random: Random) {
    this.#random = random;
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  /** Resolves to its URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind = '', wanted = ''] = (request.url ?? '').split('/');
    if (request.method === 'GET') return this.#lookUp(wanted, response);
    const key = String(request.headers['idempotency-key']);
    const write = JSON.parse(await textOf(request)) as Write;
    const weather = this.#random.weighed(climate) ?? 'well';
    this.weathers.set(weather, (this.weathers.get(weather) ?? 0) + 1);
    if (isRefused(write)) {
      answer(response, 400, { error: 'this amount is not refunded' });
      return;
    }
    await this.#act(weather, response, () => this.#commit(kind, write, key));
  }

  async #act(weather: Weather, response: ServerResponse, commit: () => unknown): Promise<void> {
    switch (weather) {
      case 'well':
        return answer(response, 200, commit());
      case 'slow':
        await this.#delay();
        return answer(response, 200, commit());
      case 'lost answer':
        commit();
        return void response.destroy();
      case 'lost request':
        return void response.destroy();
      case 'late commit':
        response.destroy();
        await this.#delay();
        return void commit();
      case '503 after commit':
        commit();
        return answer(response, 503, { error: 'overloaded' });
      case '503 instead':
        return answer(response, 503, { error: 'overloaded' });
      case 'refused by a gateway':
        return answer(response, 403, { error: 'not from there' });
      case 'never answered':
        return void commit();
    }
  }

  #commit(kind: string, write: Write, key: string): unknown {
    const isKnown = this.#byKey.has(key);
    this.#byKey.add(key);
    const name = nameOf(kind, write);
    if (kind !== 'credit' || !isKnown) this.effects.set(name, (this.effects.get(name) ?? 0) + 1);
    return { done: name };
  }

  async #lookUp(key: string, response: ServerResponse): Promise<void> {
    if (this.#random.chance(0.1)) return answer(response, 503, { error: 'overloaded' });
    // What it finds is of the moment at which it was asked, however long the answer takes.
    const isKnown = this.#byKey.has(key);
    if (this.#random.chance(0.2)) await this.#delay();
    answer(response, 200, { isKnown });
  }

  async #delay(): Promise<void> {
    await sleep(this.#random.below(longestDelayMs));
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
