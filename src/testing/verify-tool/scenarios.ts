import type { Trouble } from '../downstream.ts';
import { crashes } from './crashes.ts';
import { judgeEffects, judgeRun, judgeWord, say } from './judge.ts';
import { aftermath, type Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { isMarked } from './watched-tool.ts';
import { withheld } from './withheld.ts';

/** A request that is not answered, or not by success: whatever the tool makes of it, nothing is sent anew. */
function unproven(name: string, trouble: Trouble): Scenario {
  return {
    name,
    needs: trouble,
    async play(stage) {
      const one = stage.start();
      stage.subject.downstream.next(trouble);
      const told = await stage.call(one).told();
      if (told === undefined) stage.stop('does_not_end', 'the run went on after the failure');
      judgeRun(stage, told, wasSentAgain(stage) ? 'answered' : 'unproven');
      await aftermath(stage, one);
    },
  };
}

/** A request that is held: its time runs out, and then the answer comes. */
function held(name: string, trouble: Trouble): Scenario {
  return {
    name,
    needs: trouble,
    async play(stage) {
      const one = stage.start();
      stage.subject.downstream.next(trouble);
      const calling = stage.call(one);
      await stage.until(() => stage.sent > 0);
      stage.clock.jump(stage.timeoutMs);
      const told = await calling.told();
      judgeRun(stage, told, 'unproven');
      await stage.call(one, stage.subject.reworded).told();
      judgeEffects(stage);
      stage.subject.downstream.release();
      const isHome = await stage.until(async () => (await stage.entry())?.state === 'ok');
      judgeWord(stage, told);
      if (!isHome) stage.stop('loses_late_answer', `the entry is ${(await stage.entry())?.state}`);
      await stage.call(one).told();
      judgeEffects(stage);
    },
  };
}

const refusal: Scenario = {
  name: 'the remote system refuses',
  needs: 'reject',
  async play(stage) {
    stage.subject.downstream.next('reject');
    const told = await stage.call(stage.start()).told();
    judgeRun(stage, told, wasSentAgain(stage) ? 'answered' : 'refused');
  },
};

/** With the same key, and then all was well. */
function wasSentAgain(stage: Stage): boolean {
  return stage.subject.tool.spec.remoteKeyMs !== undefined && stage.sent > 1;
}

const neverAnswered: Scenario = {
  name: 'no answer ever comes',
  needs: 'hold_after',
  async play(stage) {
    const one = stage.start();
    stage.subject.downstream.next('hold_after');
    const calling = stage.call(one);
    await stage.until(() => stage.sent > 0);
    const { lastRun: run } = stage;
    const isOver = (): boolean => run?.word !== 'pending';
    // A timer of its own does not know of the clock that jumps.
    const gaveUp = await stage.until(isOver, stage.subject.watchMs);
    stage.clock.jump(stage.timeoutMs);
    judgeRun(stage, await calling.told(), 'unproven');
    if (gaveUp) stage.find('loses_late_answer', 'it no longer waited after a moment');
    stage.clock.jump(stage.requestMaxMs);
    if (!(await stage.until(isOver)) && run !== undefined && isMarked(run)) {
      stage.stop('outlives_request_max', `the run still waits after ${stage.requestMaxMs} ms`);
    }
    await aftermath(stage, one);
  },
};

const timeIsOver: Scenario = {
  name: 'a failure comes when the time for sending is over',
  needs: 'hold_then_fail',
  async play(stage) {
    const one = stage.start();
    stage.subject.downstream.next('hold_then_fail');
    const calling = stage.call(one);
    await stage.until(() => stage.sent > 0);
    stage.clock.jump(stage.timeoutMs);
    await calling.told();
    const { sent } = stage;
    stage.subject.downstream.release();
    await stage.until(() => stage.lastRun?.word !== 'pending');
    if (stage.sent === sent || stage.lastRun?.sentAtMark === undefined) return;
    const isAllowed = stage.subject.tool.spec.remoteKeyMs !== undefined;
    const code = isAllowed ? 'sends_after_its_time' : 'retries_without_key';
    stage.stop(code, `${stage.sent - sent} more after ${stage.timeoutMs} ms`);
  },
};

const userLeaves: Scenario = {
  name: 'the user leaves after the request was sent',
  needs: 'hold_after',
  async play(stage) {
    const user = new AbortController();
    const one = stage.start();
    stage.subject.downstream.next('hold_after');
    const calling = stage.call(one, stage.subject.input, user.signal);
    await stage.until(() => stage.sent > 0);
    user.abort(new Error('The user left.'));
    // What listens to the signal does so at once; the answer is not to be faster.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const wasCutShort = stage.lastRun?.word !== 'pending';
    stage.subject.downstream.release();
    const told = await calling.told();
    if (told === undefined || told.result.outcome === 'ok') return;
    if (wasCutShort) stage.stop('cancels_after_send', say(told));
  },
};

const twins: Scenario = {
  name: 'the same call twice at once, and in another process',
  async play(stage) {
    const [one, two] = [stage.start(), stage.start()];
    const { input, reworded } = stage.subject;
    const calls = [stage.call(one, input), stage.call(one, reworded), stage.call(two, reworded)];
    await Promise.all(calls.map((calling) => calling.told()));
    judgeEffects(stage);
  },
};

const hungRead: Scenario = {
  name: 'what it reads before it sends does not answer',
  needs: 'reads',
  async play(stage) {
    stage.subject.downstream.holdReads?.();
    const calling = stage.call(stage.start());
    await stage.until(() => stage.lastRun !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stage.clock.jump(stage.timeoutMs);
    const told = await calling.told();
    const hasEnded = await stage.until(() => stage.lastRun?.word !== 'pending');
    if (!hasEnded) stage.find('ignores_its_signal', told === undefined ? 'not told' : say(told));
    stage.subject.downstream.release();
    await stage.until(() => stage.lastRun?.word !== 'pending');
    if (stage.sent > 0 && stage.lastRun?.sentAtMark === undefined) {
      stage.stop('sends_before_mark', 'it sent after its time was over');
    }
  },
};

/** Everything that is tried once the calm run has gone well. */
export const scenarios: readonly Scenario[] = [
  unproven('the request is lost', 'lose_request'),
  unproven('the answer is lost', 'lose_answer'),
  unproven('503, and nothing was done', 'fail_before'),
  unproven('503 after it was done', 'fail_after'),
  refusal,
  held('the time runs out before it is done', 'hold_before'),
  held('the time runs out after it was done', 'hold_after'),
  neverAnswered,
  timeIsOver,
  userLeaves,
  ...withheld,
  hungRead,
  twins,
  ...crashes,
];
