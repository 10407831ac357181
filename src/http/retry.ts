import { type Clock, systemClock } from '../call/clock.ts';
import type { ExchangeEnd } from './classify.ts';
import type { RetryBudget } from './retry-budget.ts';

/** When and how often a request is sent again. Durations are milliseconds. */
export interface RetryOptions {
  /** How often it is sent in all; 3 if left out, 1 for never again. */
  readonly maxSends?: number;
  /** The longest first wait, doubled for each further one; 250 ms if left out. */
  readonly baseMs?: number;
  /** The longest wait; a `Retry-After` beyond it ends the retries. 10 s if left out. */
  readonly maxWaitMs?: number;
}

/** The options with their defaults, and what the waits depend on. */
export interface RetryPolicy extends Required<RetryOptions> {
  readonly budget: RetryBudget;
  readonly clock: Clock;
  /** From 0 to 1, as `Math.random`. */
  random(): number;
}

/** Fills in the defaults; throws a `RangeError` for what is not a number that can be used. */
export function retryPolicy(
  options: RetryOptions = {},
  budget: RetryBudget,
  clock: Clock = systemClock,
  random: () => number = Math.random,
): RetryPolicy {
  const { maxSends = 3, baseMs = 250, maxWaitMs = 10_000 } = options;
  if (!Number.isInteger(maxSends) || maxSends < 1) {
    throw new RangeError(`retry: maxSends must be a whole number from 1, not ${maxSends}.`);
  }
  if (!(baseMs >= 0 && maxWaitMs >= 0)) {
    throw new RangeError('retry: baseMs and maxWaitMs must be numbers from 0.');
  }
  return { maxSends, baseMs, maxWaitMs, budget, clock, random };
}

/** Statuses that may pass: a timeout, too early, too many, and the 5xx that are about now. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether sending the same again may end otherwise. 409 tells a keyed request to come later. */
export function mayPass(end: ExchangeEnd, keyed: boolean): boolean {
  if (end.end === 'withheld') return false;
  if (end.end === 'error' || end.body === 'truncated') return true;
  return end.body === 'complete' && (passing.has(end.status) || (keyed && end.status === 409));
}

/**
 * How long to wait before the next send, or undefined for no more of them. `sent` counts those that
 * were made. Exponential with full jitter; `Retry-After` (RFC 9110, section 10.2.3) is a minimum.
 */
export function waitBeforeRetry(
  policy: RetryPolicy,
  sent: number,
  retryAfter: string | null,
): number | undefined {
  if (sent >= policy.maxSends) return undefined;
  const backoffMs = policy.random() * Math.min(policy.maxWaitMs, policy.baseMs * 2 ** (sent - 1));
  const askedMs = retryAfterMs(retryAfter, policy.clock.nowMs());
  if (askedMs === undefined) return backoffMs;
  return askedMs > policy.maxWaitMs ? undefined : askedMs + backoffMs;
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from now; undefined for anything else. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Dates only of the form that HTTP has: Date.parse takes much that is none.
  if (!/^[A-Za-z]{3,9}, /.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
