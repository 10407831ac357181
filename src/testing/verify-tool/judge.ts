import type { CallOutcome } from '../../runtime/runtime.ts';
import type { MortalProcess } from './mortal-process.ts';
import type { Stage } from './stage.ts';
import { isMarked, leakedText, type RunRecord } from './watched-tool.ts';

/** What an outcome is in one line. */
export function say({ result }: CallOutcome): string {
  return `told ${result.outcome} (${result.code}): ${JSON.stringify(result.summary)}`;
}

/**
 * Holds the latest run against what it may do whatever happens to its request, and, where no answer
 * said that it was done, against what it may say then.
 */
export function judgeRun(
  stage: Stage,
  told: CallOutcome | undefined,
  end: 'answered' | 'unproven' | 'refused' | 'withheld',
): void {
  const run = stage.lastRun;
  if (run === undefined) return;
  judgeSends(stage, run, end);
  if (told === undefined) return;
  const leaked = leakedText(run, JSON.stringify(told.result));
  if (leaked !== undefined) stage.find('leaks_error_text', `${say(told)} holds ${leaked}`);
  if (end === 'answered' || end === 'withheld') return;
  if (run.word === 'ok') {
    stage.stop('says_ok_without_proof', `run returned ok; ${say(told)}`);
  }
  if (end === 'refused') return;
  const isDenied = run.evidence === 'rejected' || run.evidence === 'not_sent';
  if (isMarked(run) && (isDenied || told.result.outcome === 'failed')) {
    stage.stop('claims_rejection', `${say(told)}; ${stage.effects} took effect`);
  }
  judgeWord(stage, told);
}

/** Whether the run says of a request that is proven neither way that it failed. */
export function judgeWord(stage: Stage, told: CallOutcome | undefined): void {
  if (stage.lastRun?.word !== 'failed') return;
  const detail = told === undefined ? '' : `; ${say(told)}`;
  stage.stop('says_failed_after_send', `run returned failed${detail}`);
}

function judgeSends(stage: Stage, run: RunRecord, end: string): void {
  const { spec } = stage.subject.tool;
  const sent = stage.sent - run.sentBefore;
  const unmarked = (run.sentAtMark ?? stage.sent) - run.sentBefore;
  if (unmarked > 0) {
    stage.find('sends_before_mark', `${unmarked} reached the downstream without a mark`);
    return;
  }
  judgeKeys(stage, run);
  if (run.asks > 1) {
    stage.stop('sends_twice', `the run called ctx.fetch or ctx.dispatch ${run.asks} times`);
  }
  if (sent < 2 || spec.remoteKeyMs !== undefined) return;
  const code = end === 'answered' ? 'sends_twice' : 'retries_without_key';
  stage.stop(code, `${sent} writes reached the downstream in one run`);
}

/** A key may be quoted, as the draft of the IETF has it. */
function judgeKeys(stage: Stage, run: RunRecord): void {
  const { subject, sent } = stage;
  const mine = subject.downstream.writes.slice(-sent).slice(run.sentBefore);
  const isNeeded = subject.tool.spec.remoteKeyMs !== undefined;
  for (const { key } of sent === 0 ? [] : mine) {
    const isOwn = key === run.key || key === JSON.stringify(run.key);
    if (isOwn || (key === undefined && !isNeeded)) continue;
    stage.find('wrong_wire_key', `the request carried ${key ?? 'none'}, and ctx.key is ${run.key}`);
    return;
  }
}

const longestAskMs = 60_000;

/** Lets the process ask until it knows, and holds what it finds against what really happened. */
export async function judgeReconcile(stage: Stage, asker: MortalProcess): Promise<void> {
  const { spec } = stage.subject.tool;
  if (spec.reconcile === undefined && spec.remoteKeyMs === undefined) {
    stage.find('no_reconcile', 'the tool has neither reconcile nor remoteKeyMs');
    return;
  }
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const asking = asker.runtime.reconcile();
    if ((await stage.within(asking)) === undefined) stage.clock.jump(longestAskMs);
    await stage.within(asking);
    judgeAsking(stage, asker);
    const entry = await stage.entry();
    if (entry?.state === 'ok' && stage.effects === 0) {
      stage.stop('reconcile_lies', 'happened, and nothing took effect');
    }
    if (entry?.failedBy === 'verdict' && stage.effects > 0) {
      stage.stop('reconcile_lies', `did not happen, and ${stage.effects} took effect`);
    }
    if (entry?.state === 'ok' || entry?.state === 'failed') return;
    stage.clock.jump(stage.patienceMs + rounds * 3_600_000);
  }
  stage.find('stays_unknown', 'asked three times, over more than an hour');
}

function judgeAsking(stage: Stage, asker: MortalProcess): void {
  if (stage.seen.sentByReconcile > 0) {
    stage.stop('reconcile_sends', 'a write reached the downstream while it was asking');
  }
  if (asker.reports.includes('reconcile_failed')) {
    stage.stop('reconcile_fails', 'a round of asking ended without a finding');
  }
}

/** One intent has at most one effect, unless the tool says that twice is once. */
export function judgeEffects(stage: Stage): void {
  const { spec } = stage.subject.tool;
  if (stage.effects < 2 || spec.idempotent === true) return;
  const code = spec.remoteKeyMs === undefined ? 'effect_doubled' : 'keys_not_honoured';
  stage.stop(code, `${stage.effects} effects of one intent`);
}
