import type { ReplyGuarding } from '../reply/types.ts';
import { checkedText, guardedReply } from './joined.ts';
import { ownPrompt } from './own-prompt.ts';
import type { ParsedJoined } from './parsed.ts';
import {
  type AnyLanguageModel,
  type CallOptions,
  type Generated,
  type Part,
  type SpokenModel,
  type Streamed,
  withWord,
  wordOf,
} from './protocol.ts';
import { SeenCalls } from './seen-calls.ts';

/**
 * The same model, through which the text of each call is kept, calls that the SDK could not read reach
 * the tools all the same, what it says of failed calls is said in our words and, where it is wanted, the
 * last answer is held against the record. `place` is asked anew for each answer.
 */
export function checkedModel<Model extends AnyLanguageModel>(
  model: Model,
  place: () => ParsedJoined,
): Model {
  const spoken = model as unknown as SpokenModel;
  const own: SpokenModel & Omit<AnyLanguageModel, keyof SpokenModel> = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    doGenerate: async (options) => {
      const joined = place();
      return readGenerated(await spoken.doGenerate(ownPrompt(joined, options)), joined, options);
    },
    doStream: async (options) => {
      const joined = place();
      return readStreamed(await spoken.doStream(ownPrompt(joined, options)), joined, options);
    },
  };
  // Asked of the model itself, whose getter it may be.
  Object.defineProperty(own, 'supportedUrls', {
    enumerable: true,
    get: () => Reflect.get(model, 'supportedUrls'),
  });
  return own as unknown as Model;
}

async function readGenerated(
  generated: Generated,
  joined: ParsedJoined,
  options: CallOptions,
): Promise<Generated> {
  const calls = new SeenCalls(joined, options);
  const { finishReason } = generated;
  const cutAt = wordOf(finishReason) === 'length' ? generated.content.length - 1 : -1;
  const content = generated.content.map((part, at) => calls.read(part, at === cutAt));
  return {
    ...generated,
    content: calls.count > 0 ? content : await checkedContent(content, joined),
    finishReason: calls.mustGoOn(wordOf(finishReason))
      ? withWord(finishReason, 'tool-calls')
      : finishReason,
  };
}

async function checkedContent(
  content: readonly Part[],
  joined: ParsedJoined,
): Promise<readonly Part[]> {
  const texts = content.filter(({ type }) => type === 'text');
  const said = texts.map(({ text }) => text ?? '').join('');
  const reply = await checkedText(said, joined);
  if (reply === said) return content;
  return content.flatMap((part) => {
    if (part.type !== 'text') return [part];
    return part === texts[0] ? [{ ...part, text: reply }] : [];
  });
}

function readStreamed(streamed: Streamed, joined: ParsedJoined, options: CallOptions): Streamed {
  const calls = new SeenCalls(joined, options);
  const speech = guardedSpeech(joined);
  const reading = new TransformStream<Part, Part>({
    async transform(part, stream) {
      if (speech && isText(part)) {
        for (const one of await speech.say(part)) stream.enqueue(one);
        return;
      }
      // What breaks off is not shown; what the provider itself looks up between two texts ends none.
      if (speech && endsText(part)) for (const one of await speech.end()) stream.enqueue(one);
      if (part.type !== 'finish') return stream.enqueue(calls.read(part));
      const { finishReason = 'other' } = part;
      stream.enqueue(
        calls.mustGoOn(wordOf(finishReason))
          ? { ...part, finishReason: withWord(finishReason, 'tool-calls') }
          : part,
      );
    },
  });
  return { ...streamed, stream: streamed.stream.pipeThrough(reading) };
}

function guardedSpeech(joined: ParsedJoined): GuardedSpeech | undefined {
  const guard = guardedReply(joined);
  return guard && new GuardedSpeech(guard);
}

/** The parts of a text, each sentence shown as soon as nothing contradicts it. */
class GuardedSpeech {
  readonly #guard: ReplyGuarding;
  /** The text that is open; its end is kept back until what is left of it is known. */
  #open: Part | undefined;
  #closed: Part | undefined;
  #ended = false;

  constructor(guard: ReplyGuarding) {
    this.#guard = guard;
  }

  async say(part: Part): Promise<readonly Part[]> {
    // Beside a call it is no last answer.
    if (this.#ended) return [part];
    if (part.type === 'text-start') {
      const closed = this.#close();
      this.#open = part;
      return [...closed, part];
    }
    if (part.type === 'text-end') {
      this.#closed = part;
      return [];
    }
    return this.#shown(await this.#guard.push(part.delta ?? ''));
  }

  /** What is left of the text, and its end. */
  async end(): Promise<readonly Part[]> {
    if (this.#ended) return [];
    this.#ended = true;
    if (this.#open === undefined) return [];
    return [...this.#shown(await this.#guard.end()), ...this.#close()];
  }

  #shown(delta: string): readonly Part[] {
    const { id } = this.#open ?? {};
    return delta === '' || id === undefined ? [] : [{ type: 'text-delta', id, delta }];
  }

  #close(): readonly Part[] {
    const closed = this.#closed;
    this.#closed = undefined;
    return closed ? [closed] : [];
  }
}

function isText({ type }: Part): boolean {
  return type === 'text-start' || type === 'text-delta' || type === 'text-end';
}

function endsText({ type, providerExecuted }: Part): boolean {
  if (type === 'finish') return true;
  return (type === 'tool-input-start' || type === 'tool-call') && providerExecuted !== true;
}
