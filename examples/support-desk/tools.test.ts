import { startDownstream, verifyTool } from 'forthright/testing';
import { expect, test } from 'vitest';
import { startBilling } from './billing-server.ts';
import { deskTools } from './tools.ts';

const cases = [
  {
    name: 'refund_order',
    input: { orderId: 4512, amountCents: 1, reason: 'late delivery' },
    reworded: { orderId: 4512, amountCents: 1, reason: 'it was delivered late' },
    other: { orderId: 4512, amountCents: 2, reason: 'late delivery' },
  },
  {
    name: 'set_address',
    input: { orderId: 4512, address: '1 Long Lane' },
    other: { orderId: 4512, address: '2 Long Lane' },
  },
] as const;

test.each(cases)('$name keeps its promises to a billing that does not', async (given) => {
  const billing = await startBilling();
  const downstream = await startDownstream({ to: billing.url });
  try {
    const tool = deskTools({ billingUrl: downstream.url }).find(({ name }) => name === given.name);
    if (tool === undefined) throw new Error(`there is no ${given.name}`);
    const report = await verifyTool({
      tool,
      ...given,
      downstream,
      context: { customer: billing.book.order(4512)?.customer ?? '' },
      watchMs: 150,
    });
    expect(report.text).toContain('nothing is broken');
    expect(report.findings).toEqual([]);
    expect(report.scenarios.filter(({ came }) => came !== 'good')).toEqual([]);
  } finally {
    await downstream.close();
    await billing.close();
  }
});
