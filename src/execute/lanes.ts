import type { Clock } from '../call/clock.ts';
import { Line, type Patience, type Place } from './line.ts';

/** How long one process may have a lane to itself while others of its own wait there. */
const turnMs = 3_000;
/** How long it then leaves the lane open. */
const gapMs = 250;
/**
 * The longest that a process waits before it looks again whether a lane that another one holds is
 * free: shorter than the gap, so that none is starved by one that never lets up.
 */
export const longestLookMs = 150;

interface Lane {
  readonly line: Line;
  /** Since when this process has not let another one have it. */
  sinceMs: number;
}

/** The lanes of this process: in each, one at a time, in order of arrival. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #maxWaiting: number;
  readonly #clock: Clock;
  #waiting = 0;
  #isClosed = false;

  /** At most `maxWaiting` calls wait, over all lanes. */
  constructor(maxWaiting: number, clock: Clock) {
    this.#maxWaiting = maxWaiting;
    this.#clock = clock;
  }

  /** Whether a call could enter the lane at once. */
  isIdle(name: string): boolean {
    return this.#lanes.get(name)?.line.isIdle ?? true;
  }

  /** How many calls wait for their turn in a lane, over all lanes. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Nobody gets a place any more; those who wait are told that they are `aborted`. */
  close(): void {
    this.#isClosed = true;
    for (const { line } of this.#lanes.values()) line.close();
  }

  /** Resolves to a place in the lane, or to why there is none; never rejects. */
  async enter(name: string, patience: Patience): Promise<Place> {
    if (this.#isClosed) return { had: false, why: 'aborted' };
    const lane = this.#lane(name);
    if (!lane.line.isIdle && this.#waiting >= this.#maxWaiting) return { had: false, why: 'full' };
    this.#waiting += 1;
    const place = await lane.line.enter(patience);
    this.#waiting -= 1;
    if (!place.had) {
      this.#forget(name, lane);
      return place;
    }
    const leave = (): void => {
      place.leave();
      this.#forget(name, lane);
    };
    return { had: true, leave: () => this.#handOn(lane, leave) };
  }

  /** At once, unless it is the turn of other processes, which look now and then whether it is free. */
  #handOn(lane: Lane, leave: () => void): void {
    const nowMs = this.#clock.monotonicMs();
    if (lane.line.waiting > 0 && nowMs - lane.sinceMs >= turnMs) {
      lane.sinceMs = nowMs + gapMs;
      this.#clock.after(gapMs, leave);
    } else leave();
  }

  #forget(name: string, { line }: Lane): void {
    if (line.isIdle) this.#lanes.delete(name);
  }

  #lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const line = new Line(1, this.#maxWaiting);
    const lane = { line, sinceMs: this.#clock.monotonicMs() };
    this.#lanes.set(name, lane);
    return lane;
  }
}
