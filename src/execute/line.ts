/** Why a place in a line was not had. */
export type NoPlace = 'full' | 'aborted' | 'late';

/** A place: to be given back exactly once. */
export type Place =
  | { readonly had: true; readonly leave: () => void }
  | { readonly had: false; readonly why: NoPlace };

interface Waiter {
  enter(): void;
  giveUp(): void;
}

/** How long one waits for a place. */
export interface Patience {
  /** Whichever is aborted first ends the wait. */
  readonly stops: readonly AbortSignal[];
  /** Calls `task` when the wait has been long enough; returns how to call that off. */
  onLate(task: () => void): () => void;
}

/** A line before a number of places, served in order of arrival; its length is bounded. */
export class Line {
  #free: number;
  #isClosed = false;
  readonly #maxWaiting: number;
  /** A set keeps the order of arrival, and lets a waiter leave from the middle at no cost. */
  readonly #waiting = new Set<Waiter>();

  constructor(places: number, maxWaiting: number) {
    this.#free = places;
    this.#maxWaiting = maxWaiting;
  }

  get isIdle(): boolean {
    return this.#free > 0 && this.#waiting.size === 0;
  }

  get free(): number {
    return this.#free;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves to a place, or to why there is none; never rejects. */
  enter(patience: Patience): Promise<Place> | Place {
    if (this.#isClosed || patience.stops.some(({ aborted }) => aborted))
      return { had: false, why: 'aborted' };
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#place();
    }
    if (this.#waiting.size >= this.#maxWaiting) return { had: false, why: 'full' };
    return this.#wait(patience);
  }

  /** Nobody gets a place any more; those who wait are told that they are `aborted`. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of [...this.#waiting]) waiter.giveUp();
  }

  #wait({ stops, onLate }: Patience): Promise<Place> {
    return new Promise((resolve) => {
      const leave = (why: NoPlace): void => {
        this.#waiting.delete(waiter);
        settle({ had: false, why });
      };
      const onAbort = (): void => leave('aborted');
      const callOff = onLate(() => leave('late'));
      const settle = (place: Place): void => {
        callOff();
        for (const stop of stops) stop.removeEventListener('abort', onAbort);
        resolve(place);
      };
      const waiter: Waiter = { enter: () => settle(this.#place()), giveUp: onAbort };
      for (const stop of stops) stop.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #place(): Place {
    let left = false;
    return {
      had: true,
      leave: () => {
        if (left) return;
        left = true;
        this.#next();
      },
    };
  }

  #next(): void {
    const [waiter] = this.#waiting;
    if (waiter === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(waiter);
    waiter.enter();
  }
}
