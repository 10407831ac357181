import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';
import { attemptCases } from './ledger-cases/attempt-cases.ts';
import { claimCases } from './ledger-cases/claim-cases.ts';
import { handleCases } from './ledger-cases/handle-cases.ts';
import { historyCases } from './ledger-cases/history-cases.ts';
import { laneCases } from './ledger-cases/lane-cases.ts';
import { listCases } from './ledger-cases/list-cases.ts';
import { proofCases } from './ledger-cases/proof-cases.ts';
import { raceCases } from './ledger-cases/race-cases.ts';
import type { LedgerCase } from './ledger-cases/stage.ts';

/** How the contract's cases get the ledgers that they try. */
export interface LedgerHarness {
  /** Opens a ledger that is fresh and empty. The case closes it. */
  open(): Ledger | Promise<Ledger>;
  /**
   * Opens another handle on the store of a ledger that {@link open} gave and that may be closed by
   * now. Left out where a store ends with its handle; the cases that need two are then left out too.
   */
  reopen?(ledger: Ledger): Ledger | Promise<Ledger>;
  /** Lets the store's clock go on by some milliseconds, 20 at most; really waits where left out. */
  advance?(ms: number): void | Promise<void>;
}

/** A case for any test runner: `run` rejects, with an AssertionError, where a ledger breaks the contract. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What every ledger has to do, as cases: `for (const { name, run } of ledgerContract(harness)) test(name, run)`. */
export function ledgerContract(harness: LedgerHarness): readonly ContractCase[] {
  const all = [
    ...claimCases,
    ...attemptCases,
    ...proofCases,
    ...laneCases,
    ...listCases,
    ...historyCases,
    ...raceCases,
    ...handleCases,
  ];
  return all
    .filter((its) => harness.reopen !== undefined || its.needsAnother !== true)
    .map((its) => ({ name: its.name, run: () => play(its, harness) }));
}

async function play(its: LedgerCase, harness: LedgerHarness): Promise<void> {
  const ledger = await harness.open();
  const opened = [ledger];
  try {
    await its.play({
      ledger,
      async another() {
        if (harness.reopen === undefined)
          throw new Error('The harness cannot open a second handle.');
        const second = await harness.reopen(ledger);
        opened.push(second);
        return second;
      },
      advance: async (ms) => {
        await (harness.advance === undefined ? sleep(ms) : harness.advance(ms));
      },
    });
  } finally {
    for (const each of opened) await each.close();
  }
}
