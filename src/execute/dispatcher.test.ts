import { describe, expect, test } from 'vitest';
import type { Clock } from '../call/clock.ts';
import { answered } from '../call/evidence.ts';
import { Dispatcher } from './dispatcher.ts';

/** A dispatcher in a process that freezes for `frozenMs` while its mark is being written. */
function dispatcherFrozenFor(frozenMs: number): Dispatcher {
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    after: () => () => undefined,
  };
  return new Dispatcher({
    clock,
    key: 'k-1',
    sendWindowMs: 1000,
    requestMaxMs: 1000,
    scope: { tool: 'refund', exemptHosts: new Set() },
    mark: async () => {
      nowMs += frozenMs;
      return true;
    },
    onUnmarked: () => undefined,
  });
}

describe('a process that freezes while it marks', () => {
  test('sends nothing once the time for sending is over, and the evidence says so', async () => {
    const sent: string[] = [];
    const dispatcher = dispatcherFrozenFor(1000);
    const dispatching = dispatcher.dispatch(async ({ key }) => answered(sent.push(key)));
    await expect(dispatching).rejects.toThrow(/time for sending/);
    expect(sent).toEqual([]);
    expect(dispatcher.record).toMatchObject({ left: true, evidence: { evidence: 'not_sent' } });
  });

  test('sends where there is time left, and says so before each physical send', async () => {
    const allowed: boolean[] = [];
    const evidence = await dispatcherFrozenFor(999).dispatch(async ({ maySend }) => {
      allowed.push(maySend());
      return answered(1);
    });
    expect([allowed, evidence]).toEqual([[true], answered(1)]);
  });
});
