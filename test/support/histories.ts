import fc from 'fast-check';
import type { Entry } from '../../src/ledger/entry.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { claimOf, keyOf } from '../../src/testing/ledger-cases/stage.ts';

/** What is asked of a ledger next, after some time. Keys, lanes and attempts are few, so that they meet. */
export interface Step {
  readonly afterMs: number;
  readonly key: number;
  /** The token that the caller holds, counted back from the entry's own. */
  readonly tokensAgo: number;
  readonly ask: Ask;
}

type Ask = (ledger: Ledger, its: Called) => Promise<unknown>;

/** What a caller knows of the entry that it speaks of. */
interface Called {
  readonly name: string;
  readonly key: string;
  readonly token: number;
  readonly entry: Entry | undefined;
}

const names = ['first', 'second'];
const lanes = ['order:7', 'order:8'];

/** Times around which things run out. */
const someMs = fc.constantFrom(0, 1, 10, 50);
const leaseMs = fc.constantFrom(1, 50, 1_000);

/** One of two, nine times in ten the second. */
function seldom<T>(rare: T, common: T): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(rare) },
    { weight: 9, arbitrary: fc.constant(common) },
  );
}

const claim = fc
  .record({
    lane: fc.constantFrom(...lanes),
    fingerprint: seldom('e', 'f'),
    attemptId: fc.constantFrom('a', 'b', 'c', 'd'),
    turn: fc.constantFrom(null, 'turn 1'),
    leaseMs,
    keepsLane: seldom(false, true),
    replayMs: fc.constantFrom(null, 0, 11, 60),
    mayRerun: fc.boolean(),
  })
  .map(
    (changes): Ask =>
      (ledger, { name }) =>
        ledger.claim(claimOf(name, changes)),
  );

const ending = fc.constantFrom('fail', 'withdraw', 'giveUp').map(
  (how): Ask =>
    (ledger, { key, token }) =>
      ledger[how]({ key, token, result: how }),
);

const times = fc.record({ leaseMs, sendWindowMs: someMs, patienceMs: someMs });

const mark = times.map(
  (its): Ask =>
    (ledger, { key, token }) =>
      ledger.mark({ key, token, ...its }),
);

const askAgain = fc
  .record({
    its: times,
    attemptId: fc.constantFrom('x', 'y'),
    remoteKeyMs: fc.constantFrom(10, 1_000),
  })
  .map(
    ({ its, ...again }): Ask =>
      (ledger, { key, token }) =>
        ledger.askAgain({ key, token, ...its, ...again }),
  );

const complete = fc
  .record({
    evidence: fc.constantFrom('answered', 'rejected'),
    told: fc.boolean(),
    generationsAgo: seldom(1, 0),
  })
  .map(
    ({ evidence, told, generationsAgo }): Ask =>
      (ledger, { key, token, entry }) => {
        const generation = (entry?.generation ?? 1) - generationsAgo;
        return ledger.complete({ key, token, generation, evidence, told, result: evidence });
      },
  );

const settle = fc
  .record({
    verdict: fc.constantFrom('happened', 'did_not_happen'),
    lookedMsAgo: fc.constantFrom(undefined, 0, 20),
  })
  .map(
    ({ verdict, lookedMsAgo }): Ask =>
      (ledger, { key, entry }) => {
        const looked =
          lookedMsAgo === undefined || entry === undefined
            ? {}
            : { lookedAtMs: entry.updatedAtMs - lookedMsAgo };
        const grounds = { by: 'op', why: 'é "quoted" 🙂', result: verdict, ...looked };
        return ledger.settle({ key, verdict, ...grounds });
      },
  );

const renew = fc.record({ leaseMs, patienceMs: fc.option(someMs) }).map(
  (its): Ask =>
    (ledger, { key, token }) =>
      ledger.renew({ key, token, ...its }),
);

const others = fc.constantFrom<Ask[]>(
  (ledger, { key }) => ledger.ask({ key, holdMs: 10 }),
  (ledger, { key, token }) => ledger.note({ key, token, note: 're_1' }),
  (ledger, { key }) => ledger.tell(key),
  (ledger, { key }) => ledger.tell(key, 'check'),
  (ledger, { key }) => ledger.tell(key, 'twin'),
  (ledger, { key, entry }) => ledger.announced(key, entry?.version ?? 0),
  (ledger) => ledger.purge(0),
  (ledger) => ledger.purge(11),
  (ledger) => ledger.purge(60),
);

const ask: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 5, arbitrary: claim },
  { weight: 6, arbitrary: mark },
  { weight: 4, arbitrary: complete },
  { weight: 2, arbitrary: ending },
  { weight: 3, arbitrary: settle },
  { weight: 2, arbitrary: askAgain },
  { weight: 2, arbitrary: renew },
  { weight: 3, arbitrary: others },
);

/** Histories of one ledger, each step told apart from the next by time. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 0, 0, 1, 11, 60),
    key: fc.nat({ max: names.length - 1 }),
    tokensAgo: seldom(1, 0),
    ask,
  }),
  { minLength: 60, maxLength: 150, size: 'max' },
);

/** Plays one step on several ledgers, which the first one leads; resolves to what each of them said. */
export async function playStep(
  { key: at, tokensAgo, ask: asked }: Step,
  ledgers: readonly [Ledger, ...Ledger[]],
): Promise<readonly unknown[]> {
  const name = names[at] ?? '';
  const key = keyOf(name);
  const entry = await ledgers[0].get(key);
  const token = (entry?.token ?? 1) - tokensAgo;
  return Promise.all(ledgers.map((ledger) => asked(ledger, { name, key, token, entry })));
}

/** All that a ledger holds: entries, their histories and lanes. */
export async function contentOf(ledger: Ledger): Promise<unknown> {
  return {
    entries: await ledger.list({ limit: 1_000 }),
    histories: await Promise.all(names.map((name) => ledger.history(keyOf(name)))),
    holders: await Promise.all(lanes.map((lane) => ledger.holder(lane))),
    open: await ledger.list({ states: ['claimed', 'dispatched', 'unknown'] }),
    toAnnounce: await ledger.list({ announce: true }),
  };
}
