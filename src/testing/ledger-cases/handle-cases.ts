import assert from 'node:assert/strict';
import {
  answerTo,
  claimed,
  claimOf,
  dispatched,
  entryNow,
  expectKind,
  happened,
  keyOf,
  type LedgerCase,
  markOf,
  pastShortMs,
  shortMs,
  unknown,
} from './stage.ts';

/** Closing, opening again, and several handles on one store. */
export const handleCases: readonly LedgerCase[] = [
  {
    name: 'handles: what one has written, another one sees and goes on with',
    needsAnother: true,
    async play({ ledger, another }) {
      const second = await another();
      const entry = await claimed(ledger, 'a');
      assert.deepEqual(await entryNow(second, entry), entry);
      const { entry: sent } = expectKind(await second.mark(markOf(entry)), 'done');
      assert.deepEqual(await entryNow(ledger, entry), sent);
      const { entry: done } = expectKind(await ledger.complete(answerTo(entry)), 'done');
      assert.deepEqual(await entryNow(second, entry), done);
      expectKind(await second.claim(claimOf('a', { attemptId: 'again' })), 'already_done');
    },
  },
  {
    name: 'handles: an owner who was away too long is refused, though its lease was its own',
    needsAnother: true,
    async play({ ledger, another, advance }) {
      const second = await another();
      const paused = await claimed(ledger, 'a', { leaseMs: shortMs });
      await advance(pastShortMs);
      const sent = await dispatched(second, 'a', { attemptId: 'taken over' });
      const { entry } = expectKind(await ledger.mark(markOf(paused)), 'refused');
      assert.deepEqual(entry, sent);
    },
  },
  {
    name: 'handles: all is there after closing and opening again',
    needsAnother: true,
    async play(stage) {
      const { ledger, another } = stage;
      const done = await happened(ledger, 'done', { turn: 't', replayMs: 5 });
      const lost = await unknown(stage, 'lost', { lane: 'order:7' });
      await ledger.note({ key: lost.key, token: lost.token, note: 'ré🙂' });
      const noted = await entryNow(ledger, lost);
      await ledger.close();
      const again = await another();
      assert.deepEqual(await entryNow(again, done), done);
      assert.deepEqual(await entryNow(again, lost), noted);
      assert.deepEqual(await again.holder('order:7'), noted);
      const variation = claimOf('variation', { lane: 'order:7' });
      expectKind(await again.claim(variation), 'lane_unsettled');
    },
  },
  {
    name: 'handles: closing waits for what was asked before, and refuses what comes after',
    needsAnother: true,
    async play({ ledger, another }) {
      const claims = ['a', 'b', 'c'].map((name) => claimed(ledger, name));
      const closing = ledger.close();
      await assert.rejects(ledger.claim(claimOf('d')));
      await assert.rejects(ledger.get(keyOf('a')));
      await Promise.all([...claims, closing, ledger.close()]);
      const again = await another();
      assert.equal((await again.list({})).length, 3);
    },
  },
];
