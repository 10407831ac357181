import { type Clock, systemClock } from '../call/clock.ts';
import type { StatusContract } from '../call/tool.ts';
import { checkContract } from './classify.ts';
import { defaultKeyHeader, type KeyFormat } from './key-header.ts';
import { checkHeaderName } from './prepare.ts';
import { type RetryOptions, type RetryPolicy, retryPolicy } from './retry.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';

/** How requests are keyed, bounded, classified and retried. Durations are milliseconds. */
export interface HttpOptions {
  /** The header that carries the key; `Idempotency-Key` if left out, `false` for none. */
  readonly keyHeader?: string | false;
  /** `bare` if left out, as most APIs take it; `quoted` as the IETF draft has it. */
  readonly keyFormat?: KeyFormat;
  /** Whether the remote system honours the key, so that a write may be sent again; false if left out. */
  readonly honoursKeys?: boolean;
  readonly contract?: StatusContract;
  readonly retry?: RetryOptions;
  /** Left out: one for the whole process. */
  readonly budget?: RetryBudget;
  /** The longest answer that is read, in bytes; 10 MiB if left out. A longer one proves nothing. */
  readonly maxBodyBytes?: number;
  /** How long one request may take, its waits and retries included; 60 s if left out. */
  readonly requestMaxMs?: number;
  readonly clock?: Clock;
  /** From 0 to 1; `Math.random` if left out. */
  readonly random?: () => number;
}

/** The options with their defaults. */
export interface HttpSettings {
  readonly keyHeader: string | false;
  readonly keyFormat: KeyFormat;
  readonly honoursKeys: boolean;
  readonly contract: StatusContract | undefined;
  readonly retry: RetryPolicy;
  readonly maxBodyBytes: number;
  readonly requestMaxMs: number;
  readonly clock: Clock;
}

const processBudget = createRetryBudget();

/** Fills in the defaults; throws a `RangeError` or `TypeError` that names what cannot be used. */
export function httpSettings(options: HttpOptions): HttpSettings {
  const { keyHeader = defaultKeyHeader, clock = systemClock, contract } = options;
  const { maxBodyBytes = 10 * 1024 * 1024, requestMaxMs = 60_000 } = options;
  if (!(maxBodyBytes >= 0 && requestMaxMs > 0)) {
    throw new RangeError('maxBodyBytes and requestMaxMs must be positive numbers.');
  }
  if (keyHeader !== false) checkHeaderName(keyHeader);
  checkContract(contract);
  return {
    keyHeader,
    keyFormat: options.keyFormat ?? 'bare',
    honoursKeys: options.honoursKeys ?? false,
    contract,
    retry: retryPolicy(options.retry, options.budget ?? processBudget, clock, options.random),
    maxBodyBytes,
    requestMaxMs,
    clock,
  };
}
