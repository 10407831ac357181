import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type MessageContent,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import { guardedReply } from '../adapter/joined.ts';
import type { Place } from '../adapter/place.ts';
import { ownMessages } from './own-messages.ts';
import { asLastChunk, asMessage, checkedContent, readCalls } from './read-answer.ts';

interface CheckedCallOptions extends BaseChatModelCallOptions {
  /** Of the run, since a model is told nothing else of it. */
  readonly threadId?: unknown;
}

type Spoken = Runnable<BaseLanguageModelInput, AIMessageChunk>;

/**
 * The same chat model, through which the text of each call is kept, malformed calls reach the tools
 * all the same and, where it is wanted, the last answer is held against the record before anybody
 * sees it: whoever listens to the graph hears this model, and not the one inside.
 */
export class CheckedChatModel extends BaseChatModel<CheckedCallOptions, AIMessageChunk> {
  readonly #model: BaseChatModel;
  readonly #place: Place;
  readonly #spoken: Spoken;
  readonly #others: ReadonlySet<string>;

  constructor(
    model: BaseChatModel,
    place: Place,
    bound: { readonly spoken?: Spoken; readonly others?: ReadonlySet<string> } = {},
  ) {
    super({});
    this.#model = model;
    this.#place = place;
    this.#spoken = bound.spoken ?? (model as unknown as Spoken);
    this.#others = bound.others ?? new Set();
  }

  override _llmType(): string {
    return 'forthright';
  }

  override getName(suffix?: string): string {
    return this.#model.getName(suffix);
  }

  override get profile(): BaseChatModel['profile'] {
    return this.#model.profile;
  }

  override getLsParams(
    options: this['ParsedCallOptions'],
  ): ReturnType<BaseChatModel['getLsParams']> {
    return this.#model.getLsParams(options as never);
  }

  override bindTools(tools: BindToolsInput[], kwargs: object = {}): CheckedChatModel {
    const { names } = this.#place.runtime.toolset;
    const spoken = this.#model.bindTools?.(tools, kwargs as never) as unknown as Spoken;
    const others = new Set(tools.map(nameOf).filter((name) => !names.includes(name)));
    return new CheckedChatModel(this.#model, this.#place, { spoken, others });
  }

  /** Its answers are data, of which nothing is kept or checked. */
  override withStructuredOutput(...args: readonly unknown[]): never {
    return this.#model.withStructuredOutput(...(args as [never])) as never;
  }

  protected override _separateRunnableConfigFromCallOptionsCompat(
    options?: Partial<CheckedCallOptions>,
  ): [RunnableConfig, this['ParsedCallOptions']] {
    const [config, others] = super._separateRunnableConfigFromCallOptionsCompat(options);
    return [config, { ...others, threadId: config.configurable?.thread_id }];
  }

  override async _generate(
    messages: BaseMessage[],
    { threadId, ...options }: this['ParsedCallOptions'],
  ): Promise<ChatResult> {
    const joined = this.#place.of(threadId);
    const asked = ownMessages(joined, this.#others, messages);
    const said: AIMessage = await this.#spoken.invoke(asked, silent(options));
    const read = readCalls(joined, this.#others, said);
    const content = await checkedContent(joined, read, said);
    const message = asMessage(said, this.#others, read, content);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    { threadId, ...options }: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const joined = this.#place.of(threadId);
    const asked = ownMessages(joined, this.#others, messages);
    const guard = guardedReply(joined);
    let whole: AIMessageChunk | undefined;
    let isHeld = false;
    for await (const chunk of await this.#spoken.stream(asked, silent(options))) {
      // Words among other content are held back until the answer is complete.
      isHeld ||= guard !== undefined && !whole?.text && typeof chunk.content !== 'string';
      whole = whole === undefined ? chunk : whole.concat(chunk);
      if (isHeld || chunk.content.length === 0) continue;
      const words = guard === undefined ? chunk.content : await guard.push(chunk.text);
      if (words.length > 0) yield* shown(wordsOf(chunk, words), run);
    }
    if (whole === undefined) return;
    if (guard !== undefined && !isHeld) yield* shown(wordsOf(whole, await guard.end()), run);
    const read = readCalls(joined, this.#others, whole);
    const content = isHeld ? await checkedContent(joined, read, whole) : '';
    yield* shown(asLastChunk(whole, this.#others, read, content), run);
  }
}

/** Nobody listens to the model inside. */
function silent(options: object): { readonly callbacks: [] } {
  return { ...options, callbacks: [] };
}

function nameOf(tool: BindToolsInput): string {
  const { name, function: called } = tool as { name?: string; function?: { name?: string } };
  return name ?? called?.name ?? '';
}

async function* shown(
  message: AIMessageChunk,
  run: CallbackManagerForLLMRun | undefined,
): AsyncGenerator<ChatGenerationChunk> {
  const chunk = new ChatGenerationChunk({ text: message.text, message });
  yield chunk;
  await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
}

/** Words alone: calls are shown once they are complete. */
function wordsOf({ id }: AIMessageChunk, content: MessageContent): AIMessageChunk {
  return new AIMessageChunk({ content, ...(id === undefined ? {} : { id }) });
}
