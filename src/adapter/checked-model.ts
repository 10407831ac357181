import { checkedText, checksReply } from './joined.ts';
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
  const content = generated.content.map((part) => calls.read(part));
  const { finishReason } = generated;
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
  const isHeld = checksReply(joined);
  const held: Part[] = [];
  const reading = new TransformStream<Part, Part>({
    async transform(part, stream) {
      if (isHeld && isText(part)) return void held.push(part);
      if (part.type !== 'finish') return stream.enqueue(calls.read(part));
      const last = calls.count > 0 ? held : await checkedParts(held, joined);
      for (const one of last) stream.enqueue(one);
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

async function checkedParts(held: readonly Part[], joined: ParsedJoined): Promise<readonly Part[]> {
  const said = held.map(({ delta }) => delta ?? '').join('');
  const reply = await checkedText(said, joined);
  const { id } = held[0] ?? {};
  if (reply === said || id === undefined) return held;
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: reply },
    { type: 'text-end', id },
  ];
}

function isText({ type }: Part): boolean {
  return type === 'text-start' || type === 'text-delta' || type === 'text-end';
}
