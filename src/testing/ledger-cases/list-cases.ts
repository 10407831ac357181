import assert from 'node:assert/strict';
import type { Entry } from '../../ledger/entry.ts';
import type { EntryQuery, Ledger } from '../../ledger/ledger.ts';
import {
  answerTo,
  claimed,
  dispatched,
  failedByVerdict,
  happened,
  keyOf,
  type LedgerCase,
  longMs,
  pastShortMs,
  shortMs,
  unknown,
  unsent,
} from './stage.ts';

async function keysOf(ledger: Ledger, query: EntryQuery): Promise<readonly string[]> {
  return (await ledger.list(query)).map((entry) => entry.key);
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort(
    (a, b) => a.createdAtMs - b.createdAtMs || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
}

/** list, get, purge: what the ledger shows, and forgets. */
export const listCases: readonly LedgerCase[] = [
  {
    name: 'list: by scope, tool, lane, state and what is to be announced',
    async play(stage) {
      const { ledger } = stage;
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(keyOf);
      await claimed(ledger, 'a', { scope: 'one' });
      await happened(ledger, 'b', { scope: 'one', tool: 'send_mail' });
      await failedByVerdict(stage, 'c', { lane: 'order:7' });
      await unknown(stage, 'd', { lane: 'order:7' });
      assert.deepEqual(
        await keysOf(ledger, { scope: 'one' }),
        [a, b].toSorted(await order(ledger)),
      );
      assert.deepEqual(await keysOf(ledger, { tool: 'send_mail' }), [b]);
      assert.deepEqual(await keysOf(ledger, { lane: 'order:7' }), [c, d]);
      assert.deepEqual(await keysOf(ledger, { states: ['unknown', 'dispatched'] }), [d]);
      assert.deepEqual(await keysOf(ledger, { states: ['ok', 'unknown'] }), [b, d]);
      assert.deepEqual(await keysOf(ledger, { states: [] }), []);
      assert.deepEqual(await keysOf(ledger, { announce: true }), [c]);
      assert.deepEqual(await keysOf(ledger, { scope: 'one', states: ['ok'], tool: 'other' }), []);
      assert.equal((await ledger.list({})).length, 4);
    },
  },
  {
    name: 'list: gives whole entries, oldest first',
    async play({ ledger, advance }) {
      const first = await claimed(ledger, 'z');
      await advance(pastShortMs);
      const second = await dispatched(ledger, 'a');
      assert.deepEqual(await ledger.list({}), [first, second]);
    },
  },
  {
    name: 'list: goes on after the last entry of the page before, and misses none',
    async play({ ledger }) {
      const names = Array.from({ length: 23 }, (_, i) => `n${i}`);
      const entries = inOrder(await Promise.all(names.map((name) => claimed(ledger, name))));
      const pages: Entry[] = [];
      for (;;) {
        const last = pages.at(-1);
        const page = await ledger.list({
          limit: 5,
          ...(last === undefined ? {} : { after: last }),
        });
        assert.ok(page.length <= 5);
        pages.push(...page);
        if (page.length < 5) break;
      }
      assert.deepEqual(pages, entries);
    },
  },
  {
    name: 'list: at most a hundred where no limit is given',
    async play({ ledger }) {
      const names = Array.from({ length: 101 }, (_, i) => `n${i}`);
      await Promise.all(names.map((name) => claimed(ledger, name)));
      assert.equal((await ledger.list({})).length, 100);
      assert.equal((await ledger.list({ limit: 500 })).length, 101);
      assert.deepEqual(await ledger.list({ limit: 0 }), []);
    },
  },
  {
    name: 'purge: forgets what is settled, old and no longer replayed, and nothing else',
    async play(stage) {
      const { ledger, advance } = stage;
      await ledger.fail(unsent(await claimed(ledger, 'failed')));
      await happened(ledger, 'replayed out', { replayMs: shortMs });
      await happened(ledger, 'replayed', { replayMs: longMs });
      await happened(ledger, 'replayed for ever');
      const untold = await dispatched(ledger, 'untold', { replayMs: shortMs });
      await ledger.complete({ ...answerTo(untold), told: false });
      await failedByVerdict(stage, 'to be announced');
      await unknown(stage, 'unknown');
      await claimed(ledger, 'claimed');
      await advance(pastShortMs);
      assert.equal(await ledger.purge(longMs), 0, 'nothing is that old');
      assert.equal(await ledger.purge(shortMs), 2);
      assert.equal(await ledger.get(keyOf('failed')), undefined);
      assert.equal(await ledger.get(keyOf('replayed out')), undefined);
      assert.equal((await ledger.list({})).length, 6);
      assert.equal(await ledger.purge(shortMs), 0);
    },
  },
  {
    name: 'purge: a key that was forgotten may be claimed as if it were new',
    async play({ ledger, advance }) {
      await happened(ledger, 'a', { replayMs: shortMs });
      await advance(pastShortMs);
      assert.equal(await ledger.purge(0), 1);
      await claimed(ledger, 'a', { attemptId: 'anew' });
    },
  },
];

/** Entries of one millisecond stand in the order of their keys. */
async function order(ledger: Ledger): Promise<(a?: string, b?: string) => number> {
  const all = await keysOf(ledger, {});
  return (a = '', b = '') => all.indexOf(a) - all.indexOf(b);
}
