import type { Patience } from '../../src/execute/line.ts';
import { Lanes, pause, systemClock } from '../internals.ts';
import { type Effort, interleaved, type Subject, type Timing } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row } from '../row.ts';

const patience: Patience = { stops: [], onLate: () => () => undefined };

/** Enters and leaves so many lanes in turn, while all of them are held by somebody. */
async function laneTurns(name: string, count: number): Promise<Subject> {
  const lanes = new Lanes(1_000_000, systemClock);
  for (let lane = 0; lane < count; lane += 1) await lanes.enter(`busy:${lane}`, patience);
  let next = 0;
  return {
    name,
    async run(times) {
      for (let done = 0; done < times; done += 1) {
        next += 1;
        const place = await lanes.enter(`free:${next % count}`, patience);
        if (place.had) place.leave();
      }
    },
  };
}

const waiters = 10_000;

/** Bytes of the heap for each of ten thousand calls that wait for one lane. */
async function bytesPerWaiting(): Promise<number> {
  const lanes = new Lanes(1_000_000, systemClock);
  const first = await lanes.enter('lane', patience);
  await settled();
  const before = process.memoryUsage().heapUsed;
  const waiting = Array.from({ length: waiters }, () => {
    const over = new AbortController();
    return lanes.enter('lane', {
      stops: [over.signal],
      onLate: (task) => systemClock.after(600_000, task),
    });
  });
  await settled();
  const bytes = (process.memoryUsage().heapUsed - before) / waiters;
  if (first.had) first.leave();
  for (const one of waiting) {
    const place = await one;
    if (place.had) place.leave();
  }
  return bytes;
}

/** What nobody needs is gone. */
async function settled(): Promise<void> {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('the benchmark runs with --expose-gc');
  gc();
  await pause(systemClock, 50, new AbortController().signal);
  gc();
}

/** Many lanes, and many that wait. */
export const lanes: Row = {
  name: 'lanes',
  work: '100,000 lanes, 10,000 calls waiting',
  async measure(effort: Effort): Promise<Measured> {
    const few = '100 lanes';
    const many = '100,000 lanes';
    const timings: readonly Timing[] = await interleaved(
      [await laneTurns(few, 100), await laneTurns(many, 100_000)],
      effort,
    );
    const bytes = await bytesPerWaiting();
    const memory: Finding = {
      work: '10,000 calls waiting',
      ours: 'a call that waits',
      beside: 'bytes',
      value: bytes,
      aim: 'under 2,048',
      isMet: bytes < 2048,
    };
    const work = 'a turn in a lane, 100,000 others held';
    return {
      timings: { lanes: timings },
      findings: [atMost(timings, { work, ours: many, beside: few, most: 2 }), memory],
    };
  },
};
