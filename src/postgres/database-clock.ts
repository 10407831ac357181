/**
 * The database's clock, as its last answer told it and this machine's monotonic clock has counted on
 * since: never ahead of it, and behind it by no more than the way of that answer.
 */
export class DatabaseClock {
  readonly #set: (() => number) | undefined;
  #heardMs = 0;
  #receivedMs = 0;

  /** `set`: a clock that a test sets instead. */
  constructor(set?: () => number) {
    this.#set = set;
  }

  /** What a test has set, if one has. */
  get setMs(): number | null {
    return this.#set?.() ?? null;
  }

  nowMs(): number {
    if (this.#set !== undefined) return this.#set();
    return Math.floor(this.#heardMs + (performance.now() - this.#receivedMs));
  }

  /** The database said what time it is. */
  heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#receivedMs = performance.now();
  }
}
