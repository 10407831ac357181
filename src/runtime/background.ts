import { type Clock, pause } from '../call/clock.ts';

/** What goes on after an answer was given: late runs, records that are still to be written. */
export class Background {
  readonly #running = new Set<Promise<unknown>>();
  readonly #waitUntil: (work: Promise<unknown>) => void;

  constructor(waitUntil: (work: Promise<unknown>) => void) {
    this.#waitUntil = waitUntil;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Follows `work` to its end; `work` must not reject. */
  follow(work: Promise<unknown>): void {
    const followed = work.catch(() => undefined).finally(() => this.#running.delete(followed));
    this.#running.add(followed);
    try {
      this.#waitUntil(followed);
    } catch {
      // The host's hook has nothing to say about the outcome.
    }
  }

  /** Resolves when nothing is left. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Tries again, with growing pauses of up to 10 s, until it works or the signal is aborted. */
export async function untilDone(
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<unknown>,
  onFailure: (cause: unknown) => void,
): Promise<void> {
  for (let delayMs = 50; !signal.aborted; delayMs = Math.min(delayMs * 2, 10_000)) {
    try {
      await work();
      return;
    } catch (cause) {
      onFailure(cause);
    }
    await pause(clock, delayMs, signal);
  }
}
