import assert from 'node:assert/strict';
import type { EntryEvent } from '../../ledger/history.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  answerTo,
  claimed,
  claimOf,
  dispatched,
  entryNow,
  expectKind,
  failedByVerdict,
  happened,
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

async function eventsOf(ledger: Ledger, key: string): Promise<readonly EntryEvent[]> {
  return (await ledger.history(key))?.events ?? [];
}

async function whatOf(ledger: Ledger, key: string): Promise<readonly string[]> {
  return (await eventsOf(ledger, key)).map(({ what, state }) => `${what} → ${state}`);
}

/** history: what a ledger remembers of how an entry came to be as it is. */
export const historyCases: readonly LedgerCase[] = [
  {
    name: 'history: each step of a write in its order, with its attempt and the state after it',
    async play({ ledger }) {
      const entry = await happened(ledger, 'a');
      const events = await eventsOf(ledger, entry.key);
      assert.deepEqual(
        events.map(({ atMs, ...event }) => event),
        [
          { what: 'claimed', token: 1, generation: 1, state: 'claimed' },
          { what: 'dispatched', token: 1, generation: 1, state: 'dispatched' },
          { what: 'answered', late: false, token: 1, generation: 1, state: 'ok' },
        ],
      );
      assert.equal(events[0]?.atMs, entry.createdAtMs);
      assert.equal(events[2]?.atMs, entry.settledAtMs);
      assert.equal((await ledger.history(entry.key))?.isCut, false);
      assert.equal(await ledger.history(keyOf('nobody')), undefined);
    },
  },
  {
    name: 'history: what ends unsent, is refused, given up, asked about, sent again and settled',
    async play(stage) {
      const { ledger } = stage;
      await ledger.fail(unsent(await claimed(ledger, 'a')));
      await ledger.mark(markOf(await claimed(ledger, 'a', { attemptId: 'again' })));
      await ledger.complete(rejectionOf({ key: keyOf('a'), token: 2, generation: 1 }));
      assert.deepEqual(await whatOf(ledger, keyOf('a')), [
        'claimed → claimed',
        'unsent → failed',
        'claimed → claimed',
        'dispatched → dispatched',
        'rejected → failed',
      ]);
      const open = await unknown(stage, 'b');
      await ledger.ask({ key: open.key, holdMs: longMs });
      const again = { ...markOf(open), attemptId: 'asking', remoteKeyMs: longMs };
      const marked = expectKind(await ledger.askAgain(again), 'done').entry;
      await ledger.giveUp(marked);
      await ledger.settle(verdict(open, 'happened'));
      const events = await eventsOf(ledger, open.key);
      assert.deepEqual(
        events.slice(2).map(({ what, token, state }) => `${what} ${token} → ${state}`),
        [
          'given_up 1 → unknown',
          'asked 1 → unknown',
          'sent_again 2 → dispatched',
          'given_up 2 → unknown',
          'settled 2 → ok',
        ],
      );
      const { atMs, ...settled } = events.at(-1) as EntryEvent;
      assert.deepEqual(settled, {
        what: 'settled',
        verdict: 'happened',
        by: 'operator',
        why: 'looked it up',
        token: 2,
        generation: 1,
        state: 'ok',
      });
    },
  },
  {
    name: 'history: an answer that came late, a second proof, and what is no news',
    async play(stage) {
      const { ledger } = stage;
      const open = await failedByVerdict(stage, 'a');
      await ledger.complete(answerTo(open));
      await ledger.complete(answerTo(open));
      await ledger.complete(answerTo({ ...open, token: 7 }));
      const events = await eventsOf(ledger, open.key);
      assert.deepEqual(
        events.slice(-3).map(({ what, token, state }) => `${what} ${token} → ${state}`),
        ['settled 1 → failed', 'answered 1 → ok', 'doubled 7 → ok'],
      );
      const answered = events.at(-2);
      assert.ok(answered?.what === 'answered' && answered.late);
    },
  },
  {
    name: 'history: every repeat, with what it was told, and the entry is left as it is',
    async play(stage) {
      const { ledger } = stage;
      const done = await happened(ledger, 'a');
      await ledger.claim(claimOf('a', { attemptId: 'second' }));
      await ledger.claim(claimOf('a', { attemptId: 'third', fingerprint: 'e'.repeat(64) }));
      await ledger.tell(done.key);
      await ledger.tell(done.key, 'check');
      await ledger.tell(done.key, 'twin');
      assert.deepEqual(await entryNow(ledger, done), done);
      const running = await dispatched(ledger, 'b');
      await ledger.claim(claimOf('b', { attemptId: 'second' }));
      await ledger.tell(running.key, 'twin');
      const open = await unknown(stage, 'c');
      await ledger.claim(claimOf('c', { attemptId: 'second' }));
      const told = async (key: string) =>
        (await eventsOf(ledger, key))
          .filter(({ what }) => what === 'repeated' || what === 'checked')
          .map((event) => (event.what === 'repeated' ? event.told : event.what));
      assert.deepEqual(await told(done.key), [
        'already_done',
        'key_conflict',
        'already_done',
        'checked',
        'in_progress',
      ]);
      assert.deepEqual(await told(running.key), ['in_progress', 'in_progress']);
      assert.deepEqual(await told(open.key), ['still_confirming']);
      await ledger.tell(keyOf('nobody'));
      assert.equal(await ledger.history(keyOf('nobody')), undefined);
    },
  },
  {
    name: 'tell: a twin, which is told that it is open, starts no replay window',
    async play({ ledger, advance }) {
      const entry = await dispatched(ledger, 'a', { replayMs: shortMs });
      await ledger.complete({ ...answerTo(entry), told: false });
      await ledger.tell(entry.key, 'twin');
      await advance(pastShortMs);
      assert.equal((await entryNow(ledger, entry)).toldAtMs, null);
    },
  },
  {
    name: 'history: keeps its beginning and its end where it grows too long, and says so',
    async play({ ledger }) {
      const entry = await claimed(ledger, 'a');
      for (let at = 0; at < 400; at += 50) {
        const fifty = Array.from({ length: 50 }, () => ledger.tell(entry.key, 'twin'));
        await Promise.all(fifty);
      }
      await ledger.mark(markOf(entry));
      const history = await ledger.history(entry.key);
      assert.ok(history?.isCut);
      assert.equal(history.events[0]?.what, 'claimed');
      assert.equal(history.events.at(-1)?.what, 'dispatched');
      assert.ok(history.events.length > 60 && history.events.length < 200);
    },
  },
  {
    name: 'history: is forgotten with its entry',
    async play({ ledger, advance }) {
      const { key } = await happened(ledger, 'a', { replayMs: shortMs });
      await advance(pastShortMs);
      assert.equal(await ledger.purge(0), 1);
      assert.equal(await ledger.history(key), undefined);
      await claimed(ledger, 'a', { attemptId: 'anew' });
      assert.deepEqual(await whatOf(ledger, key), ['claimed → claimed']);
    },
  },
  {
    name: 'settle: a verdict on what has been seen counts only while it is still so',
    async play(stage) {
      const { ledger } = stage;
      const seen = await unknown(stage, 'a');
      await ledger.settle({ ...verdict(seen, 'did_not_happen'), by: 'first', seen });
      const second = await ledger.settle({ ...verdict(seen, 'happened'), by: 'second', seen });
      const { entry } = expectKind(second, 'not_settleable');
      assert.equal(entry.verdict?.by, 'first');
      assert.equal((await entryNow(ledger, seen)).state, 'failed');
      const now = await entryNow(ledger, seen);
      const third = await ledger.settle({ ...verdict(seen, 'happened'), seen: now });
      assert.equal(expectKind(third, 'settled').entry.state, 'ok');
    },
  },
];
