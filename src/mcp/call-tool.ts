import type { JsonObject } from '../call/json.ts';
import { failed, type Result, renderResult, withWarning } from '../call/result.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Question, questionIn, withArgument } from './clarification.ts';
import type { CallInPlace, FormAnswer } from './mcp-request.ts';
import type { Place } from './place.ts';
import { tellProgress } from './progress.ts';
import type { RawCall } from './raw-message.ts';

/** What a server answers to `tools/call`. */
export type CallAnswer = ToolAnswer | InputRequired;

interface ToolAnswer {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: JsonObject;
  readonly isError?: true;
}

/** The user is to be asked, and the call to be sent again with the answer (SDK 2). */
interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<
    Record<string, { readonly method: 'elicitation/create'; readonly params: object }>
  >;
}

/** How many questions one call may ask of the user. */
const mostQuestions = 5;

/**
 * Runs a call by its text. What only the user can supply is asked for, where the client shows forms;
 * the call goes on with the answer, decoded like any other text. Never rejects.
 */
export async function callTool(
  runtime: Runtime,
  call: RawCall,
  inPlace: CallInPlace,
  place: Place,
): Promise<CallAnswer> {
  let { text } = call;
  for (let asked = 0; ; asked++) {
    const result = await run(runtime, { ...call, text }, inPlace, place);
    const tool = runtime.toolset.find(call.name);
    const question = inPlace.canAsk && asked < mostQuestions ? questionIn(result, tool) : undefined;
    if (question === undefined) return toolAnswer(result);
    const answer = await ask(inPlace, question);
    if (answer === 'again') return inputRequired(question);
    if (answer === 'failed') return toolAnswer(result);
    const filled = answer.accepted && withArgument(text, question.parameterName, answer.value);
    if (filled === undefined || filled === false) return toolAnswer(withWarning(result, notSaid));
    text = filled;
  }
}

const notSaid = {
  code: 'user_did_not_say',
  message: 'The user was asked for it and did not say.',
};

const broken = failed(
  'invalid_json',
  'The message that held this call is not JSON as a whole; nothing was sent.',
);

async function run(
  runtime: Runtime,
  { name, text, isBroken }: RawCall,
  inPlace: CallInPlace,
  place: Place,
): Promise<Result> {
  if (!place.ok) return place.error;
  const { scope, context, turn } = place.value;
  const { id, signal } = inPlace;
  const stop = tellProgress(runtime, inPlace);
  try {
    const { result } = await runtime.call({
      name,
      arguments: text,
      scope,
      signal,
      callId: String(id),
      ...(context === undefined ? {} : { context: context as never }),
      ...(turn === undefined ? {} : { turn }),
      ...(isBroken ? { guard: () => broken } : {}),
    });
    return result;
  } finally {
    stop();
  }
}

async function ask(
  inPlace: CallInPlace,
  { parameterName, form }: Question,
): Promise<{ accepted: boolean; value?: unknown } | 'again' | 'failed'> {
  let answer: FormAnswer | undefined;
  try {
    answer = await inPlace.ask(parameterName, form);
  } catch {
    return 'failed';
  }
  if (answer === undefined) return 'again';
  const { action, content } = answer;
  const isThere =
    typeof content === 'object' && content !== null && Object.hasOwn(content, parameterName);
  if (action !== 'accept' || !isThere) return { accepted: false };
  return { accepted: true, value: (content as Record<string, unknown>)[parameterName] };
}

function toolAnswer(result: Result): ToolAnswer {
  return {
    content: [{ type: 'text', text: renderResult(result) }],
    structuredContent: result as unknown as JsonObject,
    // What is unknown or skipped is no error: a client that retries errors must not repeat it.
    ...(result.outcome === 'failed' ? { isError: true } : {}),
  };
}

function inputRequired({ parameterName, form }: Question): InputRequired {
  const params = { mode: 'form', ...form };
  return {
    resultType: 'input_required',
    inputRequests: { [parameterName]: { method: 'elicitation/create', params } },
  };
}
