/** A stream of numbers that one seed fixes: mulberry32, which is small, fast and even enough here. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds start far apart.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    this.next();
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and without, `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** One of the things, as often as its weight says; undefined where all weights are 0. */
  weighed<T>(choices: readonly (readonly [thing: T, weight: number])[]): T | undefined {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [thing, weight] of choices) {
      left -= weight;
      if (left < 0) return thing;
    }
    return undefined;
  }
}
