import { renderResult } from '../call/result.ts';
import type { Decision, PendingAction } from './approvals.ts';
import type { CallEnd } from './calls.ts';
import type { Ending } from './ending.ts';
import { type ExecutionPlan, openQuestion, type PlanStep } from './plan.ts';

/** What the loop tells the model of an answer that came to nothing. */
export const shortfalls = {
  truncated:
    'Your last answer was cut off at its length limit, and nothing of it was run. Answer more briefly, and call one tool at a time.',
  empty: 'Your last answer was empty. Call a tool, or answer the user.',
} as const;

/** What the loop tells the model of a decision that no longer has anything to decide. */
export const nothingPending =
  'A decision was given about an action that is not pending; nothing was run for it.';

/** What the loop tells the model of a decision that was carried out. */
export function sayDecided(verdict: Decision['verdict'], { call, result }: CallEnd): string {
  const what =
    verdict === 'granted'
      ? 'A person approved this call, and it was made'
      : 'A person refused to approve this call, and it was not made';
  return `${what}: ${call.name} ${call.arguments}\nIts result: ${renderResult(result)}`;
}

/**
 * What a turn says where the model has no last word: what waits for approval, else how it ended, the
 * question that is open, what failed in the last round, and what every write of the turn came to.
 */
export function sayPlan(plan: ExecutionPlan, ending: Ending): string {
  const writes = plan.steps.filter(tellsOfWrite).map(sayStep);
  if (ending.kind === 'approval_required') {
    return [...writes, ...ending.pending.map(sayPending)].join('\n');
  }
  const question = openQuestion(plan)?.question;
  const failure = question === undefined ? lastFailure(plan) : undefined;
  return [
    openings[ending.kind],
    ...writes,
    ...(failure === undefined ? [] : [sayStep(failure)]),
    ...(question === undefined ? [] : [question]),
  ].join('\n');
}

const openings: Readonly<Record<Exclude<Ending['kind'], 'approval_required'>, string>> = {
  replied: 'This is what came of it.',
  refused: 'This was refused.',
  truncated: 'The answer could not be completed.',
  empty: 'There was no answer.',
  repeated_failures: 'It could not be done.',
  too_many_turns: 'It took too many steps and was stopped.',
  cancelled: 'It was stopped.',
  model_failed: 'The assistant could not be reached.',
};

function sayPending({ tool, arguments: text }: PendingAction): string {
  return `Waiting for approval: ${tool} ${text}`;
}

/** A write that happened, or may have. */
function tellsOfWrite(step: PlanStep): boolean {
  if (step.effect !== 'write' || !('result' in step)) return false;
  const { outcome } = step.result;
  return outcome === 'ok' || outcome === 'already_done' || outcome === 'unknown';
}

function lastFailure(plan: ExecutionPlan): PlanStep | undefined {
  const lastRound = plan.steps.at(-1)?.round;
  return plan.steps.find((step) => step.round === lastRound && isFailure(step));
}

function isFailure({ status }: PlanStep): boolean {
  return status === 'failed' || status === 'blocked';
}

function sayStep(step: PlanStep): string {
  return 'result' in step ? `${step.tool}: ${step.result.summary}` : step.tool;
}
