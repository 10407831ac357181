import type { Ledger } from '../ledger/ledger.ts';
import { problem } from './answers.ts';
import { safeHeaders } from './guard.ts';
import { chartOf, nowOf } from './now.ts';
import type { ConsoleOptions } from './options.ts';
import type { Chart } from './views.ts';

const tickMs = 1_000;
/** Charts are counted anew after so many ticks. */
const chartTicks = { hour: 5, day: 60 } as const;
const mostPages = 100;
/** A page that does not read is let go once so many messages wait for it. */
const mostUnread = 50;

type Sink = ReadableStreamDefaultController<Uint8Array>;

/** Tells the pages that are open what goes on: one look at the ledger serves them all, and none is taken for nobody. */
export class Live {
  readonly #ledger: Ledger;
  readonly #options: ConsoleOptions;
  readonly #sinks = new Set<Sink>();
  readonly #encoder = new TextEncoder();
  /** The latest message of each kind, for a page that has just come. */
  readonly #latest = new Map<string, Uint8Array>();
  #ticks = 0;
  #isTicking = false;

  constructor(ledger: Ledger, options: ConsoleOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** A stream of server-sent events: `now`, `chart` and `trouble`. */
  open(signal: AbortSignal): Response {
    if (this.#sinks.size >= mostPages) return problem(503, 'Too many pages are open.');
    let own: Sink | undefined;
    const leave = (): void => {
      if (own !== undefined) this.#sinks.delete(own);
    };
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (sink) => {
          own = sink;
          this.#sinks.add(sink);
          sink.enqueue(this.#encoder.encode('retry: 2000\n\n'));
          for (const message of this.#latest.values()) sink.enqueue(message);
          void this.#tick();
        },
        cancel: leave,
      },
      { highWaterMark: mostUnread },
    );
    signal.addEventListener('abort', leave, { once: true });
    return new Response(stream, {
      headers: {
        ...safeHeaders,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    });
  }

  /** Looks again, as after something was settled here. */
  wake(): void {
    this.#ticks = 0;
  }

  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    while (this.#sinks.size > 0) {
      await this.#look();
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
    this.#isTicking = false;
    // What was seen is old when the next page comes.
    this.#latest.clear();
    this.#ticks = 0;
  }

  async #look(): Promise<void> {
    try {
      const nowMs = Date.now();
      this.#say('now', 'now', await nowOf(this.#ledger, this.#options, nowMs));
      for (const span of ['hour', 'day'] as const) {
        if (this.#ticks % chartTicks[span] === 0) await this.#chart(span, nowMs);
      }
      this.#ticks += 1;
    } catch {
      // Why is for the host's own logs of its ledger; the page is told what it means.
      this.#say('trouble', 'trouble', { problem: 'The ledger does not answer.' });
      this.#latest.clear();
      this.#ticks = 0;
    }
  }

  async #chart(span: Chart['span'], nowMs: number): Promise<void> {
    this.#say('chart', span, await chartOf(this.#ledger, span, nowMs));
  }

  #say(event: string, kind: string, value: unknown): void {
    const message = this.#encoder.encode(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
    this.#latest.set(kind, message);
    for (const sink of this.#sinks) this.#send(sink, message);
  }

  #send(sink: Sink, message: Uint8Array): void {
    try {
      if ((sink.desiredSize ?? 0) > 0) {
        sink.enqueue(message);
        return;
      }
      sink.close();
    } catch {
      // It went away by itself.
    }
    this.#sinks.delete(sink);
  }
}
