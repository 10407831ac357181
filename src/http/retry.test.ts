import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../call/clock.ts';
import type { ExchangeEnd } from './classify.ts';
import { mayPass, retryAfterMs, retryPolicy, waitBeforeRetry } from './retry.ts';
import { createRetryBudget } from './retry-budget.ts';

const nowMs = Date.UTC(2026, 0, 5, 12, 0, 0);
const clock = { ...systemClock, nowMs: () => nowMs };
const policy = (options = {}, random = () => 1) =>
  retryPolicy(options, createRetryBudget(), clock, random);

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['3', 3000],
    [' 120 ', 120_000],
    ['Mon, 05 Jan 2026 12:00:07 GMT', 7000],
    ['Monday, 05-Jan-26 12:00:07 GMT', 7000],
    ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
    ['', undefined],
    [null, undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['2026-01-05', undefined],
    ['Mon, never', undefined],
  ])('%s is %s ms', (value, expected) => {
    expect(retryAfterMs(value, nowMs)).toBe(expected);
  });

  test('is a minimum, and one past the longest wait ends the retries', () => {
    expect(
      waitBeforeRetry(
        policy({}, () => 0),
        1,
        '2',
      ),
    ).toBe(2000);
    expect(
      waitBeforeRetry(
        policy({}, () => 1),
        1,
        '2',
      ),
    ).toBe(2250);
    expect(waitBeforeRetry(policy({ maxWaitMs: 1999 }), 1, '2')).toBeUndefined();
  });
});

describe('the wait', () => {
  test('doubles up to the longest, and ends with the last send', () => {
    const waits = [1, 2, 3, 4, 5].map((sent) =>
      waitBeforeRetry(policy({ maxSends: 5, baseMs: 100, maxWaitMs: 350 }), sent, null),
    );
    expect(waits).toEqual([100, 200, 350, 350, undefined]);
  });

  test('is anywhere from nothing to its bound', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (random, sent) => {
          const waitMs = waitBeforeRetry(
            policy({ maxSends: 10 }, () => random),
            sent,
            null,
          ) as number;
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(Math.min(10_000, 250 * 2 ** (sent - 1)));
        },
      ),
    );
  });

  test.each([
    [{ maxSends: 0 }],
    [{ maxSends: 1.5 }],
    [{ baseMs: -1 }],
    [{ maxWaitMs: Number.NaN }],
  ])('%o is refused', (options) => {
    expect(() => policy(options)).toThrow(RangeError);
  });
});

describe('what may pass', () => {
  const response = (
    status: number,
    body: 'complete' | 'truncated' | 'too_long' = 'complete',
  ): ExchangeEnd => ({
    end: 'response',
    status,
    body,
  });

  test.each([408, 425, 429, 500, 502, 503, 504])('%i may', (status) => {
    expect(mayPass(response(status), false)).toBe(true);
  });

  test.each([200, 202, 303, 400, 404, 422, 501])('%i may not', (status) => {
    expect(mayPass(response(status), true)).toBe(false);
  });

  test('409 may, where it tells of a key in progress', () => {
    expect(mayPass(response(409), true)).toBe(true);
    expect(mayPass(response(409), false)).toBe(false);
  });

  test('a body that broke off may; one that is too long stays so', () => {
    expect(mayPass(response(200, 'truncated'), true)).toBe(true);
    expect(mayPass(response(200, 'too_long'), true)).toBe(false);
  });
});

describe('the budget', () => {
  test('ends the retries to an origin while half of it is gone, and no other one’s', () => {
    const budget = createRetryBudget();
    for (let at = 0; at < 4; at += 1) budget.failed('a');
    expect(budget.allows('a')).toBe(true);
    budget.failed('a');
    expect(budget.allows('a')).toBe(false);
    expect(budget.allows('b')).toBe(true);
  });

  test('comes back a tenth at a time', () => {
    const budget = createRetryBudget();
    for (let at = 0; at < 20; at += 1) budget.failed('a');
    for (let at = 0; at < 50; at += 1) budget.succeeded('a');
    expect(budget.allows('a')).toBe(false);
    budget.succeeded('a');
    budget.succeeded('a');
    expect(budget.allows('a')).toBe(true);
  });

  test('forgets the origin that failed longest ago', () => {
    const budget = createRetryBudget({ tokens: 2 });
    for (let at = 0; at <= 1000; at += 1) budget.failed(`host${at}`);
    expect(budget.allows('host0')).toBe(true);
    expect(budget.allows('host1')).toBe(false);
  });
});
