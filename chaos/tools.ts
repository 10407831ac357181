import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type AnyTool,
  didNotHappen,
  type Finding,
  happened,
  notKnownYet,
  ok,
  type ReconcileCall,
  tool,
  type WriteCall,
} from '../src/index.ts';
import type { Random } from '../src/testing/simulator/random.ts';

/** The durations of the tools and of their runtime, in milliseconds. */
export interface Times {
  readonly timeoutMs: number;
  readonly requestMaxMs: number;
  readonly marginMs: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly reconcileEveryMs: number;
  /** No one asks twice within this time; in life it is longer, and grows. */
  readonly askHoldMs: number;
}

/** Short ones, times `pace`: how many times longer than usual this machine takes for anything. */
export function timesAt(pace: number): Times {
  return {
    timeoutMs: 400 * pace,
    requestMaxMs: 1_000 * pace,
    // Longer than billing takes at most, than a worker is paused, and than a busy machine holds anything up.
    marginMs: 3_000 * pace,
    leaseMs: 600 * pace,
    waitMs: 1_500 * pace,
    reconcileEveryMs: 1_000 * pace,
    askHoldMs: 1_500 * pace,
  };
}

type Input = z.output<typeof input>;

const input = z.object({ orderId: z.int(), amountCents: z.int().positive(), reason: z.string() });

/** A refund, of which billing takes each request as a new one, and a credit, for which it honours keys. */
export function billingTools(billing: string, random: Random, times: Times): readonly AnyTool[] {
  const write = {
    description: 'Gives money back for an order.',
    input,
    effect: 'write',
    key: { ignore: ['reason'] },
    lane: ({ orderId }: { orderId: number }) => `order:${orderId}`,
    timeoutMs: times.timeoutMs,
    requestMaxMs: times.requestMaxMs,
    marginMs: times.marginMs,
  } as const;
  const post = (ctx: WriteCall<unknown>, kind: string, body: object): Promise<Response> =>
    ctx.fetch(`${billing}/${kind}`, { method: 'POST', body: JSON.stringify(body) });
  async function lookUp(kind: string, { key, signal }: ReconcileCall<unknown>): Promise<Finding> {
    const response = await fetch(`${billing}/${kind}/${key}`, { signal });
    if (!response.ok) return notKnownYet();
    const { isKnown } = (await response.json()) as { isKnown: boolean };
    return isKnown ? happened() : didNotHappen();
  }
  const refund = tool({
    ...write,
    name: 'refund',
    async run({ orderId, amountCents }: Input, ctx: WriteCall<unknown>) {
      // Now and then the time is over before anything is sent.
      if (random.chance(0.03)) await sleep(times.timeoutMs + 50);
      const response = await post(ctx, 'refund', { orderId, amountCents });
      return ok('Refunded.', (await response.json()) as { done: string });
    },
    reconcile: (_input: Input, asked: ReconcileCall<unknown>) => lookUp('refund', asked),
  });
  const credit = tool({
    ...write,
    name: 'credit',
    remoteKeyMs: 3_600_000,
    async run({ orderId, amountCents }: Input, ctx: WriteCall<unknown>) {
      const response = await post(ctx, 'credit', { orderId, amountCents });
      return ok('Credited.', (await response.json()) as { done: string });
    },
    // For a while it is asked again by its key, now and then; then, since it would stay unknown if that
    // is refused, it is looked up until that is believed.
    async reconcile(_input: Input, asked: ReconcileCall<unknown>) {
      const isFresh =
        Date.now() - (asked.sentAtMs ?? 0) < 3 * (times.requestMaxMs + times.marginMs);
      return isFresh && random.chance(0.5) ? notKnownYet() : lookUp('credit', asked);
    },
  });
  return [refund, credit];
}
