import { randomUUID } from 'node:crypto';
import { outsideRun } from '../execute/run-scope.ts';
import {
  errorText,
  idKeyOf,
  type MalformedMessage,
  type Message,
  type RequestMessage,
  type ResponseMessage,
  readMessages,
} from './message.ts';
import { cutOut } from './raw-json.ts';
import type { OpenWire, SendEnd, Wire } from './wire.ts';

/** What became of a request of the proxy's own. */
export type Answer =
  | { readonly kind: 'result'; readonly raw: string }
  | { readonly kind: 'error'; readonly raw: string }
  | { readonly kind: 'not_sent' | 'refused' | 'lost'; readonly reason: string };

/** What an upstream tells. */
export interface UpstreamEvents {
  /** A message of the server's that is no answer to the proxy's own requests. */
  onMessage(message: Message, incarnation: number): void;
  /** The server is gone; what it was asked and has not answered will not be answered. */
  onLost(reason: string): void;
  /** A new server has taken its place, and has been initialised. */
  onRestarted(): void;
  onTrouble(message: string): void;
}

/** How a client introduced itself, to say it again to a server that is started anew. */
export interface Introduction {
  readonly initialize: RequestMessage;
  readonly initialized: string | undefined;
}

export interface UpstreamOptions {
  readonly open: OpenWire;
  readonly events: UpstreamEvents;
  introduction(): Introduction | undefined;
}

interface Pending {
  settle(answer: Answer): void;
}

const firstPauseMs = 200;
const longestPauseMs = 30_000;
/** A server that lived for so long is started again at once. */
const soundMs = 60_000;
const initializeMs = 60_000;

/** A server that is started again when it ends, with backoff, and told again who its client is. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #prefix = `forthright-${randomUUID().slice(0, 8)}`;
  readonly #pending = new Map<string, Pending>();
  readonly #waiting = new Set<() => void>();
  #wire: Wire | undefined;
  #isReady = true;
  #isClosed = false;
  #incarnation = 0;
  #openedAtMs = 0;
  #pauseMs = firstPauseMs;
  #restart: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#open();
  }

  get incarnation(): number {
    return this.#incarnation;
  }

  /** Resolves when the server can be spoken to; to false where it could not in time. */
  async ready(signal: AbortSignal): Promise<boolean> {
    while (!this.#isReady && !this.#isClosed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#waiting.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        this.#waiting.add(go);
        signal.addEventListener('abort', go, { once: true });
      });
    }
    return this.#isReady && !this.#isClosed;
  }

  /** Passes a message on as it is. */
  send(text: string): Promise<SendEnd> {
    const wire = this.#isReady ? this.#wire : undefined;
    if (wire !== undefined) return wire.send(text);
    return Promise.resolve({ end: 'not_sent', reason: 'the server is not running' });
  }

  /** An id that no other request has. */
  newId(): string {
    this.#lastId += 1;
    return `"${this.#prefix}-${this.#lastId}"`;
  }

  /** Sends a request under an id of {@link newId} and waits for its answer, as long as the server lives. */
  request(id: string, text: string): Promise<Answer> {
    return this.#request(id, text, this.#isReady ? this.#wire : undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    const wire = this.#wire;
    this.#wire = undefined;
    this.#wake();
    await wire?.close();
    this.#settleAll('the proxy was closed');
  }

  #request(id: string, text: string, wire: Wire | undefined): Promise<Answer> {
    if (wire === undefined) {
      return Promise.resolve({ kind: 'not_sent', reason: 'the server is not running' });
    }
    return new Promise((resolve) => {
      const key = idKeyOf(id) ?? id;
      const settle = (answer: Answer): void => {
        if (this.#pending.delete(key)) resolve(answer);
      };
      this.#pending.set(key, { settle });
      void wire.send(text).then((sent) => {
        if (sent.end !== 'delivered') settle({ kind: sent.end, reason: sent.reason });
      });
    });
  }

  /** What a server's connection says belongs to no run of a tool, whichever asked for it. */
  #open(): void {
    outsideRun(() => {
      this.#incarnation += 1;
      this.#openedAtMs = performance.now();
      const incarnation = this.#incarnation;
      this.#wire = this.#options.open({
        onMessage: (text) => {
          for (const message of readMessages(text)) this.#take(message, incarnation);
        },
        onClosed: (reason) => this.#closed(reason),
      });
    });
  }

  #take(message: Message | MalformedMessage, incarnation: number): void {
    const { events } = this.#options;
    if (message.kind === 'malformed') {
      events.onTrouble(`the server sent what is no message (${message.why})`);
      return;
    }
    if (message.kind === 'response' && this.#takeOwn(message)) return;
    events.onMessage(message, incarnation);
  }

  #takeOwn({ idKey, text, result, error }: ResponseMessage): boolean {
    const pending = this.#pending.get(idKey);
    if (pending === undefined) return idKey.startsWith(`"${this.#prefix}-`);
    if (result !== undefined) pending.settle({ kind: 'result', raw: cutOut(text, result) });
    else if (error !== undefined) pending.settle({ kind: 'error', raw: cutOut(text, error) });
    return true;
  }

  #closed(reason: string): void {
    if (this.#isClosed) return;
    this.#wire = undefined;
    this.#isReady = false;
    this.#settleAll(reason);
    this.#options.events.onLost(reason);
    if (performance.now() - this.#openedAtMs > soundMs) this.#pauseMs = firstPauseMs;
    this.#options.events.onTrouble(`${reason}; it is started again in ${this.#pauseMs} ms`);
    this.#restart = setTimeout(() => void this.#startAgain(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  async #startAgain(): Promise<void> {
    try {
      this.#open();
    } catch (cause) {
      this.#closed((cause as Error).message);
      return;
    }
    const wire = this.#wire;
    const introduced = await this.#introduce(wire);
    // It may have ended meanwhile: then another one is on its way already.
    if (this.#wire !== wire || this.#isClosed) return;
    if (!introduced) {
      await wire?.close();
      this.#closed('the server that was started again could not be initialised');
      return;
    }
    this.#isReady = true;
    this.#wake();
    this.#options.events.onRestarted();
  }

  async #introduce(wire: Wire | undefined): Promise<boolean> {
    const introduction = this.#options.introduction();
    if (introduction === undefined || wire === undefined) return wire !== undefined;
    const { initialize, initialized } = introduction;
    const id = this.newId();
    const { start, end } = initialize.idSpan;
    const text = initialize.text.slice(0, start) + id + initialize.text.slice(end);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), initializeMs);
    });
    const answer = await Promise.race([this.#request(id, text, wire), late]);
    clearTimeout(timer);
    if (answer?.kind !== 'result') return false;
    if (initialized !== undefined) await wire.send(initialized);
    return true;
  }

  #settleAll(reason: string): void {
    for (const { settle } of [...this.#pending.values()]) settle({ kind: 'lost', reason });
  }

  #wake(): void {
    for (const go of [...this.#waiting]) go();
  }
}

/** What a client is told whose request will never be answered. */
export function lostText(id: string): string {
  return errorText(
    id,
    -32_000,
    'The MCP server gave no answer: it is not running, or it stopped before. Ask again later.',
  );
}
