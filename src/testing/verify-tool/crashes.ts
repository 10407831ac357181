import type { Ledger } from '../../ledger/ledger.ts';
import { judgeEffects } from './judge.ts';
import type { LedgerHook, MortalProcess } from './mortal-process.ts';
import { aftermath, type Scenario } from './scenario.ts';
import { leaseMs } from './stage.ts';

type Moment = readonly [method: keyof Ledger, when: 'before' | 'after'];

/** The process dies at one of these moments; another one goes on with its ledger. */
function crash(name: string, ...moments: readonly Moment[]): Scenario {
  return {
    name,
    async play(stage) {
      let hasDied = false;
      let one: MortalProcess | undefined;
      const hook: LedgerHook = (method, when) => {
        if (!moments.some(([its, at]) => its === method && at === when)) return;
        hasDied = true;
        if (one !== undefined) stage.kill(one);
      };
      one = stage.start(hook);
      const calling = stage.call(one);
      let isTold = false;
      void calling.outcome.then(() => {
        isTold = true;
      });
      await stage.until(() => hasDied || isTold);
      stage.kill(one);
      stage.clock.jump(leaseMs + 1);
      const two = stage.start();
      await aftermath(stage, two);
      judgeEffects(stage);
    },
  };
}

/** A process is killed, its lease runs out, and another one is asked for the same. */
export const crashes: readonly Scenario[] = [
  crash('it crashes before the mark', ['mark', 'before']),
  crash('it crashes between the mark and the request', ['mark', 'after']),
  crash(
    'it crashes after it was done, before that is recorded',
    ['complete', 'before'],
    ['giveUp', 'before'],
    ['withdraw', 'before'],
    ['fail', 'before'],
  ),
];
