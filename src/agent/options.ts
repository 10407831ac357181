import type { Clarification } from '../call/result.ts';
import type { AnyTool, DecodedCall } from '../call/tool.ts';
import type { ReplyCheck, ReplyFinding } from '../reply/types.ts';
import type { ContextOf, Runtime } from '../runtime/runtime.ts';
import type { Approvals, Decision } from './approvals.ts';
import type { Ending } from './ending.ts';
import type { ExecutionPlan, PlanEvent } from './plan.ts';
import type { Message, Model } from './turn.ts';

/** Which calls wait for a person's word, and where they wait. */
export interface ApprovalRule<Tools extends readonly AnyTool[]> {
  readonly approvals: Approvals;
  /** Asked of each decoded call. Where it throws, the call does not run. */
  needed(call: DecodedCall<Tools[number]>): boolean | Promise<boolean>;
}

/** What the user is to read in place of the model's own words. */
export type CheckedReply = Pick<ReplyCheck, 'reply' | 'findings'>;

/** Holds a reply against what happened. */
export type ReplyCheckFunction = (
  text: string,
  reply: { readonly scope: string; readonly plan: ExecutionPlan },
) => CheckedReply | Promise<CheckedReply>;

/** What `runAgent` takes. */
export interface AgentOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  readonly model: Model;
  readonly runtime: Runtime<Tools>;
  /** The conversation or job. */
  readonly scope: string;
  /** The host's own, for the tools. */
  readonly context?: ContextOf<Tools>;
  /** The conversation so far: the `messages` of the run before, say. */
  readonly messages?: readonly Message[];
  /** What the user says now. */
  readonly user?: string;
  /**
   * The id of this turn of the user's, by which a wanted repeat is told from a second try: give the id
   * of the user's message, so that a run of the same message again stays the same turn. Left out: a
   * turn of its own where `user` is given, else none, so that no repeat is allowed.
   */
  readonly turn?: string | number;
  /** Aborted when the user leaves. */
  readonly signal?: AbortSignal;
  /** How often the model is asked; 12 if left out. */
  readonly maxTurns?: number;
  /** How many rounds in a row may come to nothing but failures; 3 if left out. */
  readonly maxRepeatedFailures?: number;
  /** How many calls of one turn are run; 32 if left out. */
  readonly maxCalls?: number;
  /** How long the model may take for one turn, in milliseconds; 120,000 if left out. */
  readonly modelMs?: number;
  readonly approval?: ApprovalRule<Tools>;
  /** What was decided about pending actions; carried out before the model is asked. */
  readonly decisions?: readonly Decision[];
  /**
   * Holds the model's last words against what happened, and returns what the user is to read; the
   * runtime's own check if left out, `false` for none. Where it throws, the turn is told by its plan.
   */
  readonly checkReply?: ReplyCheckFunction | false;
  /** Told of each event as it happens. */
  onEvent?(event: PlanEvent): void;
}

/** What a run of the agent came to. */
export interface AgentRun {
  readonly ending: Ending;
  /** What the turn says to the user: the model's checked words or, where there are none, the plan's. */
  readonly text: string;
  /** What in the model's words the record did not bear out, so that they were corrected. */
  readonly findings: readonly ReplyFinding[];
  /** What only the user can say, where the last round asked for it. */
  readonly clarification?: Clarification;
  readonly plan: ExecutionPlan;
  /** The conversation with all that was added to it. */
  readonly messages: readonly Message[];
  /** What the model or the reply check threw: for the host's logger only. */
  readonly cause?: unknown;
}

/** The bounds of a run, with their defaults. */
export interface Bounds {
  readonly maxTurns: number;
  readonly maxRepeatedFailures: number;
  readonly maxCalls: number;
  readonly modelMs: number;
}

/** Throws a `TypeError` that names a bound which is no positive number, or what does not go together. */
export function boundsOf(options: AgentOptions): Bounds {
  if (options.decisions?.length && options.approval === undefined) {
    throw new TypeError('runAgent: decisions need approval, which says where actions are pending.');
  }
  const bound = (name: keyof Bounds, byDefault: number): number => {
    const value = options[name] ?? byDefault;
    if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
    throw new TypeError(`runAgent: ${name} must be a positive number, not ${String(value)}.`);
  };
  return {
    maxTurns: bound('maxTurns', 12),
    maxRepeatedFailures: bound('maxRepeatedFailures', 3),
    maxCalls: bound('maxCalls', 32),
    modelMs: bound('modelMs', 120_000),
  };
}
