/**
 * An abort controller that is made only once somebody looks at its signal: few tools do, and a signal
 * is the most expensive thing in a call that is otherwise in memory.
 */
export class Stop {
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** Aborts the signal, now or when it is looked at; the first reason counts. */
  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }
}
