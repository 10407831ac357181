import type { FailedResult, Result } from '../call/result.ts';
import type { AnyTool, DecodedCall } from '../call/tool.ts';
import type { ReplyGuarding, ReplyOptions } from '../reply/types.ts';
import type { ContextOf, Runtime } from '../runtime/runtime.ts';

/** What every adapter takes beside the runtime. */
export interface AdapterOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  /** The conversation or job: the id of the chat. */
  readonly scope: string;
  /** The host's own, for the tools. */
  readonly context?: ContextOf<Tools>;
  /** The id of this turn of the user's: a wanted repeat needs a new one. */
  readonly turn?: string | number;
  /**
   * Holds each last answer against the record of the scope before it is seen; in a stream each
   * sentence is shown as soon as nothing contradicts it, where the framework lets it be told apart
   * from words beside a call. `false` if left out.
   */
  readonly checkReply?: boolean | ReplyOptions;
}

/** What the model's side and the tools' side of an adapter share. */
export interface Joined {
  readonly runtime: Runtime;
  readonly options: AdapterOptions;
}

/** A call as an adapter hands it to the runtime. */
interface HandedCall {
  readonly name: string;
  /** The text of the arguments, as the model wrote it. */
  readonly text: string;
  readonly signal?: AbortSignal | undefined;
  guard?(call: DecodedCall): FailedResult | undefined;
}

/** Runs one call in the place that the options name. Never rejects. */
export async function runCall({ runtime, options }: Joined, call: HandedCall): Promise<Result> {
  const { scope, context, turn } = options;
  const { result } = await runtime.call({
    name: call.name,
    arguments: call.text,
    scope,
    ...(context === undefined ? {} : { context }),
    ...(turn === undefined ? {} : { turn }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(call.guard === undefined ? {} : { guard: call.guard }),
  });
  return result;
}

/** Whether last answers are to be held against the record. */
export function checksReply({ options: { checkReply } }: Joined): boolean {
  return checkReply !== undefined && checkReply !== false;
}

/** What the user may be shown in place of what the model said, by the options. */
export async function checkedText(said: string, { runtime, options }: Joined): Promise<string> {
  const { checkReply = false, scope } = options;
  if (checkReply === false || said.trim() === '') return said;
  const rules = checkReply === true ? {} : checkReply;
  return (await runtime.checkReply(scope, said, rules)).reply;
}

/** The same for an answer that is still being written; undefined where answers are not checked. */
export function guardedReply({ runtime, options }: Joined): ReplyGuarding | undefined {
  const { checkReply = false, scope } = options;
  return checkReply === false
    ? undefined
    : runtime.guardReply(scope, checkReply === true ? {} : checkReply);
}
