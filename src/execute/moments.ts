/** What ends the wait for an attempt: its run, its time, or its user. */
export type Moment = 'ended' | 'timer' | 'cancel';

/** The moments of an attempt, in the order in which they are reached. */
export class Moments {
  readonly #reached: Moment[] = [];
  readonly #signal: AbortSignal | undefined;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.reach('cancel');
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => this.reach('cancel');

  reach(moment: Moment): void {
    this.#reached.push(moment);
    this.#wake();
  }

  async next(): Promise<Moment> {
    for (;;) {
      const moment = this.#reached.shift();
      if (moment !== undefined) return moment;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
