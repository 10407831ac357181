import { describe, expect, it } from 'vitest';
import { desk, Remote, refundTool } from '../../test/support/refunds.ts';
import { type DecodedCall, failed } from '../index.ts';

const call = {
  name: 'refund_order',
  arguments: '{"orderId":4512,"amountCents":2000}',
  scope: 'conversation-1',
};

describe('the guard of a call', () => {
  it('sees what was decoded, and lets it run by saying nothing', async () => {
    const remote = new Remote();
    const { runtime } = desk([refundTool(remote)]);
    const seen: DecodedCall[] = [];
    const { result } = await runtime.call({
      ...call,
      guard: (decoded) => void seen.push(decoded),
    });
    expect(result.outcome).toBe('ok');
    expect(seen).toMatchObject([
      { name: 'refund_order', args: { orderId: 4512, amountCents: 2000 }, ordinal: 1 },
    ]);
  });

  it('refuses with a failure of its own: nothing is claimed and nothing is sent', async () => {
    const remote = new Remote();
    const { runtime } = desk([refundTool(remote)]);
    const refusal = failed('approval_required', 'A person has to approve this first.');
    const { result, key } = await runtime.call({ ...call, guard: () => refusal });
    expect(result).toEqual(refusal);
    expect(key).toBeUndefined();
    expect(remote.effects).toEqual([]);
    expect(await runtime.entries({})).toEqual([]);
  });

  it('lets nothing run where it throws, and tells nothing of why', async () => {
    const remote = new Remote();
    const { runtime } = desk([refundTool(remote)]);
    const { result } = await runtime.call({
      ...call,
      guard: () => Promise.reject(new Error('postgres://user:hunter2@db')),
    });
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(remote.effects).toEqual([]);
  });

  it('is not asked about a call that could not be decoded', async () => {
    const { runtime } = desk([refundTool(new Remote())]);
    let asked = 0;
    const { result } = await runtime.call({
      ...call,
      arguments: '{"orderId":"ABC-12"}',
      guard: () => {
        asked += 1;
        return undefined;
      },
    });
    expect(result.outcome).toBe('failed');
    expect(asked).toBe(0);
  });
});
