import { describe, expect, test } from 'vitest';
import type { Clock } from '../call/clock.ts';
import { answered } from '../call/evidence.ts';
import { Dispatcher } from './dispatcher.ts';

/** A dispatcher in a process whose clocks go on by so much while its mark is being written. */
function dispatcherFrozenFor(monotonicMs: number, wallMs: number = monotonicMs): Dispatcher {
  let passed = { monotonicMs: 0, wallMs: 0 };
  const clock: Clock = {
    nowMs: () => 1_700_000_000_000 + passed.wallMs,
    monotonicMs: () => passed.monotonicMs,
    after: () => () => undefined,
  };
  return new Dispatcher({
    clock,
    key: 'k-1',
    sendWindowMs: 1000,
    requestMaxMs: 1000,
    scope: { tool: 'refund', exemptHosts: new Set() },
    mark: async () => {
      passed = { monotonicMs, wallMs };
      return true;
    },
    onUnmarked: () => undefined,
  });
}

describe('a process that freezes while it marks', () => {
  test.each([
    ['by both clocks', 1000, 1000],
    ['in a machine that slept, so that its monotonic clock stood still', 1, 1000],
    ['whose wall clock was set back', 1000, -5000],
  ])(
    'sends nothing once the time for sending is over, %s, and the evidence says so',
    async (_name, monotonicMs, wallMs) => {
      const sent: string[] = [];
      const dispatcher = dispatcherFrozenFor(monotonicMs, wallMs);
      const dispatching = dispatcher.dispatch(async ({ key }) => answered(sent.push(key)));
      await expect(dispatching).rejects.toThrow(/time for sending/);
      expect(sent).toEqual([]);
      expect(dispatcher.record).toMatchObject({ left: true, evidence: { evidence: 'not_sent' } });
    },
  );

  test('sends where there is time left, and says so before each physical send', async () => {
    const allowed: boolean[] = [];
    const evidence = await dispatcherFrozenFor(999).dispatch(async ({ maySend }) => {
      allowed.push(maySend());
      return answered(1);
    });
    expect([allowed, evidence]).toEqual([[true], answered(1)]);
  });
});
