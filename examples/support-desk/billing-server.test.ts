import { afterEach, describe, expect, it } from 'vitest';
import { type BillingOptions, type BillingServer, startBilling } from './billing-server.ts';

let billing: BillingServer;
afterEach(() => billing.close());

async function started(options?: BillingOptions): Promise<BillingServer> {
  billing = await startBilling(options);
  return billing;
}

function refund(amountCents: number, key?: string): Promise<Response> {
  return fetch(`${billing.url}/refunds`, {
    method: 'POST',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: JSON.stringify({ orderId: 4512, amountCents }),
  });
}

describe('billing', () => {
  it('refunds, and counts', async () => {
    await started();
    expect((await refund(2000, 'a')).status).toBe(201);
    expect(billing.book.refunds).toEqual([
      { confirmation: 'R-1001', orderId: 4512, amountCents: 2000, key: 'a' },
    ]);
    const book = await (await fetch(`${billing.url}/book`)).json();
    expect(book).toMatchObject({ refunds: billing.book.refunds });
  });

  it('refuses what is more than was paid, and changes nothing', async () => {
    await started();
    for (const amountCents of [8001, 0, -1, 1.5]) {
      expect((await refund(amountCents)).status).toBe(400);
    }
    expect(billing.book.refunds).toEqual([]);
  });

  it('refunds twice under one key unless it honours keys', async () => {
    await started();
    await refund(2000, 'a');
    await refund(2000, 'a');
    expect(billing.book.refunds).toHaveLength(2);
    await billing.close();
    await started({ honoursKeys: true });
    const first = await (await refund(2000, 'a')).json();
    expect(await (await refund(2000, 'a')).json()).toEqual(first);
    expect(billing.book.refunds).toHaveLength(1);
  });

  it.each([
    ['lose_answer', 1, 'broken'],
    ['commit_then_503', 1, 503],
    ['503_without_commit', 0, 503],
    ['crash_before_commit', 0, 'broken'],
    ['crash_after_commit', 1, 'broken'],
  ] as const)('%s: %d refunds, %s', async (trouble, count, end) => {
    await started();
    billing.next(trouble);
    const status = await refund(2000).then(
      (response) => response.status,
      () => 'broken',
    );
    expect(status).toBe(end);
    expect(billing.book.refunds).toHaveLength(count);
  });

  it.each([
    ['hang_before_commit', 0],
    ['hang_after_commit', 1],
  ] as const)('%s: %d refunds until it is released', async (trouble, count) => {
    await started();
    billing.next(trouble);
    const answer = refund(2000);
    await billing.held();
    expect(billing.book.refunds).toHaveLength(count);
    billing.release();
    expect((await answer).status).toBe(201);
    expect(billing.book.refunds).toHaveLength(1);
  });

  it('keeps its book over a crash, and comes back on the same port', async () => {
    await started();
    const { url } = billing;
    billing.next('crash_after_commit');
    await refund(2000).catch(() => undefined);
    await expect(fetch(`${url}/book`)).rejects.toThrow();
    await billing.restart();
    expect(billing.url).toBe(url);
    expect((await refund(1000)).status).toBe(201);
    expect(billing.book.refundedCents(4512)).toBe(3000);
  });
});
