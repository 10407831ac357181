import assert from 'node:assert/strict';
import {
  answerTo,
  claimed,
  claimOf,
  dispatched,
  entryNow,
  expectKind,
  type LedgerCase,
  longMs,
  markOf,
  pastShortMs,
  rejectionOf,
  shortMs,
  unknown,
  unsent,
  verdict,
} from './stage.ts';

const lane = 'order:7';

/** The row that names who holds a lane. */
export const laneCases: readonly LedgerCase[] = [
  {
    name: 'lane: one write at a time, and who holds it is known',
    async play({ ledger }) {
      assert.equal(await ledger.holder(lane), undefined);
      const first = await claimed(ledger, 'a', { lane });
      assert.deepEqual(await ledger.holder(lane), first);
      const busy = expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_busy');
      assert.deepEqual(busy.holder, first);
      assert.equal(await ledger.get(claimOf('b').key), undefined, 'a refused claim leaves nothing');
      const { entry: sent } = expectKind(await ledger.mark(markOf(first)), 'done');
      expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_busy');
      await ledger.complete(answerTo(sent));
      await claimed(ledger, 'b', { lane });
    },
  },
  {
    name: 'lane: a failure frees it, before the send and after',
    async play({ ledger }) {
      await ledger.fail(unsent(await claimed(ledger, 'a', { lane })));
      await ledger.complete(rejectionOf(await dispatched(ledger, 'b', { lane })));
      await ledger.withdraw(unsent(await dispatched(ledger, 'c', { lane })));
      await claimed(ledger, 'd', { lane });
    },
  },
  {
    name: 'lane: other lanes go on',
    async play({ ledger }) {
      await dispatched(ledger, 'a', { lane });
      await dispatched(ledger, 'b', { lane: 'order:8' });
    },
  },
  {
    name: 'lane: an unknown write keeps it closed, until its answer comes',
    async play(stage) {
      const { ledger } = stage;
      const lost = await unknown(stage, 'a', { lane });
      const { holder } = expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_unsettled');
      assert.equal(holder.key, lost.key);
      await ledger.complete(answerTo(lost));
      await claimed(ledger, 'b', { lane });
    },
  },
  {
    name: 'lane: a sent write whose owner is gone keeps it closed',
    async play({ ledger, advance }) {
      await dispatched(ledger, 'a', { lane }, { leaseMs: shortMs });
      await advance(pastShortMs);
      expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_unsettled');
    },
  },
  {
    name: 'lane: a claim whose owner is gone loses it, and its late mark sends nothing',
    async play({ ledger, advance }) {
      const slow = await claimed(ledger, 'a', { lane, leaseMs: shortMs });
      await advance(pastShortMs);
      const quick = await dispatched(ledger, 'b', { lane });
      const refused = expectKind(await ledger.mark(markOf(slow)), 'refused');
      assert.deepEqual([refused.entry?.state, refused.entry?.failedBy], ['failed', 'unsent']);
      assert.deepEqual(await entryNow(ledger, slow), refused.entry);
      assert.deepEqual(await ledger.holder(lane), quick, 'and takes nobody’s lane away');
    },
  },
  {
    name: 'lane: a claim that lost it does not free it for others',
    async play({ ledger, advance }) {
      const slow = await claimed(ledger, 'a', { lane, leaseMs: shortMs });
      await advance(pastShortMs);
      const quick = await claimed(ledger, 'b', { lane });
      await ledger.fail(unsent(slow));
      assert.deepEqual(await ledger.holder(lane), quick);
    },
  },
  {
    name: 'lane: nor does a claim that lost it get it back by renewing its lease',
    async play({ ledger, advance }) {
      const slow = await claimed(ledger, 'a', { lane, leaseMs: shortMs });
      await advance(pastShortMs);
      await ledger.fail(unsent(await claimed(ledger, 'b', { lane })));
      await ledger.renew({ ...unsent(slow), leaseMs: 60_000, patienceMs: null });
      expectKind(await ledger.mark(markOf(slow)), 'refused');
    },
  },
  {
    name: 'lane: an entry is not in its own way',
    async play(stage) {
      const { ledger, advance } = stage;
      await claimed(ledger, 'a', { lane, leaseMs: shortMs });
      await advance(pastShortMs);
      await claimed(ledger, 'a', { lane, attemptId: 'taken over' });
      await unknown(stage, 'b', { lane: 'order:8' });
      await claimed(ledger, 'b', { lane: 'order:8', attemptId: 'again', mayRerun: true });
    },
  },
  {
    name: 'lane: an entry keeps the lane that it is in, whatever lane a later attempt asks for',
    async play({ ledger, advance }) {
      await claimed(ledger, 'a', { lane, leaseMs: shortMs });
      await advance(pastShortMs);
      const again = await claimed(ledger, 'a', { lane: 'order:8', attemptId: 'again' });
      assert.equal(again.lane, lane);
      assert.equal(await ledger.holder('order:8'), undefined);
      expectKind(await ledger.mark(markOf(again)), 'done');
    },
  },
  {
    name: 'lane: a failed entry goes to the lane that is asked for',
    async play({ ledger }) {
      await ledger.fail(unsent(await claimed(ledger, 'a', { lane })));
      const again = await dispatched(ledger, 'a', { lane: 'order:8', attemptId: 'again' });
      assert.deepEqual(await ledger.holder('order:8'), again);
      assert.equal(await ledger.holder(lane), undefined);
    },
  },
  {
    name: 'lane: a tool that opted out leaves it open, and its late answer closes nobody’s',
    async play(stage) {
      const { ledger } = stage;
      const lost = await unknown(stage, 'a', { lane, keepsLane: false });
      const next = await claimed(ledger, 'b', { lane });
      await ledger.complete(answerTo(lost));
      assert.deepEqual(await ledger.holder(lane), next);
    },
  },
  {
    name: 'lane: a tool that opted out leaves it open when its owner is gone',
    async play({ ledger, advance }) {
      await dispatched(ledger, 'a', { lane, keepsLane: false }, { leaseMs: shortMs });
      await advance(pastShortMs);
      await claimed(ledger, 'b', { lane });
    },
  },
  {
    name: 'lane: one that opted out and lost it does not ask again while another write holds it',
    async play(stage) {
      const { ledger } = stage;
      const lost = await unknown(stage, 'a', { lane, keepsLane: false });
      const again = { ...markOf(lost), attemptId: 'again', remoteKeyMs: 60_000 };
      const next = await claimed(ledger, 'b', { lane });
      expectKind(await ledger.askAgain(again), 'refused');
      await ledger.fail(unsent(next));
      const second = expectKind(await ledger.askAgain(again), 'done').entry;
      assert.deepEqual(await ledger.holder(lane), second);
    },
  },
  {
    name: 'lane: the repetition of an unknown write that lost its owner is not displaced',
    async play(stage) {
      const { ledger, advance } = stage;
      await unknown(stage, 'a', { lane });
      const again = { lane, attemptId: 'again', mayRerun: true, leaseMs: shortMs };
      await claimed(ledger, 'a', again);
      await advance(pastShortMs);
      expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_unsettled');
    },
  },
  {
    name: 'lane: proof of an earlier send leaves it closed while a repetition may still take effect',
    async play(stage) {
      const { ledger } = stage;
      const first = await unknown(stage, 'a', { lane });
      const again = { lane, attemptId: 'again', mayRerun: true };
      const second = await dispatched(ledger, 'a', again);
      const { entry } = expectKind(await ledger.complete(answerTo(first)), 'done');
      assert.deepEqual(await ledger.holder(lane), entry);
      expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_busy');
      const third = { ...again, attemptId: 'third' };
      expectKind(await ledger.claim(claimOf('a', third)), 'already_done');
      await ledger.complete(answerTo(second));
      await claimed(ledger, 'b', { lane });
    },
  },
  {
    name: 'lane: a repetition that is refused after the proof of an earlier send frees it',
    async play(stage) {
      const { ledger } = stage;
      await unknown(stage, 'a', { lane });
      const second = await dispatched(ledger, 'a', { lane, attemptId: 'again', mayRerun: true });
      expectKind(await ledger.settle(verdict(second, 'happened')), 'settled');
      expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_busy');
      expectKind(await ledger.complete(rejectionOf(second)), 'refused');
      await claimed(ledger, 'b', { lane });
    },
  },
  {
    name: 'lane: it opens in the end though nothing is heard of a repetition, unless that says that it is pending',
    async play(stage) {
      const { ledger, advance } = stage;
      await unknown(stage, 'a', { lane });
      const again = { lane, attemptId: 'again', mayRerun: true };
      const second = await dispatched(ledger, 'a', again, { patienceMs: shortMs });
      expectKind(await ledger.settle(verdict(second, 'happened')), 'settled');
      const renewal = { ...unsent(second), leaseMs: longMs, patienceMs: shortMs };
      await advance(pastShortMs);
      expectKind(await ledger.renew({ ...renewal, patienceMs: longMs / 2 }), 'done');
      expectKind(await ledger.claim(claimOf('b', { lane })), 'lane_busy');
      const other = { lane: 'order:8', attemptId: 'again', mayRerun: true };
      await unknown(stage, 'c', other);
      const lost = { ...other, attemptId: 'third' };
      await dispatched(ledger, 'c', lost, { patienceMs: shortMs });
      expectKind(await ledger.settle(verdict(claimOf('c'), 'happened')), 'settled');
      await advance(pastShortMs);
      await claimed(ledger, 'd', { lane: 'order:8' });
    },
  },
];
