import { describe, expect, test } from 'vitest';
import { happened, noEvidence, notSent } from '../src/call/evidence.ts';
import { failed, memoryLedger } from '../src/index.ts';
import { desk, latch, ledgerWith, Remote, refundTool } from './support/refunds.ts';

/* What the simulator found, as small as it gets. */

const order = { orderId: 4512, amountCents: 2000 };

describe('an attempt that was settled before it could tell that it is open', () => {
  const cases = [
    { verdict: 'happened', told: { outcome: 'already_done', data: { confirmation: 'r-1' } } },
    { verdict: 'did_not_happen', told: { outcome: 'failed', code: 'confirmed_not_done' } },
  ] as const;

  for (const { verdict, told } of cases) {
    test(`${verdict}: that is told, since the host has heard of it and nobody will tell it later`, async () => {
      let nowMs = 1_000_000;
      const ledger = memoryLedger({ nowMs: () => nowMs });
      const remote = new Remote();
      remote.behave = async (key) => {
        nowMs += 600_000;
        // The store's clock has moved past the lease: somebody else looks the write up.
        const [entry] = await ledger.list({});
        await ledger.ask({ key: entry?.key ?? key, holdMs: 1000 });
        await runtime.settle(entry?.key ?? key, verdict, {
          by: 'reconcile',
          why: 'asked',
          data: { confirmation: 'r-1' },
        });
        return noEvidence('503');
      };
      const { runtime, refund } = desk([refundTool(remote)], { ledger });
      expect(await refund(order)).toMatchObject(told);
    });
  }
});

test('a host whose clock is far behind asks about what a dead process left', async () => {
  const ledger = memoryLedger({ nowMs: () => storeMs });
  let storeMs = 10_000_000;
  const remote = new Remote();
  const hanging = latch();
  remote.behave = async () => {
    await hanging.opened;
    return noEvidence('never');
  };
  const tools = [
    refundTool(remote, { reconcile: () => happened({ confirmation: 'r-1' }) as never }),
  ];
  const dead = desk(tools, { ledger, leaseMs: 1_000_000 });
  void dead.refund(order);
  await expect.poll(() => ledger.list({ states: ['dispatched'] })).toHaveLength(1);
  storeMs += 2_000_000;
  const late = desk(tools, {
    ledger,
    clock: {
      nowMs: () => 0,
      monotonicMs: () => performance.now(),
      after: (delayMs, task) => {
        const timer = setTimeout(task, delayMs);
        return () => clearTimeout(timer);
      },
    },
    reconcileEveryMs: false,
  });
  expect(await late.runtime.reconcile()).toMatchObject({ asked: 1, settled: 1 });
  hanging.open();
});

test('a twin that waited is told already_done, also where the ledger cannot be read', async () => {
  const remote = new Remote();
  const answer = latch();
  remote.behave = async (_key, commit) => {
    const done = commit();
    await answer.opened;
    return { evidence: 'answered', value: done };
  };
  const ledger = memoryLedger();
  const blind = ledgerWith(ledger, { get: () => Promise.reject(new Error('no connection')) });
  const { refund } = desk([refundTool(remote, { twin: 'wait' })], { ledger: blind });
  const first = refund(order);
  const second = refund(order);
  answer.open();
  expect(await first).toMatchObject({ outcome: 'ok' });
  expect(await second).toMatchObject({ outcome: 'already_done', data: { confirmation: 'r-1' } });
});

test('an answer about an earlier write of the same key says nothing of the next one', async () => {
  const remote = new Remote();
  const first = latch();
  const asking = latch();
  const second = latch();
  remote.behave = async (_key, commit) => {
    if (remote.effects.length === 1) {
      await second.opened;
      return noEvidence('lost');
    }
    const done = commit();
    await first.opened;
    return { evidence: 'answered', value: done };
  };
  const address = refundTool(remote, {
    idempotent: true,
    timeoutMs: 30,
    async reconcile() {
      await asking.opened;
      return happened({ confirmation: 'r-1' });
    },
  });
  const { runtime, refund } = desk([address]);
  expect(await refund(order)).toMatchObject({ outcome: 'unknown' });
  const reconciling = runtime.reconcile();
  first.open();
  await expect.poll(() => runtime.entries({ states: ['ok'] })).toHaveLength(1);
  const again = refund(order);
  await expect
    .poll(() => runtime.entries({ states: ['dispatched', 'unknown'] }))
    .toMatchObject([{ generation: 2 }]);
  asking.open();
  await reconciling;
  expect(await runtime.entries({})).not.toMatchObject([{ state: 'ok' }]);
  second.open();
  expect(await again).toMatchObject({ outcome: 'unknown' });
  expect(remote.effects).toHaveLength(1);
});

test('what was told to be unknown and turns out never to have left is told to the host, whatever the ledger missed', async () => {
  const remote = new Remote();
  const held = latch();
  const ledger = memoryLedger();
  const forgetful = ledgerWith(ledger, {
    giveUp: () => Promise.reject(new Error('no connection')),
  });
  const slow = refundTool(remote, {
    timeoutMs: 30,
    run: async (_input, ctx) => {
      await ctx.dispatch(async () => {
        await held.opened;
        return notSent('no connection');
      });
      return failed('no', 'It did not work.') as never;
    },
  });
  const { runtime, refund } = desk([slow], { ledger: forgetful });
  const settled: unknown[] = [];
  runtime.onSettled((settlement) => settled.push(settlement));
  expect(await refund(order)).toMatchObject({ outcome: 'unknown' });
  held.open();
  await expect.poll(() => settled).toMatchObject([{ result: { outcome: 'failed' } }]);
});

test('an attempt that is overtaken by the next write of its key is not told what became of that one', async () => {
  const remote = new Remote();
  const hanging = latch();
  remote.behave = async (_key, commit) => {
    commit();
    await hanging.opened;
    return noEvidence('lost');
  };
  const leaving = new AbortController();
  const address = refundTool(remote, {
    idempotent: true,
    timeoutMs: 60,
    async run(_input, ctx) {
      if (remote.effects.length > 0) {
        leaving.abort();
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      }
      await ctx.dispatch(({ key }) => remote.receive(key));
      return failed('no', 'It did not work.') as never;
    },
  });
  const ledger = memoryLedger();
  const { runtime, refund } = desk([address], { ledger });
  const other = desk([address], { ledger });
  const first = refund(order);
  await expect.poll(() => ledger.list({ states: ['dispatched'] })).toHaveLength(1);
  const [entry] = await ledger.list({});
  await runtime.settle(entry?.key ?? '', 'happened', { by: 'webhook', why: 'it said so' });
  expect(await other.refund(order, { signal: leaving.signal })).toMatchObject({
    outcome: 'failed',
  });
  expect(await first).toMatchObject({ outcome: 'unknown' });
  hanging.open();
});
