import type { Effort, Timing } from './measure.ts';

/** One line of the table: how a subject stands beside another one, and what was aimed at. */
export interface Finding {
  readonly work: string;
  readonly ours: string;
  readonly beside: string;
  /** Ours over the other's, in time; or what else `aim` is about. */
  readonly value: number;
  readonly aim: string;
  readonly isMet: boolean;
}

/** What a row came to. */
export interface Measured {
  readonly timings: Readonly<Record<string, readonly Timing[]>>;
  readonly findings: readonly Finding[];
  /** What could not be measured here, and why. */
  readonly left?: readonly string[];
}

/** One row of the benchmark. */
export interface Row {
  readonly name: string;
  readonly work: string;
  measure(effort: Effort, isLong: boolean): Promise<Measured>;
}

/** The finding that one timing is at most so many times another. */
export function atMost(
  timings: readonly Timing[],
  { work, ours, beside, most }: { work: string; ours: string; beside: string; most: number },
): Finding {
  const value = ratioOf(timings, ours, beside);
  return { work, ours, beside, value, aim: `at most ${most} ×`, isMet: value <= most };
}

/** How many times one timing is another. */
function ratioOf(timings: readonly Timing[], ours: string, beside: string): number {
  return timingOf(timings, ours).ratio / timingOf(timings, beside).ratio;
}

/** The timing of one subject. */
export function timingOf(timings: readonly Timing[], name: string): Timing {
  const found = timings.find((timing) => timing.name === name);
  if (found === undefined) throw new Error(`nothing is called ${name}`);
  return found;
}
