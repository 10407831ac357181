import assert from 'node:assert/strict';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  answerTo,
  claimed,
  claimOf,
  dispatched,
  entryNow,
  expectKind,
  type LedgerCase,
  markOf,
  pastShortMs,
  shortMs,
  unknown,
  unsent,
  verdict,
} from './stage.ts';

const lane = 'order:7';

function countOf(answers: readonly { readonly kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of answers) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The ledgers in turn, so that neighbours race through different handles. */
function takingTurns(ledgers: readonly Ledger[], count: number): readonly Ledger[] {
  return Array.from({ length: count }, (_, i) => ledgers[i % ledgers.length] as Ledger);
}

async function raceForKey(...ledgers: readonly Ledger[]): Promise<void> {
  const claims = takingTurns(ledgers, 40).map((ledger, i) =>
    ledger.claim(claimOf('a', { attemptId: `attempt ${i}` })),
  );
  assert.deepEqual(countOf(await Promise.all(claims)), { claimed: 1, in_progress: 39 });
}

async function raceForLane(...ledgers: readonly Ledger[]): Promise<void> {
  const claims = takingTurns(ledgers, 40).map((ledger, i) =>
    ledger.claim(claimOf(`key ${i}`, { lane })),
  );
  assert.deepEqual(countOf(await Promise.all(claims)), { claimed: 1, lane_busy: 39 });
}

/** A claim that lost its lease marks while others take its key or its lane: one send at most. */
async function raceForLostClaim(
  ledgers: readonly Ledger[],
  advance: (ms: number) => Promise<void>,
): Promise<void> {
  const [first, second] = ledgers as readonly [Ledger, Ledger];
  for (let round = 0; round < 10; round += 1) {
    const its = { lane: `order:${round}` };
    const slow = await claimed(first, `slow ${round}`, { ...its, leaseMs: shortMs });
    await advance(pastShortMs);
    const [mark, quick] = await Promise.all([
      first.mark(markOf(slow)),
      second.claim(claimOf(`quick ${round}`, its)),
    ]);
    const sent = mark.kind === 'done' ? 1 : 0;
    assert.equal(quick.kind, sent === 1 ? 'lane_busy' : 'claimed', `round ${round}`);
  }
}

/** Many at once, from one process and from several. */
export const raceCases: readonly LedgerCase[] = [
  {
    name: 'race: many claims of one key, and one gets it',
    play: ({ ledger }) => raceForKey(ledger),
  },
  {
    name: 'race: many claims of one key through two handles, and one gets it',
    needsAnother: true,
    play: async ({ ledger, another }) => raceForKey(ledger, await another()),
  },
  {
    name: 'race: many keys of one lane, and one gets it',
    play: ({ ledger }) => raceForLane(ledger),
  },
  {
    name: 'race: many keys of one lane through two handles, and one gets it',
    needsAnother: true,
    play: async ({ ledger, another }) => raceForLane(ledger, await another()),
  },
  {
    name: 'race: the mark of a lost claim and the claim that displaces it, never both',
    needsAnother: true,
    play: async ({ ledger, another, advance }) =>
      raceForLostClaim([ledger, await another()], advance),
  },
  {
    name: 'race: one attempt that asks many times at once is answered alike',
    async play({ ledger }) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => ledger.claim(claimOf('a'))),
      );
      assert.deepEqual(countOf(answers), { claimed: 20 });
      assert.deepEqual(
        new Set(answers.map((answer) => expectKind(answer, 'claimed').entry.token)),
        new Set([1]),
      );
    },
  },
  {
    name: 'race: a mark that is asked for many times at once is granted once',
    async play({ ledger }) {
      const entry = await claimed(ledger, 'a');
      const marks = Array.from({ length: 20 }, () => ledger.mark(markOf(entry)));
      assert.deepEqual(countOf(await Promise.all(marks)), { done: 1, refused: 19 });
      assert.equal((await entryNow(ledger, entry)).unproven, 1);
    },
  },
  {
    name: 'race: those who take over a lost claim are one, and its owner’s mark and theirs are one',
    async play({ ledger, advance }) {
      const lost = await claimed(ledger, 'a', { leaseMs: shortMs });
      await advance(pastShortMs);
      const [mark, ...claims] = await Promise.all([
        ledger.mark(markOf(lost)),
        ...Array.from({ length: 10 }, (_, i) =>
          ledger.claim(claimOf('a', { attemptId: `attempt ${i}` })),
        ),
      ]);
      const owners = (mark.kind === 'done' ? 1 : 0) + (countOf(claims).claimed ?? 0);
      assert.equal(owners, 1);
    },
  },
  {
    name: 'race: an answer and a verdict at once end in the answer',
    async play(stage) {
      const { ledger } = stage;
      const lost = await unknown(stage, 'a');
      await Promise.all([
        ledger.settle(verdict(lost, 'did_not_happen')),
        ledger.complete(answerTo(lost)),
        ledger.withdraw(unsent({ ...lost, token: 0 })),
      ]);
      assert.equal((await entryNow(ledger, lost)).state, 'ok');
    },
  },
  {
    name: 'race: one of many askers gets the turn',
    async play(stage) {
      const { ledger } = stage;
      const { key } = await unknown(stage, 'a');
      const asks = Array.from({ length: 20 }, () => ledger.ask({ key, holdMs: 60_000 }));
      assert.deepEqual(countOf(await Promise.all(asks)), { done: 1, refused: 19 });
    },
  },
  {
    name: 'race: many writes side by side, each with its own end',
    async play({ ledger }) {
      const names = Array.from({ length: 300 }, (_, i) => `n${i}`);
      await Promise.all(
        names.map(async (name) => {
          const sent = await dispatched(ledger, name);
          await ledger.complete({ ...answerTo(sent), result: name });
        }),
      );
      const entries = await ledger.list({ limit: 1_000, states: ['ok'] });
      assert.deepEqual(entries.map((entry) => entry.result).toSorted(), names.toSorted());
    },
  },
  {
    name: 'race: what cannot be kept fails alone, and leaves nothing',
    async play({ ledger }) {
      const bad = [
        claimOf('nul', { scope: 'a\0b' }),
        claimOf('surrogate', { lane: '\ud83d' }),
        claimOf('late surrogate', { input: '"\udc00"' }),
      ];
      const good = Array.from({ length: 30 }, (_, i) => claimOf(`n${i}`));
      const all = [...good.slice(0, 10), ...bad, ...good.slice(10)];
      const settled = await Promise.allSettled(all.map((request) => ledger.claim(request)));
      settled.forEach((end, i) => {
        const isBad = bad.includes(all[i] as (typeof bad)[number]);
        assert.equal(end.status, isBad ? 'rejected' : 'fulfilled', `claim ${i}`);
      });
      for (const { key } of bad) assert.equal(await ledger.get(key), undefined);
      assert.equal((await ledger.list({})).length, good.length);
    },
  },
];
