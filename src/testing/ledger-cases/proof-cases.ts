import assert from 'node:assert/strict';
import {
  answerTo,
  claimed,
  claimOf,
  dispatched,
  entryNow,
  expectKind,
  failedByVerdict,
  happened,
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

/** complete, settle, tell, announced: what became of a write, and who knows. */
export const proofCases: readonly LedgerCase[] = [
  {
    name: 'complete: proof that it happened makes it ok, frees its lane, and may be said again',
    async play({ ledger }) {
      const sent = await dispatched(ledger, 'a');
      const { entry } = expectKind(await ledger.complete(answerTo(sent)), 'done');
      assert.deepEqual([entry.state, entry.result], ['ok', 'it happened']);
      assert.deepEqual([entry.provenToken, entry.unproven, entry.marked], [1, 0, false]);
      assert.deepEqual([entry.toldAtMs, entry.announce], [entry.settledAtMs, false]);
      assert.equal(await ledger.holder(sent.lane), undefined);
      assert.deepEqual(expectKind(await ledger.complete(answerTo(sent)), 'done').entry, entry);
    },
  },
  {
    name: 'complete: a late answer settles what was given up, and is to be announced',
    async play(stage) {
      const { ledger } = stage;
      const lost = await unknown(stage, 'a');
      const late = { ...answerTo(lost), told: false };
      const { entry } = expectKind(await ledger.complete(late), 'done');
      assert.deepEqual([entry.state, entry.toldAtMs, entry.announce], ['ok', null, true]);
      const told = expectKind(await ledger.complete(answerTo(lost)), 'done').entry;
      assert.ok(told.toldAtMs !== null);
      assert.equal(told.announce, false, 'the model knows it now');
    },
  },
  {
    name: 'complete: proof wins over a verdict, and over the next attempt before it sends',
    async play(stage) {
      const { ledger } = stage;
      const judged = await failedByVerdict(stage, 'a');
      const next = await claimed(ledger, 'a', other);
      const { entry } = expectKind(await ledger.complete(answerTo(judged)), 'done');
      assert.deepEqual([entry.state, entry.provenToken, entry.failedBy], ['ok', 1, null]);
      assert.deepEqual(expectKind(await ledger.mark(markOf(next)), 'refused').entry, entry);
      expectKind(await ledger.claim(claimOf('a', other)), 'already_done');
      expectKind(await ledger.settle(verdict(judged, 'did_not_happen')), 'not_settleable');
      assert.equal(await ledger.holder(judged.lane), undefined);
    },
  },
  {
    name: 'complete: a second attempt that proves it too may have doubled it',
    async play(stage) {
      const { ledger } = stage;
      const judged = await failedByVerdict(stage, 'a');
      const second = await dispatched(ledger, 'a', other);
      const { entry } = expectKind(await ledger.complete(answerTo(second)), 'done');
      const doubled = expectKind(await ledger.complete(answerTo(judged)), 'doubled');
      assert.deepEqual(doubled.entry, entry);
    },
  },
  {
    name: 'complete: what belongs to another generation proves nothing',
    async play({ ledger }) {
      const first = await dispatched(ledger, 'a');
      await ledger.complete(rejectionOf(first));
      const second = await claimed(ledger, 'a', other);
      const late = await ledger.complete(answerTo(first));
      assert.deepEqual(expectKind(late, 'refused').entry, second);
    },
  },
  {
    name: 'complete: a rejection means that nothing changed, and may be said again',
    async play({ ledger }) {
      const sent = await dispatched(ledger, 'a');
      const { entry } = expectKind(await ledger.complete(rejectionOf(sent)), 'done');
      assert.deepEqual([entry.state, entry.failedBy], ['failed', 'rejected']);
      assert.deepEqual([entry.result, entry.unproven], ['it was refused', 0]);
      assert.equal(await ledger.holder(sent.lane), undefined);
      assert.deepEqual(expectKind(await ledger.complete(rejectionOf(sent)), 'done').entry, entry);
    },
  },
  {
    name: 'complete: what may have been told to be unknown, or not done, is to be announced though the model is told',
    async play(stage) {
      const { ledger } = stage;
      const open = expectKind(await ledger.complete(answerTo(await unknown(stage, 'a'))), 'done');
      const judged = await failedByVerdict(stage, 'b');
      const denied = expectKind(await ledger.complete(answerTo(judged)), 'done');
      assert.deepEqual([open.entry.announce, denied.entry.announce], [true, true]);
      assert.notEqual(open.entry.toldAtMs, null, 'and the model is told all the same');
    },
  },
  {
    name: 'complete: a late rejection settles what was given up, and is to be announced',
    async play(stage) {
      const lost = await unknown(stage, 'a');
      const late = { ...rejectionOf(lost), told: false };
      const { entry } = expectKind(await stage.ledger.complete(late), 'done');
      assert.deepEqual([entry.state, entry.announce], ['failed', true]);
    },
  },
  {
    name: 'complete: a rejection proves nothing about an earlier send',
    async play(stage) {
      const { ledger } = stage;
      await failedByVerdict(stage, 'a');
      const second = await dispatched(ledger, 'a', other);
      const { entry } = expectKind(await ledger.complete(rejectionOf(second)), 'done');
      assert.deepEqual([entry.state, entry.unproven], ['unknown', 1]);
      assert.deepEqual(await ledger.holder(second.lane), entry, 'it keeps its lane');
    },
  },
  {
    name: 'complete: a rejection counts from the latest attempt only, and not against proof',
    async play(stage) {
      const { ledger } = stage;
      const judged = await failedByVerdict(stage, 'a');
      const second = await claimed(ledger, 'a', other);
      expectKind(await ledger.complete(rejectionOf(judged)), 'refused');
      expectKind(await ledger.complete(rejectionOf(second)), 'refused');
      const { entry: sent } = expectKind(await ledger.mark(markOf(second)), 'done');
      expectKind(await ledger.complete(rejectionOf(judged)), 'refused');
      await ledger.complete(answerTo(sent));
      expectKind(await ledger.complete(rejectionOf(sent)), 'refused');
      assert.equal((await entryNow(ledger, sent)).state, 'ok');
    },
  },
  {
    name: 'complete: a rejection after the verdict confirms it, so the next try is a new generation',
    async play(stage) {
      const { ledger } = stage;
      const judged = await failedByVerdict(stage, 'a');
      const { entry } = expectKind(await ledger.complete(rejectionOf(judged)), 'done');
      assert.deepEqual([entry.state, entry.failedBy, entry.unproven], ['failed', 'rejected', 0]);
      assert.equal(entry.result, judged.result);
      assert.equal((await claimed(ledger, 'a', other)).generation, 2);
    },
  },
  {
    name: 'settle: happened is believed wherever a send is unproven, and faster than the answer',
    async play(stage) {
      const { ledger } = stage;
      await dispatched(ledger, 'live');
      await unknown(stage, 'unknown');
      await failedByVerdict(stage, 'failed');
      await failedByVerdict(stage, 'retried');
      await claimed(ledger, 'retried', other);
      for (const name of ['live', 'unknown', 'failed', 'retried']) {
        const { key } = claimOf(name);
        const { entry } = expectKind(await ledger.settle(verdict({ key }, 'happened')), 'settled');
        assert.deepEqual([entry.state, entry.result], ['ok', 'settled: happened']);
        assert.deepEqual([entry.unproven, entry.toldAtMs, entry.announce], [0, null, true]);
        const { atMs, ...said } = entry.verdict ?? { atMs: null };
        assert.deepEqual(said, { verdict: 'happened', by: 'operator', why: 'looked it up' });
        assert.equal(atMs, entry.settledAtMs);
        assert.deepEqual(await entryNow(ledger, entry), entry);
        assert.equal(await ledger.holder(entry.lane), undefined);
      }
    },
  },
  {
    name: 'settle: the answer that comes after a webhook is the same write, not a second one',
    async play({ ledger }) {
      const sent = await dispatched(ledger, 'a');
      await ledger.settle(verdict(sent, 'happened'));
      const { entry } = expectKind(await ledger.complete(answerTo(sent)), 'done');
      assert.deepEqual([entry.provenToken, entry.announce], [1, false]);
      assert.equal(entry.result, 'settled: happened', 'the first answer stays');
    },
  },
  {
    name: 'settle: nothing is open where nothing was sent, or all is proven',
    async play({ ledger }) {
      const claim = await claimed(ledger, 'claimed');
      const failed = await claimed(ledger, 'failed');
      await ledger.fail(unsent(failed));
      const done = await happened(ledger, 'done');
      for (const entry of [claim, failed, done]) {
        for (const its of ['happened', 'did_not_happen'] as const) {
          expectKind(await ledger.settle(verdict(entry, its)), 'not_settleable');
        }
      }
    },
  },
  {
    name: 'settle: did not happen is not believed while the send may still take effect, nor while its owner lives',
    async play({ ledger, advance }) {
      const early = await dispatched(ledger, 'early');
      await ledger.giveUp(early);
      expectKind(await ledger.settle(verdict(early, 'did_not_happen')), 'too_early');
      const live = await dispatched(ledger, 'live', {}, { patienceMs: shortMs });
      await advance(pastShortMs);
      expectKind(await ledger.settle(verdict(live, 'did_not_happen')), 'not_settleable');
    },
  },
  {
    name: 'settle: did not happen is believed after that, and the lane is free',
    async play(stage) {
      const { ledger, advance } = stage;
      const gone = { leaseMs: shortMs, patienceMs: shortMs };
      const sent = await dispatched(ledger, 'a', {}, gone);
      await advance(pastShortMs);
      const { entry } = expectKind(await ledger.settle(verdict(sent, 'did_not_happen')), 'settled');
      assert.deepEqual([entry.state, entry.failedBy], ['failed', 'verdict']);
      assert.deepEqual([entry.result, entry.announce], ['settled: did_not_happen', true]);
      assert.equal(entry.unproven, 1, 'a verdict is no proof');
      assert.equal(await ledger.holder(sent.lane), undefined);
      expectKind(await ledger.settle(verdict(sent, 'did_not_happen')), 'not_settleable');
    },
  },
  {
    name: 'settle: did not happen does not count if it was looked up while the send could still take effect',
    async play(stage) {
      const { ledger } = stage;
      const lost = await unknown(stage, 'a');
      const tooEarly = { ...verdict(lost, 'did_not_happen'), lookedAtMs: lost.createdAtMs };
      expectKind(await ledger.settle(tooEarly), 'too_early');
      const lookedAtMs = lost.patientUntilMs ?? 0;
      expectKind(await ledger.settle({ ...tooEarly, lookedAtMs }), 'settled');
    },
  },
  {
    name: 'settle: a verdict on one generation does not reach the next',
    async play({ ledger }) {
      const first = await happened(ledger, 'a', { mayRerun: true });
      const next = await dispatched(ledger, 'a', { ...other, mayRerun: true });
      assert.equal(next.generation, first.generation + 1);
      const late = { ...verdict(first, 'happened'), generation: first.generation };
      expectKind(await ledger.settle(late), 'not_settleable');
      const due = { ...late, generation: next.generation };
      expectKind(await ledger.settle(due), 'settled');
    },
  },
  {
    name: 'settle: did not happen does not reach a repetition whose owner lives, and ends one whose owner is gone',
    async play(stage) {
      const { ledger, advance } = stage;
      const { key } = await unknown(stage, 'live');
      await claimed(ledger, 'live', { ...other, mayRerun: true });
      expectKind(await ledger.settle(verdict({ key }, 'did_not_happen')), 'not_settleable');
      const lost = await unknown(stage, 'lost');
      const again = await claimed(ledger, 'lost', { ...other, mayRerun: true, leaseMs: shortMs });
      await advance(pastShortMs);
      expectKind(await ledger.settle(verdict(lost, 'did_not_happen')), 'settled');
      expectKind(await ledger.mark(markOf(again)), 'refused');
      assert.equal(await ledger.holder(lost.lane), undefined);
    },
  },
  {
    name: 'tell: the first telling of a settled outcome counts, and only that',
    async play(stage) {
      const { ledger, advance } = stage;
      const lost = await unknown(stage, 'a', { replayMs: longMs });
      await ledger.tell(lost.key);
      assert.equal((await entryNow(ledger, lost)).toldAtMs, null);
      await ledger.complete({ ...answerTo(lost), told: false });
      await ledger.tell(lost.key);
      const first = await entryNow(ledger, lost);
      assert.ok(first.toldAtMs !== null);
      await advance(pastShortMs);
      await ledger.tell(lost.key);
      assert.deepEqual(await entryNow(ledger, lost), first);
    },
  },
  {
    name: 'announced: counts for the settlement that was announced, not for a later one',
    async play(stage) {
      const { ledger } = stage;
      const judged = await failedByVerdict(stage, 'a');
      await ledger.complete({ ...answerTo(judged), told: false });
      await ledger.announced(judged.key, judged.version);
      const proven = await entryNow(ledger, judged);
      assert.equal(proven.announce, true);
      await ledger.announced(judged.key, proven.version);
      assert.equal((await entryNow(ledger, judged)).announce, false);
    },
  },
];
