import type { JsonObject } from '../call/json.ts';
import type { Clarification, FailedResult, Result } from '../call/result.ts';
import type { Effect } from '../call/tool.ts';
import type { ReplyFinding } from '../reply/types.ts';
import type { Ending } from './ending.ts';

/** Where an ended step stands. */
export type EndedStatus =
  | 'completed'
  | 'already_done'
  | 'unknown'
  | 'skipped'
  | 'failed'
  | 'blocked'
  | 'needs_clarification';

/** What is known of a step from the start. */
export interface StepStart {
  /** The round and the place in it, such as `2.1`; round 0 carries out what was approved. */
  readonly id: string;
  readonly round: number;
  readonly callId: string;
  readonly tool: string;
  /** Null where there is no such tool. */
  readonly effect: Effect | null;
  /** The text of the arguments as it was received. */
  readonly arguments: string;
}

/** One tool call of a turn. Its summary, warnings, next actions and outputs stand in `result`. */
export type PlanStep = StepStart &
  (
    | { readonly status: 'pending' }
    | { readonly status: 'running'; readonly input: JsonObject }
    | {
        readonly status: 'approval_required';
        readonly input: JsonObject;
        readonly approvalId: string;
        readonly result: FailedResult;
      }
    | {
        readonly status: EndedStatus;
        /** Null where the arguments could not be decoded. */
        readonly input: JsonObject | null;
        readonly result: Result;
        /** The key of the write's entry. */
        readonly key: string | null;
      }
  );

/** Where a step stands. */
export type StepStatus = PlanStep['status'];

/** What happens in a turn, as it happens: plain JSON, to be stored and sent on. */
export type PlanEvent = {
  /** Counts from 1 within a turn. */
  readonly sequence: number;
} & PlanChange;

/** What one event says. */
export type PlanChange =
  | { readonly type: 'turn_started'; readonly scope: string; readonly turn: string | null }
  | { readonly type: 'step_added'; readonly step: StepStart }
  | { readonly type: 'step_started'; readonly id: string; readonly input: JsonObject }
  | {
      readonly type: 'step_held';
      readonly id: string;
      readonly input: JsonObject;
      readonly approvalId: string;
      readonly result: FailedResult;
    }
  | {
      readonly type: 'step_ended';
      readonly id: string;
      readonly result: Result;
      readonly key: string | null;
    }
  /** The loop told the model something. */
  | { readonly type: 'noticed'; readonly text: string }
  | {
      readonly type: 'turn_ended';
      readonly ending: Ending;
      readonly text: string;
      readonly findings: readonly ReplyFinding[];
    };

/** What one turn of the user's led to: its steps in order, and how it ended. */
export interface ExecutionPlan {
  readonly scope: string;
  readonly turn: string | null;
  /** Of the last event in it. */
  readonly sequence: number;
  readonly steps: readonly PlanStep[];
  readonly notices: readonly string[];
  /** Null while the turn goes on. */
  readonly ending: Ending | null;
  /** What the turn says to the user; null while it goes on. */
  readonly text: string | null;
  /** What in the model's words was corrected. */
  readonly findings: readonly ReplyFinding[];
}

/** A plan of which nothing is known yet. */
export const emptyPlan: ExecutionPlan = {
  scope: '',
  turn: null,
  sequence: 0,
  steps: [],
  notices: [],
  ending: null,
  text: null,
  findings: [],
};

/** The plan that events lead to, given in order. */
export function planOf(events: Iterable<PlanEvent>): ExecutionPlan {
  let plan = emptyPlan;
  for (const event of events) plan = advancePlan(plan, event);
  return plan;
}

/** The plan after one more event; one that is in it already changes nothing, so a replay may overlap. */
export function advancePlan(plan: ExecutionPlan, event: PlanEvent): ExecutionPlan {
  if (event.sequence <= plan.sequence) return plan;
  return { ...changedBy(plan, event), sequence: event.sequence };
}

function changedBy(plan: ExecutionPlan, event: PlanChange): ExecutionPlan {
  switch (event.type) {
    case 'turn_started':
      return { ...plan, scope: event.scope, turn: event.turn };
    case 'step_added':
      return { ...plan, steps: [...plan.steps, { ...event.step, status: 'pending' }] };
    case 'step_started':
      return withStep(plan, event.id, (step) => ({
        ...step,
        status: 'running',
        input: event.input,
      }));
    case 'step_held':
      return withStep(plan, event.id, (step) => {
        const { input, approvalId, result } = event;
        return { ...step, status: 'approval_required', input, approvalId, result };
      });
    case 'step_ended':
      return withStep(plan, event.id, (step, input) => {
        const { result, key } = event;
        return { ...step, status: statusOf(result), input, result, key };
      });
    case 'noticed':
      return { ...plan, notices: [...plan.notices, event.text] };
    case 'turn_ended':
      return { ...plan, ending: event.ending, text: event.text, findings: event.findings };
  }
}

function withStep(
  plan: ExecutionPlan,
  id: string,
  change: (start: StepStart, input: JsonObject | null) => PlanStep,
): ExecutionPlan {
  const steps = plan.steps.map((step) => {
    if (step.id !== id) return step;
    const { round, callId, tool, effect, arguments: text } = step;
    const start = { id, round, callId, tool, effect, arguments: text };
    return change(start, 'input' in step ? step.input : null);
  });
  return { ...plan, steps };
}

/** Where a step stands whose call came to this. */
export function statusOf(result: Result): EndedStatus {
  switch (result.outcome) {
    case 'ok':
      return 'completed';
    case 'failed':
      if (result.clarification !== undefined) return 'needs_clarification';
      return result.code === 'blocked' ? 'blocked' : 'failed';
    default:
      return result.outcome;
  }
}

/** What only the user can say, if the last round of a plan asked for it. */
export function openQuestion(plan: ExecutionPlan): Clarification | undefined {
  const lastRound = plan.steps.at(-1)?.round;
  for (const step of plan.steps) {
    if (step.round !== lastRound || step.status !== 'needs_clarification') continue;
    if (step.result.outcome === 'failed') return step.result.clarification;
  }
  return undefined;
}
