import { describe, expect, test } from 'vitest';
import { desk, latch, ledgerWith, Remote, refundTool } from '../../test/support/refunds.ts';
import { answered, noEvidence, rejected } from '../call/evidence.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';

const order = { orderId: 4512, amountCents: 2000 };
const other = { orderId: 4512, amountCents: 1 };

describe('an idempotent tool', () => {
  test('A, then B, then A again: all three happen, each under its own wire key', async () => {
    const remote = new Remote();
    const { refund } = desk([refundTool(remote, { idempotent: true })]);
    for (const args of [order, other, order]) {
      expect(await refund(args)).toMatchObject({ outcome: 'ok' });
    }
    expect(new Set(remote.effects).size).toBe(3);
  });

  test('runs an unknown one again only once nothing is on its way, and falls back to unknown', async () => {
    let nowMs = 1000;
    const ledger = memoryLedger({ nowMs: () => nowMs });
    const remote = new Remote();
    remote.behave = async () => noEvidence('reset');
    const { refund } = desk([refundTool(remote, { idempotent: true })], { ledger });
    await refund(order);
    remote.behave = async () => rejected('no');
    expect(await refund(order)).toMatchObject({ code: 'still_confirming' });
    nowMs += 10 * 60_000;
    expect(await refund(order)).toMatchObject({ outcome: 'unknown' });
    expect(await refund(other)).toMatchObject({ code: 'lane_unsettled' });
    nowMs += 10 * 60_000;
    remote.behave = async (_key, commit) => answered(commit());
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(await refund(other)).toMatchObject({ outcome: 'ok' });
  });

  test.each(['a late answer', 'a webhook'])(
    'that was told unknown and done by %s is not checked to have failed because a later run did',
    async (how) => {
      const remote = new Remote();
      const answering = latch();
      remote.behave = async (_key, commit) => {
        const done = commit();
        await answering.opened;
        return how === 'a webhook' ? noEvidence('reset') : answered(done);
      };
      const tool = refundTool(remote, { idempotent: true, timeoutMs: 30 });
      const { refund, runtime, ledger } = desk([tool]);
      const told = await refund(order);
      expect(told.outcome).toBe('unknown');
      const ref = told.outcome === 'unknown' ? (told.ref ?? '') : '';
      if (how === 'a webhook')
        await runtime.settle(ref, 'happened', { by: 'webhook', why: 'it said so' });
      answering.open();
      await expect.poll(async () => (await ledger.get(ref))?.state).toBe('ok');
      const slow = ledgerWith(ledger, {
        mark: async () => {
          throw new Error('away');
        },
      });
      const later = desk([tool], { ledger: slow });
      expect((await later.refund(order)).outcome).toBe('failed');
      expect((await ledger.get(ref))?.state).toBe('failed');
      const { result } = await runtime.call({
        name: 'check_write',
        arguments: JSON.stringify({ ref }),
        scope: 'conversation-1',
      });
      expect(result).toMatchObject({ outcome: 'ok', data: { outcome: 'ok', again: 'failed' } });
    },
  );
});

test.each([
  { says: 'that it is idempotent', spec: { idempotent: true }, reports: [] },
  { says: 'nothing', spec: {}, reports: ['effect_doubled'] },
])(
  'two proofs of one write are reported unless its tool says that two runs are as good as one: it says $says',
  async ({ spec, reports }) => {
    let nowMs = 1000;
    const ledger = memoryLedger({ nowMs: () => nowMs });
    const remote = new Remote();
    const first = latch();
    remote.behave = async (_key, commit) => {
      const done = commit();
      if (remote.effects.length === 1) await first.opened;
      return answered(done);
    };
    const tool = refundTool(remote, { ...spec, timeoutMs: 60_000 });
    const slow = desk([tool], { ledger });
    const telling = slow.refund(order);
    await expect.poll(() => ledger.list({ states: ['dispatched'] })).toHaveLength(1);
    nowMs += 60 * 60_000;
    const { runtime, refund } = desk([tool], { ledger });
    expect(await refund(order)).toMatchObject({ outcome: spec.idempotent ? 'ok' : 'unknown' });
    if (!spec.idempotent) {
      const [entry] = await ledger.list({});
      const grounds = { by: 'operator', why: 'a mistake', lookedAtMs: nowMs };
      await runtime.settle(entry?.key ?? '', 'did_not_happen', grounds);
      expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    }
    first.open();
    expect(await telling).toMatchObject({ outcome: 'ok' });
    expect(slow.reports()).toEqual(reports);
  },
);

describe('a wanted repeat', () => {
  test('in a new turn of the user’s, once the one before is done', async () => {
    const remote = new Remote();
    const { refund, runtime } = desk([refundTool(remote, { repeat: true })]);
    expect(JSON.stringify(runtime.tools()[0]?.parameters)).toContain('occurrence');
    const second = { ...order, occurrence: 2 };
    expect(await refund(second, { turn: 1 })).toMatchObject({ code: 'repeat_not_allowed' });
    await refund(order, { turn: 1 });
    expect(await refund(second, { turn: 1 })).toMatchObject({ code: 'repeat_not_allowed' });
    expect(await refund(second)).toMatchObject({ code: 'repeat_not_allowed' });
    expect(await refund(second, { turn: 2 })).toMatchObject({ outcome: 'ok' });
    expect(await refund(second, { turn: 3 })).toMatchObject({ outcome: 'already_done' });
    expect(await refund({ ...order, occurrence: 4 }, { turn: 4 })).toMatchObject({
      code: 'repeat_not_allowed',
    });
    expect(remote.effects).toHaveLength(2);
  });

  test('by the tool’s own rule', async () => {
    const remote = new Remote();
    const asked: unknown[] = [];
    const repeat = {
      argument: 'nth',
      allow: (question: object) => {
        asked.push(question);
        return asked.length > 1;
      },
    };
    const { refund } = desk([refundTool(remote, { repeat })]);
    await refund({ ...order, nth: 1 });
    expect(await refund({ ...order, nth: 2 })).toMatchObject({ code: 'repeat_not_allowed' });
    expect(await refund({ ...order, nth: 2 })).toMatchObject({ outcome: 'ok' });
    expect(asked[0]).toMatchObject({ ordinal: 2, input: order, scope: 'conversation-1' });
    expect(remote.effects).toHaveLength(2);
  });

  test('not after one that is unknown', async () => {
    const remote = new Remote();
    remote.behave = async () => noEvidence('reset');
    const { refund } = desk([refundTool(remote, { repeat: { allow: () => true } })]);
    await refund(order);
    expect(await refund({ ...order, occurrence: 2 })).toMatchObject({ code: 'repeat_not_allowed' });
  });
});

describe('the replay window', () => {
  test('starts at the first telling; after it, the same call is a new write', async () => {
    let nowMs = 1000;
    const ledger = memoryLedger({ nowMs: () => nowMs });
    const clock = {
      nowMs: () => nowMs,
      monotonicMs: () => performance.now(),
      after: () => () => undefined,
    };
    const remote = new Remote();
    const { refund } = desk([refundTool(remote, { replayMs: 60_000 })], { ledger, clock });
    await refund(order);
    nowMs += 59_999;
    expect(await refund(order)).toMatchObject({ outcome: 'already_done' });
    nowMs += 1;
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(new Set(remote.effects).size).toBe(2);
  });
});
