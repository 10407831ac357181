import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { type BaseMessage, isAIMessage } from '@langchain/core/messages';
import { StructuredTool, type ToolRunnableConfig } from '@langchain/core/tools';
import { editedText } from '../adapter/as-written.ts';
import { runCall } from '../adapter/joined.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import type { Place } from '../adapter/place.ts';
import { warnOfLostText } from '../adapter/warn-once.ts';
import type { JsonObject } from '../call/json.ts';
import { type Result, renderResult } from '../call/result.ts';
import type { ShownTool } from '../runtime/runtime.ts';
import { personsRefusal } from './approval.ts';
import { rawCalls } from './read-answer.ts';

/** The graph hands on its state beside what the types say. */
type RunConfig = ToolRunnableConfig & { readonly state?: unknown };

/** One tool of a runtime as one of LangChain's. It throws only to wait for a person. */
export class RuntimeTool extends StructuredTool<JsonObject, JsonObject, JsonObject> {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  override responseFormat = 'content_and_artifact';
  readonly #place: Place;

  constructor({ name, description, parameters }: ShownTool, place: Place) {
    super({});
    this.name = name;
    this.description = description;
    this.schema = parameters;
    this.#place = place;
  }

  /** LangChain's own copy of the arguments is never what runs, so it has nothing to check. */
  override call(input: never, config: object = {}): never {
    const unchecked = Object.create(this, {
      schema: { value: {} },
      _call: { value: this._call.bind(this) },
    });
    return super.call.call(unchecked, input, { runName: this.name, ...config }) as never;
  }

  /** What the model is told, and the result itself as the artifact of the message. */
  protected async _call(
    input: JsonObject,
    _run?: CallbackManagerForToolRun,
    config: RunConfig = {},
  ): Promise<[string, Result]> {
    const joined = this.#place.of(config.configurable?.thread_id);
    const result = await this.#run(joined, input, config);
    return [renderResult(result), result];
  }

  async #run(joined: ParsedJoined, input: JsonObject, config: RunConfig): Promise<Result> {
    const { name } = this;
    const callId = config.toolCall?.id ?? '';
    if (joined.texts.find(callId) === undefined) recall(joined, callId, config.state);
    const text = editedText(joined, { name, callId, input });
    const refusal = await personsRefusal(joined, { id: callId, name, text });
    if (refusal !== undefined) return refusal;
    joined.texts.run(callId);
    return runCall(joined, { name, text, signal: config.signal });
  }
}

/** A thread that goes on in another process still holds what the model wrote there. */
function recall({ texts }: ParsedJoined, callId: string, state: unknown): void {
  const messages = Array.isArray(state) ? state : (state as { messages?: unknown })?.messages;
  const answer = Array.isArray(messages)
    ? (messages as BaseMessage[]).findLast((message) => isAIMessage(message))
    : undefined;
  const raw = answer === undefined ? undefined : rawCalls(answer).find(({ id }) => id === callId);
  if (raw === undefined) warnOfLostText('langchain', 'Use the model that forLangChain returns.');
  else texts.keep(callId, raw.text);
}
