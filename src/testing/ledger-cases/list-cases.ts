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
    name: 'list: newest first, page by page, the same entries the other way round',
    async play({ ledger, advance }) {
      const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
      await Promise.all(names.slice(0, 7).map((name) => claimed(ledger, name)));
      await advance(pastShortMs);
      await Promise.all(names.slice(7).map((name) => claimed(ledger, name)));
      const oldestFirst = await keysOf(ledger, {});
      const pages: Entry[] = [];
      for (;;) {
        const after = pages.at(-1);
        const query = { newestFirst: true, limit: 5, ...(after && { after }) } as const;
        const page = await ledger.list(query);
        pages.push(...page);
        if (page.length < 5) break;
      }
      assert.deepEqual(
        pages.map(({ key }) => key),
        oldestFirst.toReversed(),
      );
    },
  },
  {
    name: 'list: by the beginning of the key, and by time',
    async play({ ledger, advance }) {
      const first = await claimed(ledger, 'a');
      await advance(pastShortMs);
      const second = await claimed(ledger, 'b', { scope: 'two' });
      const all = [first.key, second.key];
      assert.deepEqual(await keysOf(ledger, { keyStart: '' }), all);
      assert.deepEqual(await keysOf(ledger, { keyStart: first.key.slice(0, 8) }), [first.key]);
      assert.deepEqual(await keysOf(ledger, { keyStart: second.key, scope: 'two' }), [second.key]);
      assert.deepEqual(await keysOf(ledger, { keyStart: first.key, scope: 'two' }), []);
      assert.deepEqual(await keysOf(ledger, { keyStart: 'x' }), []);
      const atMs = second.createdAtMs;
      assert.deepEqual(await keysOf(ledger, { createdFromMs: atMs }), [second.key]);
      assert.deepEqual(await keysOf(ledger, { createdBeforeMs: atMs }), [first.key]);
      const span = { createdFromMs: first.createdAtMs, createdBeforeMs: atMs + 1 };
      assert.deepEqual(await keysOf(ledger, { ...span, newestFirst: true }), all.toReversed());
      assert.deepEqual(await keysOf(ledger, { ...span, scope: 'two' }), [second.key]);
    },
  },
  {
    name: 'list: what failed, alone and among other states',
    async play(stage) {
      const { ledger } = stage;
      const { key: ok } = await happened(ledger, 'a');
      await ledger.fail(unsent(await claimed(ledger, 'b')));
      const { key: verdict } = await failedByVerdict(stage, 'c');
      const failed = [keyOf('b'), verdict].toSorted(await order(ledger));
      assert.deepEqual(await keysOf(ledger, { states: ['failed'] }), failed);
      assert.equal((await keysOf(ledger, { states: ['failed', 'ok'] })).length, 3);
      assert.deepEqual(await keysOf(ledger, { states: ['ok'] }), [ok]);
      // A claim takes it out of the failed again.
      await claimed(ledger, 'b', { attemptId: 'again' });
      assert.deepEqual(await keysOf(ledger, { states: ['failed'] }), [verdict]);
    },
  },
  {
    name: 'tally: counts by slice of time and by state, with how long settling took',
    async play(stage) {
      const { ledger, advance } = stage;
      const nothing = { counted: 0, oldestMs: null, slices: [], p50Ms: null, p99Ms: null };
      const all = { fromMs: 0, sliceMs: 86_400_000, most: 100 };
      assert.deepEqual(await ledger.tally(all), nothing);
      const first = await happened(ledger, 'a');
      await ledger.fail(unsent(await claimed(ledger, 'b')));
      await advance(pastShortMs);
      const slow = await dispatched(ledger, 'c');
      await advance(pastShortMs);
      await ledger.complete(answerTo(slow));
      const last = await claimed(ledger, 'd');
      const tally = await ledger.tally({ ...all, fromMs: first.createdAtMs });
      assert.equal(tally.counted, 4);
      assert.equal(tally.oldestMs, first.createdAtMs);
      assert.deepEqual(tally.slices, [
        { slice: 0, state: 'claimed', count: 1 },
        { slice: 0, state: 'failed', count: 1 },
        { slice: 0, state: 'ok', count: 2 },
      ]);
      const { settledAtMs, firstSentAtMs } = (await ledger.get(slow.key)) as Entry;
      assert.equal(tally.p99Ms, (settledAtMs ?? 0) - (firstSentAtMs ?? 0));
      assert.ok(tally.p50Ms !== null && tally.p50Ms < (tally.p99Ms ?? 0));
      const later = { fromMs: slow.createdAtMs, sliceMs: 1, most: 100 };
      const { slices } = await ledger.tally(later);
      assert.deepEqual(slices[0], { slice: 0, state: 'ok', count: 1 });
      assert.equal(slices.at(-1)?.slice, last.createdAtMs - slow.createdAtMs);
      const newest = await ledger.tally({ ...all, most: 1 });
      assert.deepEqual([newest.counted, newest.oldestMs], [1, last.createdAtMs]);
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
    name: 'purge: a key that was forgotten may be claimed as if it were new, and its record tells it apart',
    async play({ ledger, advance }) {
      const first = await claimed(ledger, 'a');
      await ledger.fail(unsent(first));
      await advance(pastShortMs);
      assert.equal(await ledger.purge(0), 1);
      const anew = await claimed(ledger, 'a', { attemptId: 'anew' });
      assert.equal(anew.generation, 1);
      assert.ok(anew.createdAtMs > first.createdAtMs, 'the key on the wire is made of it');
      const again = await failedAndClaimed(ledger, anew);
      assert.equal(again.createdAtMs, anew.createdAtMs, 'another attempt is not another record');
    },
  },
];

/** The next attempt at an entry that ended unsent. */
async function failedAndClaimed(ledger: Ledger, entry: Entry): Promise<Entry> {
  await ledger.fail(unsent(entry));
  return claimed(ledger, 'a', { attemptId: 'once more' });
}

/** Entries of one millisecond stand in the order of their keys. */
async function order(ledger: Ledger): Promise<(a?: string, b?: string) => number> {
  const all = await keysOf(ledger, {});
  return (a = '', b = '') => all.indexOf(a) - all.indexOf(b);
}
