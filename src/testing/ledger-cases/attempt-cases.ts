import assert from 'node:assert/strict';
import {
  answerTo,
  claimed,
  claimOf,
  dispatched,
  entryNow,
  expectKind,
  failedByVerdict,
  keyOf,
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

const other = { attemptId: 'another attempt' };

/** fail, mark, withdraw, give up, renew, note: what the owner of an attempt may do. */
export const attemptCases: readonly LedgerCase[] = [
  {
    name: 'fail: ends a claim that sent nothing, and only that',
    async play({ ledger }) {
      const entry = await claimed(ledger, 'a');
      const failed = expectKind(await ledger.fail(unsent(entry)), 'done').entry;
      assert.deepEqual([failed.state, failed.failedBy], ['failed', 'unsent']);
      assert.deepEqual([failed.result, failed.leaseUntilMs], ['nothing was sent', null]);
      assert.ok(failed.settledAtMs !== null);
      assert.equal(await ledger.holder(entry.lane), undefined);
      const sent = await dispatched(ledger, 'b');
      assert.deepEqual(expectKind(await ledger.fail(unsent(sent)), 'refused').entry, sent);
    },
  },
  {
    name: 'mark: says that a request may leave, until when, and how long it may matter',
    async play({ ledger }) {
      const entry = await claimed(ledger, 'a');
      const request = markOf(entry, { leaseMs: 5_000, sendWindowMs: 1_000, patienceMs: 90_000 });
      const sent = expectKind(await ledger.mark(request), 'done').entry;
      const nowMs = sent.updatedAtMs;
      assert.deepEqual([sent.state, sent.unproven, sent.marked], ['dispatched', 1, true]);
      assert.equal(sent.leaseUntilMs, nowMs + 5_000);
      assert.equal(sent.sendByMs, nowMs + 1_000);
      assert.equal(sent.patientUntilMs, nowMs + 91_000);
      assert.equal(sent.firstSentAtMs, nowMs);
      assert.deepEqual(await entryNow(ledger, entry), sent);
    },
  },
  {
    name: 'mark: is granted once, to the attempt that claimed',
    async play({ ledger }) {
      const entry = await claimed(ledger, 'a');
      const wrong = markOf({ ...entry, token: entry.token + 1 });
      assert.deepEqual(expectKind(await ledger.mark(wrong), 'refused').entry, entry);
      const { entry: sent } = expectKind(await ledger.mark(markOf(entry)), 'done');
      assert.deepEqual(expectKind(await ledger.mark(markOf(entry)), 'refused').entry, sent);
    },
  },
  {
    name: 'a key that nobody claimed has no attempts',
    async play({ ledger }) {
      const ref = { key: keyOf('none'), token: 1 };
      for (const answer of [
        await ledger.fail(unsent(ref)),
        await ledger.mark(markOf(ref)),
        await ledger.withdraw(unsent(ref)),
        await ledger.giveUp(ref),
        await ledger.complete(answerTo({ ...ref, generation: 1 })),
        await ledger.note({ ...ref, note: '' }),
        await ledger.renew({ ...ref, leaseMs: 1, patienceMs: 1 }),
        await ledger.ask({ key: ref.key, holdMs: 1 }),
        await ledger.askAgain({ ...markOf(ref), attemptId: 'x', remoteKeyMs: longMs }),
      ]) {
        assert.deepEqual(answer, { kind: 'refused', entry: null });
      }
      assert.deepEqual(await ledger.settle(verdict(ref, 'happened')), { kind: 'no_entry' });
      await ledger.tell(ref.key);
      await ledger.announced(ref.key, 1);
      assert.equal(await ledger.get(ref.key), undefined);
    },
  },
  {
    name: 'withdraw: claimed, dispatched or unknown, it was never sent; and so however often it is said',
    async play({ ledger }) {
      const claim = await claimed(ledger, 'claimed');
      const sent = await dispatched(ledger, 'dispatched');
      const lost = await dispatched(ledger, 'unknown');
      await ledger.giveUp(lost);
      for (const entry of [claim, sent, lost]) {
        const { entry: ended } = expectKind(await ledger.withdraw(unsent(entry)), 'done');
        assert.deepEqual([ended.state, ended.failedBy], ['failed', 'unsent']);
        assert.deepEqual([ended.unproven, ended.marked], [0, false]);
        assert.equal(ended.announce, entry === lost, 'an unknown outcome may have been told');
        assert.equal(await ledger.holder(entry.lane), undefined);
        const again = expectKind(await ledger.withdraw(unsent(entry)), 'done');
        assert.deepEqual(again.entry, ended);
      }
    },
  },
  {
    name: 'withdraw: what the model is not told, the host is still to be told',
    async play({ ledger }) {
      const [told, untold] = [await dispatched(ledger, 'told'), await dispatched(ledger, 'untold')];
      const first = expectKind(await ledger.withdraw({ ...unsent(told), told: true }), 'done');
      const second = expectKind(await ledger.withdraw({ ...unsent(untold), told: false }), 'done');
      assert.deepEqual([first.entry.announce, second.entry.announce], [false, true]);
    },
  },
  {
    name: 'withdraw: does not undo proof, nor a verdict',
    async play(stage) {
      const { ledger } = stage;
      const proven = await dispatched(ledger, 'proven');
      const { entry: done } = expectKind(await ledger.complete(answerTo(proven)), 'done');
      assert.deepEqual(expectKind(await ledger.withdraw(unsent(proven)), 'refused').entry, done);
      const judged = await failedByVerdict(stage, 'judged');
      const { entry } = expectKind(await ledger.withdraw(unsent(judged)), 'done');
      assert.deepEqual([entry.state, entry.failedBy], ['failed', 'verdict']);
      assert.deepEqual([entry.unproven, entry.marked], [0, false]);
    },
  },
  {
    name: 'withdraw: of a second asking does not undo the verdict that came first',
    async play(stage) {
      const { ledger, advance } = stage;
      const first = await unknown(stage, 'a');
      const mark = markOf(first, { leaseMs: shortMs, patienceMs: shortMs });
      const again = { ...mark, attemptId: 'again', remoteKeyMs: longMs };
      const second = expectKind(await ledger.askAgain(again), 'done').entry;
      await advance(pastShortMs);
      expectKind(await ledger.settle(verdict(second, 'did_not_happen')), 'settled');
      const { entry } = expectKind(await ledger.withdraw(unsent(second)), 'done');
      assert.deepEqual([entry.state, entry.unproven], ['failed', 1]);
    },
  },
  {
    name: 'give up: no answer in time makes a sent write unknown, once',
    async play({ ledger }) {
      const sent = await dispatched(ledger, 'a');
      const { entry } = expectKind(await ledger.giveUp(sent), 'done');
      assert.deepEqual([entry.state, entry.leaseUntilMs, entry.unproven], ['unknown', null, 1]);
      assert.deepEqual(expectKind(await ledger.giveUp(sent), 'done').entry, entry);
      assert.deepEqual(await ledger.holder(sent.lane), entry);
      const claim = await claimed(ledger, 'b');
      expectKind(await ledger.giveUp(claim), 'refused');
    },
  },
  {
    name: 'renew: the owner of a lease keeps it',
    async play({ ledger, advance }) {
      const entry = await claimed(ledger, 'a', { leaseMs: shortMs });
      await advance(pastShortMs);
      const renewal = { ...unsent(entry), leaseMs: longMs, patienceMs: null };
      const renewed = expectKind(await ledger.renew(renewal), 'done').entry;
      assert.equal(renewed.leaseUntilMs, renewed.updatedAtMs + longMs);
      expectKind(await ledger.claim(claimOf('a', other)), 'in_progress');
    },
  },
  {
    name: 'renew: a send that is pending holds a negative verdict off, whoever came after it',
    async play(stage) {
      const { ledger, advance } = stage;
      const first = await unknown(stage, 'a');
      const mark = markOf(first, { leaseMs: shortMs, patienceMs: shortMs });
      const again = { ...mark, attemptId: 'again', remoteKeyMs: longMs };
      const second = expectKind(await ledger.askAgain(again), 'done').entry;
      await advance(pastShortMs);
      const pending = { ...unsent(first), leaseMs: longMs, patienceMs: longMs };
      const held = expectKind(await ledger.renew(pending), 'done').entry;
      assert.equal(held.leaseUntilMs, second.leaseUntilMs, 'the lease is not the older attempt’s');
      expectKind(await ledger.settle(verdict(first, 'did_not_happen')), 'too_early');
      const shorter = { ...pending, patienceMs: shortMs };
      const kept = expectKind(await ledger.renew(shorter), 'done').entry;
      assert.equal(kept.patientUntilMs, held.patientUntilMs, 'patience never gets shorter');
    },
  },
  {
    name: 'renew: an attempt that gave up has no lease any more; a settled entry has none to give',
    async play({ ledger }) {
      const sent = await dispatched(ledger, 'a');
      const renewal = { ...unsent(sent), leaseMs: longMs, patienceMs: null };
      await ledger.giveUp(sent);
      expectKind(await ledger.renew(renewal), 'refused');
      await ledger.complete(answerTo(sent));
      expectKind(await ledger.renew({ ...renewal, patienceMs: longMs }), 'refused');
    },
  },
  {
    name: 'renew: where nothing was sent, only the owner has a say, and nobody has to wait',
    async play({ ledger, advance }) {
      const first = await claimed(ledger, 'a', { leaseMs: shortMs });
      await advance(pastShortMs);
      const second = await claimed(ledger, 'a', other);
      const renewal = { leaseMs: longMs, patienceMs: longMs };
      expectKind(await ledger.renew({ ...unsent(first), ...renewal }), 'refused');
      const { entry } = expectKind(await ledger.renew({ ...unsent(second), ...renewal }), 'done');
      assert.equal(entry.patientUntilMs, null);
    },
  },
  {
    name: 'note: keeps the remote reference, also when the answer is in',
    async play({ ledger }) {
      const sent = await dispatched(ledger, 'a');
      const note = { ...unsent(sent), note: 're_1' };
      expectKind(await ledger.note(note), 'done');
      await ledger.complete(answerTo(sent));
      expectKind(await ledger.note({ ...note, note: 're_2' }), 'done');
      assert.equal((await entryNow(ledger, sent)).note, 're_2');
    },
  },
  {
    name: 'ask again: marks a send of its own, in the same generation, and its failing proves nothing',
    async play(stage) {
      const { ledger } = stage;
      const first = await unknown(stage, 'a');
      const again = { ...markOf(first), attemptId: 'again', remoteKeyMs: longMs };
      const second = expectKind(await ledger.askAgain(again), 'done').entry;
      assert.deepEqual([second.state, second.token, second.generation], ['dispatched', 2, 1]);
      assert.deepEqual([second.unproven, second.attemptId], [2, 'again']);
      assert.equal(second.firstSentAtMs, first.firstSentAtMs);
      expectKind(await ledger.askAgain(again), 'refused');
      const rejected = expectKind(await ledger.complete(rejectionOf(second)), 'done').entry;
      assert.deepEqual([rejected.state, rejected.unproven], ['unknown', 1]);
      const third = expectKind(await ledger.askAgain({ ...again, token: 2 }), 'done').entry;
      const withdrawn = expectKind(await ledger.withdraw(unsent(third)), 'done').entry;
      assert.deepEqual([withdrawn.state, withdrawn.unproven], ['unknown', 1]);
      assert.equal((await ledger.holder(first.lane))?.key, first.key);
    },
  },
  {
    name: 'ask again: the patience with the first send is not cut short by the second',
    async play(stage) {
      const { ledger } = stage;
      const sent = await dispatched(ledger, 'a');
      const first = expectKind(await ledger.giveUp(sent), 'done').entry;
      const again = { ...markOf(first, { patienceMs: shortMs }), attemptId: 'again' };
      const second = await ledger.askAgain({ ...again, remoteKeyMs: longMs });
      assert.equal(expectKind(second, 'done').entry.patientUntilMs, sent.patientUntilMs);
    },
  },
  {
    name: 'ask again: a verdict on both ends the asking too, and the next try starts from there',
    async play(stage) {
      const { ledger, advance } = stage;
      const first = await unknown(stage, 'a');
      const mark = markOf(first, { leaseMs: shortMs, patienceMs: shortMs });
      const again = { ...mark, attemptId: 'again', remoteKeyMs: longMs };
      const second = expectKind(await ledger.askAgain(again), 'done').entry;
      await advance(pastShortMs);
      expectKind(await ledger.settle(verdict(second, 'did_not_happen')), 'settled');
      const next = await claimed(ledger, 'a', other);
      assert.deepEqual([next.restsOn, next.unproven], ['failed', 2]);
      const { entry } = expectKind(await ledger.fail(unsent(next)), 'done');
      assert.deepEqual([entry.state, entry.failedBy, entry.unproven], ['failed', 'verdict', 2]);
    },
  },
  {
    name: 'ask again: only about what is unsettled, and while the remote still knows the key',
    async play(stage) {
      const { ledger } = stage;
      const about = (entry: { key: string; token: number }) => ({
        ...markOf(entry),
        attemptId: 'again',
        remoteKeyMs: longMs,
      });
      expectKind(await ledger.askAgain(about(await claimed(ledger, 'claimed'))), 'refused');
      expectKind(await ledger.askAgain(about(await dispatched(ledger, 'live'))), 'refused');
      expectKind(await ledger.askAgain(about(await failedByVerdict(stage, 'failed'))), 'refused');
      const open = await unknown(stage, 'open');
      expectKind(await ledger.askAgain({ ...about(open), token: open.token + 1 }), 'refused');
      expectKind(await ledger.askAgain({ ...about(open), remoteKeyMs: 5 }), 'refused');
      expectKind(await ledger.askAgain({ ...about(open), sendWindowMs: longMs }), 'refused');
      expectKind(await ledger.askAgain(about(open)), 'done');
    },
  },
  {
    name: 'ask: one at a time takes the turn to ask about an unsettled write',
    async play({ ledger, advance }) {
      const sent = await dispatched(ledger, 'a', {}, { leaseMs: shortMs });
      await advance(pastShortMs);
      const turn = { key: sent.key, holdMs: shortMs };
      const { entry } = expectKind(await ledger.ask({ ...turn, holdMs: longMs }), 'done');
      assert.deepEqual([entry.state, entry.asks], ['unknown', 1]);
      assert.equal(entry.askAtMs, entry.updatedAtMs + longMs);
      expectKind(await ledger.ask(turn), 'refused');
    },
  },
  {
    name: 'ask: the next turn comes when the time of the last one is over',
    async play(stage) {
      const { ledger, advance } = stage;
      const turn = { key: (await unknown(stage, 'a')).key, holdMs: shortMs };
      expectKind(await ledger.ask(turn), 'done');
      await advance(pastShortMs);
      assert.equal(expectKind(await ledger.ask(turn), 'done').entry.asks, 2);
    },
  },
  {
    name: 'ask: neither about what is settled, nor about what somebody works on, nor about what was never sent',
    async play({ ledger, advance }) {
      const fresh = await claimed(ledger, 'fresh', { leaseMs: shortMs });
      const live = await dispatched(ledger, 'live');
      const done = await dispatched(ledger, 'done');
      await ledger.complete(answerTo(done));
      await advance(pastShortMs);
      for (const { key } of [fresh, live, done]) {
        expectKind(await ledger.ask({ key, holdMs: 1 }), 'refused');
      }
    },
  },
  {
    name: 'ask: a repetition of an unknown write that lost its owner is unknown again',
    async play(stage) {
      const { ledger, advance } = stage;
      const { key } = await unknown(stage, 'a');
      await claimed(ledger, 'a', { ...other, mayRerun: true, leaseMs: shortMs });
      await advance(pastShortMs);
      assert.equal(expectKind(await ledger.ask({ key, holdMs: 1 }), 'done').entry.state, 'unknown');
    },
  },
];
