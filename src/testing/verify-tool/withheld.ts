import { judgeRun } from './judge.ts';
import type { LedgerHook } from './mortal-process.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';

/** A mark whose acknowledgement is late: by then the call is over. */
function lateMark(name: string, over: (stage: Stage, user: AbortController) => void): Scenario {
  return {
    name,
    async play(stage) {
      let acknowledge: () => void = () => undefined;
      let isMarking = false;
      const acknowledged = new Promise<void>((resolve) => {
        acknowledge = resolve;
      });
      const hook: LedgerHook = (method, when) => {
        if (method !== 'mark' || when === 'before') return;
        isMarking = true;
        return acknowledged;
      };
      const user = new AbortController();
      const calling = stage.call(stage.start(hook), stage.subject.input, user.signal);
      let isTold = false;
      void calling.outcome.then(() => {
        isTold = true;
      });
      await stage.until(() => isMarking || isTold);
      if (isMarking) over(stage, user);
      const told = await calling.told();
      acknowledge();
      await stage.until(() => stage.lastRun?.word !== 'pending');
      judgeRun(stage, told, 'withheld');
      judgeWithheld(stage, isMarking);
    },
  };
}

function judgeWithheld(stage: Stage, wasRefused: boolean): void {
  if (!wasRefused || stage.lastRun?.sentAtMark !== 0 || stage.sent === 0) return;
  stage.stop('sends_without_leave', `${stage.sent} reached the downstream`);
}

const ledgerIsGone: Scenario = {
  name: 'the ledger is gone before it is sent',
  async play(stage) {
    let isGone = false;
    const hook: LedgerHook = (method, when) => {
      if (method !== 'mark' || when === 'after') return;
      isGone = true;
      throw new Error('the ledger is gone');
    };
    const told = await stage.call(stage.start(hook)).told();
    judgeRun(stage, told, 'withheld');
    judgeWithheld(stage, isGone);
  },
};

/** The write is over before it was sent: nothing may be sent any more. */
export const withheld: readonly Scenario[] = [
  lateMark('the time runs out before it is sent', (stage) => stage.clock.jump(stage.timeoutMs)),
  lateMark('the user leaves before it is sent', (_, user) => user.abort()),
  ledgerIsGone,
];
