import { describe, expect, it } from 'vitest';
import { isIntact, memoryApprovals, type PendingAction, pendingAction } from './approvals.ts';

const action = (id: string, orderId: number): PendingAction =>
  pendingAction({ id, scope: 'conversation-1', tool: 'refund_order' }, { orderId }, 'message-1');

describe('a pending action', () => {
  it('is bound to scope, tool and canonical arguments', () => {
    const { fingerprint } = action('a', 1);
    const call = { id: 'b', scope: 'conversation-1', tool: 'refund_order' };
    const other = (change: object, args: object = { orderId: 1 }) =>
      pendingAction({ ...call, ...change }, { ...args }, null).fingerprint;
    expect(other({})).toBe(fingerprint);
    expect(other({ scope: 'conversation-2' })).not.toBe(fingerprint);
    expect(other({ tool: 'cancel_order' })).not.toBe(fingerprint);
    expect(other({}, { orderId: 2 })).not.toBe(fingerprint);
  });

  it.each([
    ['other arguments', { arguments: '{"orderId":2}' }],
    ['no arguments', { arguments: '{"orderId":' }],
    ['another tool', { tool: 'cancel_order' }],
    ['another scope', { scope: 'conversation-2' }],
  ])('is not intact with %s', (_, change) => {
    expect(isIntact(action('a', 1))).toBe(true);
    expect(isIntact({ ...action('a', 1), ...change })).toBe(false);
  });
});

describe('memoryApprovals', () => {
  it('holds one action for one fingerprint, until it is taken', async () => {
    const approvals = memoryApprovals();
    expect(await approvals.hold(action('a', 1))).toMatchObject({ id: 'a' });
    expect(await approvals.hold(action('b', 1))).toMatchObject({ id: 'a' });
    expect(await approvals.take('a', 'conversation-1')).toMatchObject({ id: 'a' });
    expect(await approvals.take('a', 'conversation-1')).toBeUndefined();
    expect(await approvals.hold(action('c', 1))).toMatchObject({ id: 'c' });
  });

  it('hands nothing to another scope, and keeps it', async () => {
    const approvals = memoryApprovals();
    await approvals.hold(action('a', 1));
    expect(await approvals.take('a', 'conversation-2')).toBeUndefined();
    expect(await approvals.take('a', 'conversation-1')).toBeDefined();
  });

  it('takes no more than its bound', async () => {
    const approvals = memoryApprovals({ maxPending: 1 });
    await approvals.hold(action('a', 1));
    await expect(approvals.hold(action('b', 2))).rejects.toThrow('too many');
    expect(await approvals.hold(action('c', 1))).toMatchObject({ id: 'a' });
  });
});
