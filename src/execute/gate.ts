/**
 * The one-shot gate between a mark and its send: either the send takes it, once, or a timer, a
 * cancellation or the end of the run closes it. Whoever comes second is told so.
 */
export class Gate {
  #state: 'open' | 'taken' | 'closed' = 'open';

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** From now on it may have left. False if nothing may leave any more. */
  take(): boolean {
    if (this.#state !== 'open') return false;
    this.#state = 'taken';
    return true;
  }

  /** From now on nothing leaves. False if it may have left already. */
  close(): boolean {
    if (this.#state === 'taken') return false;
    this.#state = 'closed';
    return true;
  }
}
