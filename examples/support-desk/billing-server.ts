import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, BillingBook } from './billing-book.ts';

/** What may go wrong with one request that billing receives. */
export type Trouble =
  /** It is done, and the connection breaks before the answer is written. */
  | 'lose_answer'
  /** It is done, and a gateway in front of billing answers 503. */
  | 'commit_then_503'
  /** A gateway answers 503, and billing never heard of it. */
  | '503_without_commit'
  /** It is held, and done and answered once `release` is called. */
  | 'hang_before_commit'
  /** It is done, and the answer is held until `release` is called. */
  | 'hang_after_commit'
  /** Every connection breaks and the server is gone, before it is done or after. */
  | 'crash_before_commit'
  | 'crash_after_commit';

export interface BillingOptions {
  /** Whether a second request with the same Idempotency-Key is answered with the first answer. */
  readonly honoursKeys?: boolean;
  /** How long billing takes for a write, in milliseconds; 0 if left out. */
  readonly latencyMs?: number;
}

/** A billing service on a loopback port that can be told to misbehave, and that counts what it did. */
export interface BillingServer {
  readonly url: string;
  readonly book: BillingBook;
  /** Requests that reached it: `POST /refunds`, … */
  readonly requests: readonly string[];
  /** How many writes of one order it was ever given at the same time. */
  readonly mostAtOnce: number;
  /** What happens to the next writes, one each; after them, all is well. */
  next(...troubles: readonly Trouble[]): void;
  /** What happens to the next reads. */
  nextRead(...troubles: readonly Trouble[]): void;
  /** Whether it can be reached. */
  readonly isUp: boolean;
  /** How many requests are held by a `hang_…`. */
  readonly holding: number;
  /** How long billing takes for a write, in milliseconds. */
  latencyMs: number;
  /** Whether refunds can be looked up by key; a look-up is answered 503 while they cannot. */
  searchable: boolean;
  /** Resolves once it has received such a request: `GET /refunds`, … */
  received(request: string): Promise<void>;
  /** Resolves once so many requests are held by a `hang_…`; one if left out. */
  held(count?: number): Promise<void>;
  /** Lets what is held go on. */
  release(): void;
  /** Starts again on the same port after a crash. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a billing server on 127.0.0.1. */
export async function startBilling(options: BillingOptions = {}): Promise<BillingServer> {
  const billing = new Billing(options);
  await billing.start();
  return billing;
}

class Billing implements BillingServer {
  readonly book: BillingBook = new BillingBook();
  readonly requests: string[] = [];
  searchable = true;
  latencyMs: number;
  mostAtOnce = 0;
  readonly #options: BillingOptions;
  readonly #writeTroubles: Trouble[] = [];
  readonly #readTroubles: Trouble[] = [];
  readonly #answered = new Map<string, Answer>();
  readonly #underWay = new Map<string, number>();
  #holding: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  #server: Server = this.#newServer();
  #port = 0;

  constructor(options: BillingOptions) {
    this.#options = options;
    this.latencyMs = options.latencyMs ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isUp(): boolean {
    return this.#server.listening;
  }

  get holding(): number {
    return this.#holding.length;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  next(...troubles: readonly Trouble[]): void {
    this.#writeTroubles.push(...troubles);
  }

  nextRead(...troubles: readonly Trouble[]): void {
    this.#readTroubles.push(...troubles);
  }

  held(count = 1): Promise<void> {
    return this.#until(() => this.#holding.length >= count);
  }

  received(request: string): Promise<void> {
    return this.#until(() => this.requests.includes(request));
  }

  release(): void {
    for (const goOn of this.#holding.splice(0)) goOn();
  }

  async restart(): Promise<void> {
    await this.close();
    this.#server = this.#newServer();
    await this.start();
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  #newServer(): Server {
    return createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    const body = await bodyOf(request);
    this.requests.push(`${method} ${url.pathname}`);
    this.#tellChange();
    if (method === 'GET') {
      await this.#misbehave(this.#readTroubles.shift(), response, () => this.#read(url));
      return;
    }
    const key = request.headers['idempotency-key'];
    const ownKey = typeof key === 'string' ? key : null;
    const lane = `${body.orderId ?? url.pathname}`;
    const commit = (): Answer => this.#once(ownKey, () => this.#write(url, body, ownKey));
    await this.#counted(lane, async () => {
      await pause(this.latencyMs);
      await this.#misbehave(this.#writeTroubles.shift(), response, commit);
    });
  }

  async #misbehave(
    trouble: Trouble | undefined,
    response: ServerResponse,
    commit: () => Answer,
  ): Promise<void> {
    if (trouble === 'hang_before_commit') await this.#hold();
    if (trouble === 'crash_before_commit') return void this.close();
    if (trouble === '503_without_commit') return answer(response, unavailable);
    const done = commit();
    if (trouble === 'hang_after_commit') await this.#hold();
    if (trouble === 'crash_after_commit') return void this.close();
    if (trouble === 'lose_answer') return void response.destroy();
    answer(response, trouble === 'commit_then_503' ? unavailable : done);
  }

  #hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#holding.push(resolve);
      this.#tellChange();
    });
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #tellChange(): void {
    for (const tell of this.#waiting.splice(0)) tell();
  }

  async #counted(lane: string, work: () => Promise<void>): Promise<void> {
    const atOnce = (this.#underWay.get(lane) ?? 0) + 1;
    this.#underWay.set(lane, atOnce);
    this.mostAtOnce = Math.max(this.mostAtOnce, atOnce);
    try {
      await work();
    } finally {
      this.#underWay.set(lane, (this.#underWay.get(lane) ?? 1) - 1);
    }
  }

  #once(key: string | null, commit: () => Answer): Answer {
    if (key === null || this.#options.honoursKeys !== true) return commit();
    const first = this.#answered.get(key) ?? commit();
    this.#answered.set(key, first);
    return first;
  }

  #write(url: URL, body: JsonBody, key: string | null): Answer {
    const orderId = Number(body.orderId ?? url.pathname.split('/')[2]);
    if (url.pathname === '/refunds')
      return this.book.refund(orderId, Number(body.amountCents), key);
    if (url.pathname.endsWith('/address')) {
      return this.book.setAddress(orderId, String(body.address), key);
    }
    return notFound;
  }

  #read(url: URL): Answer {
    if (url.pathname === '/book') {
      const { refunds, addresses } = this.book;
      return { status: 200, body: { refunds, addresses } };
    }
    const key = url.searchParams.get('key');
    if (key !== null) return this.#search(url.pathname, key);
    if (url.pathname === '/orders') return { status: 200, body: this.book.orders };
    const order = this.book.order(Number(url.pathname.split('/')[2]));
    return order === undefined ? notFound : { status: 200, body: order };
  }

  #search(path: string, key: string): Answer {
    if (!this.searchable) return unavailable;
    const done = path === '/refunds' ? this.book.refunds : this.book.addresses;
    return { status: 200, body: done.filter((one) => one.key === key) };
  }
}

type JsonBody = Readonly<Record<string, unknown>>;

const notFound: Answer = { status: 404, body: { error: 'not found' } };
const unavailable: Answer = { status: 503, body: { error: 'unavailable' } };
const longestBody = 65_536;

async function bodyOf(request: IncomingMessage): Promise<JsonBody> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > longestBody) throw new Error('the body is too long');
  }
  return text === '' ? {} : (JSON.parse(text) as JsonBody);
}

function answer(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function pause(delayMs: number): Promise<void> {
  return delayMs === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, delayMs));
}
