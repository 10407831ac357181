import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type MessageContent,
} from '@langchain/core/messages';
import { checkedText } from '../adapter/joined.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { FreshIds, halfText, handedText } from '../adapter/readable.ts';

/** A call as the model wrote it. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** The form in which LangChain keeps what a provider sent of a call. */
interface KeptCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** The calls of an answer, as the model wrote them. */
export interface ReadCalls {
  /** Whether there are none, of nobody's tools. */
  readonly isLast: boolean;
  /** The calls of ours, each with what LangChain is to take its arguments to be. */
  readonly mine: readonly (RawCall & { readonly handed: string })[];
}

/** Reads the calls anew: the text of each of ours is kept, and none is left out for being malformed. */
export function readCalls(
  joined: ParsedJoined,
  others: ReadonlySet<string>,
  message: AIMessage | AIMessageChunk,
): ReadCalls {
  const { toolset } = joined.runtime;
  const ids = new FreshIds();
  const calls = writtenCalls(message);
  const mine = calls
    .filter(({ name }) => !others.has(name))
    .map(({ id, name, text }) => {
      const fresh = { id: ids.take(id), name, text, handed: handedText(toolset, name, text) };
      joined.texts.keep(fresh.id, text);
      return fresh;
    });
  return { isLast: calls.length === 0, mine };
}

/** A whole answer, read anew. */
export function asMessage(
  message: AIMessage,
  others: ReadonlySet<string>,
  read: ReadCalls,
  content: MessageContent,
): AIMessage {
  const { id, name, response_metadata, usage_metadata } = message;
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  return new AIMessage({
    content,
    tool_calls: [
      ...tool_calls.filter((call) => others.has(call.name)),
      ...read.mine.map((call) => ({
        type: 'tool_call' as const,
        id: call.id,
        name: call.name,
        args: call.handed.trim() === '' ? {} : JSON.parse(call.handed),
      })),
    ],
    invalid_tool_calls: invalid_tool_calls.filter((call) => others.has(call.name ?? '')),
    additional_kwargs: keptIn(message, read),
    response_metadata,
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  });
}

/** The end of a streamed answer, read anew: its calls, and its words where they were held back. */
export function asLastChunk(
  whole: AIMessageChunk,
  others: ReadonlySet<string>,
  read: ReadCalls,
  content: MessageContent,
): AIMessageChunk {
  const { id, response_metadata, usage_metadata, tool_call_chunks: chunks = [] } = whole;
  const calls = [
    ...chunks.filter(({ name = '' }) => others.has(name)),
    ...read.mine.map((call) => ({ id: call.id, name: call.name, args: call.handed })),
  ];
  return new AIMessageChunk({
    content,
    tool_call_chunks: calls.map((call, index) => ({ ...call, type: 'tool_call_chunk', index })),
    additional_kwargs: keptIn(whole, read),
    response_metadata,
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
    ...(id === undefined ? {} : { id }),
  });
}

/** What was written, under the ids that the calls now have. */
function keptIn(
  { additional_kwargs: { tool_calls: _, ...others } }: BaseMessage,
  { mine }: ReadCalls,
): AIMessage['additional_kwargs'] {
  if (mine.length === 0) return others;
  const kept = mine.map(({ id, name, text }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: text },
  }));
  return { ...others, tool_calls: kept };
}

/** The calls of an answer in the order in which the model made them, where that is known. */
function writtenCalls(message: AIMessage | AIMessageChunk): readonly RawCall[] {
  const { tool_call_chunks: chunks = [] } = message as AIMessageChunk;
  if (chunks.length > 0) {
    return chunks.map(({ id = '', name = '', args = '' }) => ({ id, name, text: args }));
  }
  const raw = [...rawCalls(message), ...outputCalls(message)];
  if (raw.length > 0) return raw;
  const { tool_calls: valid = [], invalid_tool_calls: invalid = [] } = message;
  const cutAt = isCut(message) && invalid.length === 0 ? valid.length - 1 : -1;
  const textOf = (args: unknown, at: number): string =>
    at === cutAt ? halfText(JSON.stringify(args)) : JSON.stringify(args);
  return [
    ...valid.map(({ id = '', name, args }, at) => ({ id, name, text: textOf(args, at) })),
    ...invalid.map(({ id = '', name = '', args = '' }) => ({ id, name, text: args })),
  ];
}

/** Whether the answer was cut off, in the words of the providers. */
function isCut({ response_metadata: { stop_reason, finish_reason } }: BaseMessage): boolean {
  return cutOff.has(stop_reason) || cutOff.has(finish_reason);
}

const cutOff: ReadonlySet<unknown> = new Set([
  ...['max_tokens', 'model_context_window_exceeded', 'length', 'MAX_TOKENS'],
]);

/** One item of what OpenAI's Responses API answered, which LangChain keeps beside what it made of it. */
interface OutputItem {
  readonly type?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

function outputCalls({ response_metadata: { output } }: BaseMessage): readonly RawCall[] {
  const items: readonly OutputItem[] = Array.isArray(output) ? output : [];
  return items
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id = '', name = '', arguments: text = '' }) => ({ id: call_id, name, text }));
}

export function rawCalls({ additional_kwargs }: BaseMessage): readonly RawCall[] {
  const kept = (additional_kwargs.tool_calls ?? []) as readonly KeptCall[];
  return kept.map(({ id = '', function: called }) => ({
    id,
    name: called?.name ?? '',
    text: called?.arguments ?? '',
  }));
}

/** The words of an answer, held against the record where it is a last one and that is wanted. */
export async function checkedContent(
  joined: ParsedJoined,
  { isLast }: ReadCalls,
  { content, text }: AIMessage | AIMessageChunk,
): Promise<MessageContent> {
  const reply = isLast ? await checkedText(text, joined) : text;
  if (reply === text) return content;
  if (typeof content === 'string') return reply;
  const others = content.filter(({ type }) => type !== 'text');
  return [...others, { type: 'text', text: reply }];
}
