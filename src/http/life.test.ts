import { describe, expect, test } from 'vitest';
import { systemClock } from '../call/clock.ts';
import { boundedLife, joinSignals } from './life.ts';

describe('the life of a request', () => {
  test('ends with any of its signals, for the same reason', () => {
    const one = new AbortController();
    const joined = joinSignals(new AbortController().signal, undefined, one.signal);
    expect(joined.signal.aborted).toBe(false);
    one.abort('enough');
    expect(joined.signal.reason).toBe('enough');
    expect(joinSignals(one.signal).signal.aborted).toBe(true);
  });

  test('no longer listens once the request is over', () => {
    const one = new AbortController();
    const joined = joinSignals(one.signal);
    joined.end();
    one.abort();
    expect(joined.signal.aborted).toBe(false);
  });

  test('ends after its bound, and takes its timer back', () => {
    const timers: (() => void)[] = [];
    const clock = {
      ...systemClock,
      after(_delayMs: number, task: () => void) {
        timers.push(task);
        return () => void timers.splice(timers.indexOf(task), 1);
      },
    };
    const short = boundedLife(clock, 50);
    const long = boundedLife(clock, 60_000);
    long.end();
    expect(timers).toHaveLength(1);
    timers[0]?.();
    expect(short.signal.aborted).toBe(true);
    expect(long.signal.aborted).toBe(false);
  });
});
