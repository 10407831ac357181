import { z } from 'zod';
import { type AnyTool, answered, ok, tool } from '../../src/index.ts';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';

/** A refund that takes a moment, and what was seen of it. */
export interface CountedRefunds {
  readonly refund: AnyTool;
  /** What it ran with, in order. */
  readonly ranWith: unknown[];
  /** The most that ran at the same time. */
  most(): number;
}

export function countedRefunds(): CountedRefunds {
  const ranWith: unknown[] = [];
  let running = 0;
  let most = 0;
  const refund = tool({
    name: 'refund_order',
    description: 'Refund an order.',
    input: z.object({ orderId: z.int(), part: z.int().optional() }),
    effect: 'write',
    lane: ({ orderId }) => `order:${orderId}`,
    async run(input, ctx) {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      await ctx.dispatch(async () => answered(ranWith.push(input)));
      running -= 1;
      return ok('Refunded.');
    },
  });
  return { refund, ranWith, most: () => most };
}

/** A model's answer that calls for refunds, by the texts of their arguments. */
export function refunds(...texts: readonly string[]): ScriptedAnswer {
  const calls = texts.map((text, index) => ({
    id: `call_${index}`,
    name: 'refund_order',
    arguments: text,
  }));
  return { calls };
}
