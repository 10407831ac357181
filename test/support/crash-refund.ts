import { z } from 'zod';
import {
  type AnyTool,
  didNotHappen,
  happened,
  ok,
  type ReconcileCall,
  tool,
  type WriteCall,
} from '../../src/index.ts';

/** Where a refund is to be cut off: nowhere, or at a point from which it never goes on. */
export type Stop = 'nowhere' | 'before the mark' | 'after the mark';

/** How long the owner of an attempt that says nothing is taken to live, in milliseconds. */
export const leaseMs = 500;
/** When nothing that was sent can take effect any more: all bounds of the tool together, in milliseconds. */
export const patienceMs = 5_000 + 2_000 + 1_000;

const input = z.object({ orderId: z.int(), amountCents: z.int().positive() });

/** A refund at a billing server, which can be stopped on its way; `said` hears that it has been. */
export function crashingRefund(billing: string, stop: Stop, said: (what: string) => void): AnyTool {
  const stopAt = async (place: Stop): Promise<void> => {
    if (stop !== place) return;
    said(place);
    await new Promise(() => undefined);
  };
  return tool({
    name: 'refund_order',
    description: 'Refund part or all of an order.',
    input,
    effect: 'write',
    timeoutMs: 5_000,
    requestMaxMs: 2_000,
    marginMs: 1_000,
    async run(order: z.output<typeof input>, ctx: WriteCall<unknown>) {
      await stopAt('before the mark');
      if (stop === 'after the mark') {
        await ctx.dispatch(async () => (await stopAt('after the mark')) as never);
      }
      const body = JSON.stringify(order);
      const response = await ctx.fetch(`${billing}/refunds`, { method: 'POST', body });
      return ok('Refunded.', (await response.json()) as { confirmation: string });
    },
    async reconcile(_order: unknown, { key, signal }: ReconcileCall<unknown>) {
      const response = await fetch(`${billing}/refunds/${key}`, { signal });
      if (response.status === 404) return didNotHappen();
      return happened((await response.json()) as { confirmation: string });
    },
  });
}
