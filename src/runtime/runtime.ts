import type { JsonObject } from '../call/json.ts';
import type { FailedResult, Result } from '../call/result.ts';
import type { AnyTool, DecodedCall, Effect, Tool, Toolset } from '../call/tool.ts';
import type { Entry } from '../ledger/entry.ts';
import type { EntryQuery, SettleAnswer } from '../ledger/ledger.ts';
import type { ReplyCheck, ReplyGuarding, ReplyOptions } from '../reply/types.ts';
import type { RuntimeEvent } from './events.ts';
import type { Reconciled } from './reconcile.ts';
import type { VerdictGrounds } from './settle.ts';
import type { SettlementHandler } from './settlements.ts';

/** The context that a list of tools needs: what each of them needs, together. */
export type ContextOf<Tools extends readonly AnyTool[]> = Together<
  { [I in keyof Tools]: ContextOfTool<Tools[I]> }[number]
>;

type ContextOfTool<T> =
  T extends Tool<infer _N, infer _S, infer Context, infer _D> ? Context : never;

type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer A) => void
  ? A
  : never;

/** A tool call in its place. */
export interface CallRequest<Context = unknown> {
  readonly name: string;
  /** The text of the arguments, as the model wrote it. */
  readonly arguments: string;
  /** The conversation or job: given by the host, never by the model. */
  readonly scope: string;
  /** The host's own, never shown to the model. */
  readonly context?: Context;
  /** Aborted when the user leaves. It reaches a write only until it is dispatched. */
  readonly signal?: AbortSignal;
  /** Tells one turn of the user's from the next: a wanted repeat needs a new one. */
  readonly turn?: string | number;
  /** The id that the model's provider gave the call, for events and traces only: models reuse them. */
  readonly callId?: string;
  /**
   * Asked once the call is decoded, right before it would run: a failure to tell in its place, as
   * when a person has to approve it first, or undefined to let it run. Where it throws, nothing runs.
   */
  guard?(call: DecodedCall): FailedResult | undefined | Promise<FailedResult | undefined>;
}

/** What the host gets; the model gets `result`. */
export interface CallOutcome {
  readonly result: Result;
  readonly tool: string;
  /** The key of the write's entry. */
  readonly key?: string;
}

/** A tool as a model is shown it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly effect: Effect;
}

/** What `close` came to: whether everything that was under way has ended. */
export interface Closed {
  readonly drained: boolean;
}

/** How busy a runtime is: this process, not its ledger. */
export interface Load {
  /** How many tools run now, of `maxConcurrent`. */
  readonly running: number;
  readonly maxConcurrent: number;
  /** How many calls wait for one of those places, and how many for their lane: at most `maxWaiting` each. */
  readonly waitingForCap: number;
  readonly waitingForLane: number;
  readonly maxWaiting: number;
  /** How many runs that were told unknown still wait for their answers, of `maxLate`. */
  readonly late: number;
  readonly maxLate: number;
}

/** Runs tool calls and tells the truth about them. */
export interface Runtime<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  readonly toolset: Toolset;
  /** The tools to show to a model, those left out that are not available in the context. */
  tools(context?: ContextOf<Tools>): readonly ShownTool[];
  /** Decodes, executes and tells. It does not reject, whatever the model sent. */
  call(request: CallRequest<ContextOf<Tools>>): Promise<CallOutcome>;
  /**
   * Asks the remote systems about what is unsettled and due, or about one entry alone; a runtime also
   * does so by itself.
   */
  reconcile(key?: string): Promise<Reconciled>;
  /** A verdict from a webhook or an operator. */
  settle(
    key: string,
    verdict: 'happened' | 'did_not_happen',
    grounds: VerdictGrounds,
  ): Promise<SettleAnswer>;
  /** Tells each settlement of what the model was told to be unknown, at least once, also after a restart. */
  onSettled(handler: SettlementHandler): () => void;
  on(listener: (event: RuntimeEvent) => void): () => void;
  load(): Load;
  /**
   * Holds a final reply against the record of its scope. What reads showed in this process is known;
   * give `reads` where the conversation went on in another. Rejects where the ledger does not answer.
   */
  checkReply(scope: string, text: string, options?: ReplyOptions): Promise<ReplyCheck>;
  /**
   * The same for a reply that is still being written: each sentence may be shown as soon as nothing
   * contradicts it, and what is false is replaced before it is shown. One guard serves one reply.
   */
  guardReply(scope: string, options?: ReplyOptions): ReplyGuarding;
  /** The record of a scope, oldest first. */
  entries(query: EntryQuery): Promise<readonly Entry[]>;
  /** Takes no more calls, waits up to `graceMs` (10 s) for what is under way. The ledger stays open. */
  close(options?: { readonly graceMs?: number }): Promise<Closed>;
}
