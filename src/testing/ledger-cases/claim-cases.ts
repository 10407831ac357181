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
} from './stage.ts';

const other = { attemptId: 'another attempt' };
const otherArguments = { ...other, fingerprint: 'e'.repeat(64), input: '{"other":true}' };

/** claim: who may try, and what everybody else is told. */
export const claimCases: readonly LedgerCase[] = [
  {
    name: 'claim: a new key is claimed as it was asked for',
    async play({ ledger }) {
      const request = claimOf('a', { turn: 'turn 7', input: '{"n":"é🙂"}', replayMs: 86_400_000 });
      const { entry } = expectKind(await ledger.claim(request), 'claimed');
      const { leaseMs, mayRerun, ...asked } = request;
      for (const [field, value] of Object.entries(asked)) {
        assert.deepEqual(entry[field as keyof typeof asked], value, field);
      }
      assert.equal(entry.state, 'claimed');
      assert.deepEqual([entry.token, entry.generation, entry.unproven], [1, 1, 0]);
      assert.equal(entry.leaseUntilMs, entry.createdAtMs + leaseMs);
      assert.deepEqual(await ledger.get(request.key), entry);
    },
  },
  {
    name: 'claim: the same attempt asks again and gets the same answer',
    async play({ ledger }) {
      const first = await ledger.claim(claimOf('a'));
      assert.deepEqual(await ledger.claim(claimOf('a')), first);
    },
  },
  {
    name: 'claim: another attempt finds one in progress, before and after the mark',
    async play({ ledger }) {
      const entry = await claimed(ledger, 'a');
      expectKind(await ledger.claim(claimOf('a', other)), 'in_progress');
      await ledger.mark(markOf(entry));
      expectKind(await ledger.claim(claimOf('a', other)), 'in_progress');
    },
  },
  {
    name: 'claim: one whose lease is over is taken over, and its first owner is fenced off',
    async play({ ledger, advance }) {
      const first = await claimed(ledger, 'a', { leaseMs: shortMs });
      await advance(pastShortMs);
      const second = await claimed(ledger, 'a', other);
      assert.deepEqual([second.token, second.generation], [2, 1]);
      for (const answer of [
        await ledger.mark(markOf(first)),
        await ledger.fail(unsent(first)),
        await ledger.withdraw(unsent(first)),
        await ledger.giveUp(first),
        await ledger.note({ ...unsent(first), note: 'mine' }),
        await ledger.renew({ ...unsent(first), leaseMs: longMs, patienceMs: null }),
      ]) {
        assert.deepEqual(expectKind(answer, 'refused').entry, second);
      }
      expectKind(await ledger.mark(markOf(second)), 'done');
    },
  },
  {
    name: 'claim: what ended unsent may be tried again, in the same generation',
    async play({ ledger }) {
      await ledger.fail(unsent(await claimed(ledger, 'a')));
      const again = await claimed(ledger, 'a', other);
      assert.deepEqual([again.token, again.generation, again.failedBy], [2, 1, null]);
    },
  },
  {
    name: 'claim: what was rejected may be tried again, in a new generation',
    async play({ ledger }) {
      await ledger.complete(rejectionOf(await dispatched(ledger, 'a')));
      const again = await claimed(ledger, 'a', other);
      assert.deepEqual([again.token, again.generation, again.firstSentAtMs], [2, 2, null]);
    },
  },
  {
    name: 'claim: a negative verdict allows another try, in the same generation, and remembers the send',
    async play(stage) {
      const failed = await failedByVerdict(stage, 'a');
      const again = await claimed(stage.ledger, 'a', other);
      assert.deepEqual([again.token, again.generation, again.unproven], [2, 1, 1]);
      assert.equal(again.firstSentAtMs, failed.firstSentAtMs);
    },
  },
  {
    name: 'claim: what happened is already done, with its first result, for ever where no window is set',
    async play({ ledger, advance }) {
      const done = await happened(ledger, 'a');
      await advance(pastShortMs);
      const { entry } = expectKind(await ledger.claim(claimOf('a', other)), 'already_done');
      assert.deepEqual(entry, done);
    },
  },
  {
    name: 'claim: the window of replaying starts with the first telling, and then lets a new generation in',
    async play({ ledger, advance }) {
      const sent = await dispatched(ledger, 'a', { replayMs: shortMs });
      await ledger.complete({ ...answerTo(sent), told: false });
      await advance(pastShortMs);
      const told = expectKind(await ledger.claim(claimOf('a', other)), 'already_done').entry;
      assert.ok(told.toldAtMs !== null && told.toldAtMs >= (told.settledAtMs ?? 0) + shortMs);
      await advance(pastShortMs);
      const next = await claimed(ledger, 'a', { ...other, replayMs: shortMs });
      assert.deepEqual([next.token, next.generation], [2, 2]);
      assert.deepEqual([next.result, next.provenToken, next.toldAtMs], [null, null, null]);
    },
  },
  {
    name: 'claim: replays do not make the window longer',
    async play({ ledger }) {
      const done = await happened(ledger, 'a', { replayMs: longMs });
      const { entry } = expectKind(await ledger.claim(claimOf('a', other)), 'already_done');
      assert.deepEqual([entry.toldAtMs, entry.version], [done.toldAtMs, done.version]);
    },
  },
  {
    name: 'claim: a sent write whose owner is gone is still being confirmed, and unknown from then on',
    async play({ ledger, advance }) {
      await dispatched(ledger, 'a', {}, { leaseMs: shortMs });
      await advance(pastShortMs);
      const { entry } = expectKind(await ledger.claim(claimOf('a', other)), 'still_confirming');
      assert.deepEqual([entry.state, entry.token, entry.unproven], ['unknown', 1, 1]);
      assert.deepEqual(await entryNow(ledger, entry), entry);
      expectKind(await ledger.claim(claimOf('a', other)), 'still_confirming');
    },
  },
  {
    name: 'claim: the same key with other arguments is a conflict, live, unknown or done',
    async play(stage) {
      const { ledger } = stage;
      await claimed(ledger, 'live');
      await unknown(stage, 'unknown');
      await happened(ledger, 'done');
      for (const name of ['live', 'unknown', 'done']) {
        expectKind(await ledger.claim(claimOf(name, otherArguments)), 'key_conflict');
      }
    },
  },
  {
    name: 'claim: other arguments are a conflict while the repetition of an unknown write is lost',
    async play(stage) {
      const { ledger, advance } = stage;
      await unknown(stage, 'a');
      await claimed(ledger, 'a', { ...other, mayRerun: true, leaseMs: shortMs });
      await advance(pastShortMs);
      const request = claimOf('a', { ...otherArguments, attemptId: 'third' });
      expectKind(await ledger.claim(request), 'key_conflict');
    },
  },
  {
    name: 'claim: other arguments are no conflict once the first ones failed, were lost, or are forgotten',
    async play({ ledger, advance }) {
      await ledger.fail(unsent(await claimed(ledger, 'failed')));
      await claimed(ledger, 'lost', { leaseMs: shortMs });
      await happened(ledger, 'forgotten', { replayMs: shortMs });
      await advance(pastShortMs);
      for (const name of ['failed', 'lost', 'forgotten']) {
        const entry = await claimed(ledger, name, otherArguments);
        assert.deepEqual(
          [entry.fingerprint, entry.input],
          [otherArguments.fingerprint, otherArguments.input],
        );
      }
    },
  },
  {
    name: 'claim: an idempotent tool runs again after it is done, as a new generation',
    async play({ ledger }) {
      await happened(ledger, 'a');
      const again = await claimed(ledger, 'a', { ...other, mayRerun: true });
      assert.deepEqual([again.token, again.generation, again.restsOn], [2, 2, 'failed']);
    },
  },
  {
    name: 'claim: an idempotent tool waits until an unknown send can no longer take effect',
    async play({ ledger }) {
      await ledger.giveUp(await dispatched(ledger, 'a'));
      const answer = await ledger.claim(claimOf('a', { ...other, mayRerun: true }));
      expectKind(answer, 'still_confirming');
    },
  },
  {
    name: 'claim: an idempotent tool may repeat an unknown write, which stays unknown until it is proven',
    async play(stage) {
      const { ledger } = stage;
      await unknown(stage, 'a');
      const again = await claimed(ledger, 'a', { ...other, mayRerun: true });
      assert.deepEqual([again.token, again.generation, again.unproven], [2, 1, 1]);
      const rested = expectKind(await ledger.fail(unsent(again)), 'done').entry;
      assert.deepEqual([rested.state, rested.unproven], ['unknown', 1]);
      const third = await dispatched(ledger, 'a', { attemptId: 'third', mayRerun: true });
      const rejected = expectKind(await ledger.complete(rejectionOf(third)), 'done').entry;
      assert.deepEqual([rejected.state, rejected.unproven], ['unknown', 1]);
      const proof = { ...answerTo(rejected), token: 1 };
      assert.equal(expectKind(await ledger.complete(proof), 'done').entry.state, 'ok');
    },
  },
  {
    name: 'claim: an idempotent tool that gave its lane up does not repeat an unknown write',
    async play(stage) {
      await unknown(stage, 'a', { keepsLane: false });
      const request = claimOf('a', { ...other, keepsLane: false, mayRerun: true });
      expectKind(await stage.ledger.claim(request), 'still_confirming');
    },
  },
];
