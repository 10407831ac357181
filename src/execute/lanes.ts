import { Line, type Patience, type Place } from './line.ts';

/** The lanes of this process: in each, one at a time, in order of arrival. */
export class Lanes {
  readonly #lines = new Map<string, Line>();
  readonly #maxWaiting: number;
  #waiting = 0;

  /** At most `maxWaiting` calls wait, over all lanes. */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Whether a call could enter the lane at once. */
  isIdle(lane: string): boolean {
    return this.#lines.get(lane)?.isIdle ?? true;
  }

  /** How many calls wait for their turn in a lane, over all lanes. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves to a place in the lane, or to why there is none; never rejects. */
  async enter(lane: string, patience: Patience): Promise<Place> {
    const line = this.#line(lane);
    if (!line.isIdle && this.#waiting >= this.#maxWaiting) return { had: false, why: 'full' };
    this.#waiting += 1;
    const place = await line.enter(patience);
    this.#waiting -= 1;
    if (!place.had) {
      this.#forget(lane, line);
      return place;
    }
    return {
      had: true,
      leave: () => {
        place.leave();
        this.#forget(lane, line);
      },
    };
  }

  #forget(lane: string, line: Line): void {
    if (line.isIdle) this.#lines.delete(lane);
  }

  #line(lane: string): Line {
    const known = this.#lines.get(lane);
    if (known !== undefined) return known;
    const line = new Line(1, this.#maxWaiting);
    this.#lines.set(lane, line);
    return line;
  }
}
