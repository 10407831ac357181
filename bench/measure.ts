import { performance } from 'node:perf_hooks';

/** One thing that is timed. */
export interface Subject {
  readonly name: string;
  /** Does the work `count` times; what comes back is not looked at. */
  run(count: number): unknown;
}

/** What was seen of one subject. */
export interface Timing {
  readonly name: string;
  /** Of all rounds, per unit of work, in microseconds. */
  readonly medianUs: number;
  /** Between the first and the third quarter of the rounds, in microseconds. */
  readonly spreadUs: readonly [number, number];
  /** The median over the rounds of this subject's time over the first one's of the same round. */
  readonly ratio: number;
}

/** What is counted: the processor's time of this process, or time as it goes by. */
export type Clock = 'processor' | 'wall';

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** How long one subject runs in a round, about, in milliseconds. */
  readonly roundMs: number;
}

/**
 * Times subjects side by side: in each round each of them once, in turns, so that what disturbs the
 * machine disturbs all alike. The first one is what the others are compared with. What only computes
 * is counted by the processor's time, which others on the machine do not lengthen.
 */
export async function interleaved(
  subjects: readonly Subject[],
  { rounds, roundMs }: Effort,
  clock: Clock = 'processor',
): Promise<readonly Timing[]> {
  const counts = new Map<Subject, number>();
  for (const subject of subjects) await warmUp(subject);
  for (const subject of subjects) counts.set(subject, await countFor(subject, roundMs, clock));
  const times = new Map<Subject, number[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    // The order turns, so that nobody is always the one after the garbage of another.
    const turned = subjects.map((_, at) => subjects[(at + round) % subjects.length] as Subject);
    for (const subject of turned) {
      times.get(subject)?.push(await timed(subject, counts.get(subject) ?? 1, clock));
    }
  }
  const base = times.get(subjects[0] as Subject) ?? [];
  return subjects.map((subject) => {
    const own = times.get(subject) ?? [];
    const ratios = own.map((us, round) => us / (base[round] ?? Number.NaN));
    return {
      name: subject.name,
      medianUs: quantile(own, 0.5),
      spreadUs: [quantile(own, 0.25), quantile(own, 0.75)],
      ratio: quantile(ratios, 0.5),
    };
  });
}

const warmUpMs = 1_000;
const mostWarmUps = 20_000;

/** Code that has run for a while runs as it will: measured sooner, the compiler is measured. */
async function warmUp(subject: Subject): Promise<void> {
  const endMs = performance.now() + warmUpMs;
  for (let done = 0; done < mostWarmUps && performance.now() < endMs; done += 50) {
    await subject.run(50);
  }
}

/** How often a subject does its work in a round. */
async function countFor(subject: Subject, roundMs: number, clock: Clock): Promise<number> {
  for (let count = 1; ; count *= 2) {
    const us = await timed(subject, count, clock);
    if (us * count > roundMs * 500) return Math.max(1, Math.round((roundMs * 1000) / us));
  }
}

async function timed(subject: Subject, count: number, clock: Clock): Promise<number> {
  const startUs = clock === 'wall' ? performance.now() * 1000 : processorUs();
  await subject.run(count);
  const endUs = clock === 'wall' ? performance.now() * 1000 : processorUs();
  return (endUs - startUs) / count;
}

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** A quantile of numbers, between neighbours by the nearer one. */
function quantile(numbers: readonly number[], at: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * at)] ?? Number.NaN;
}
