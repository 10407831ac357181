import { AnswerCalls } from '../adapter/answer-calls.ts';
import { checkedText, checksReply } from '../adapter/joined.ts';
import type { Exchange } from '../adapter/own-fetch.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { itemTexts, memberTexts } from '../adapter/raw-json.ts';
import { halfText, handedText } from '../adapter/readable.ts';
import { isRendered, refusalOf } from '../adapter/unheard.ts';
import { objects, textOf } from '../adapter/wire.ts';
import type { JsonObject, JsonValue } from '../call/json.ts';
import type { NewestMap } from '../call/newest-map.ts';
import { renderResult } from '../call/result.ts';
import { isJsonObject } from '../decode/json-copy.ts';

/** What the exchanges of one conversation share. */
export interface MessagePort {
  readonly joined: ParsedJoined;
  /** Names of tools that the host, or the provider, runs by itself, as the requests tell them. */
  readonly others: Set<string>;
  /** The names of calls by their ids: a thread of the provider's keeps the messages that have them. */
  readonly names: NewestMap<string, string>;
}

/** How many names of calls are kept; past it the oldest goes. */
export const mostNames = 10_000;

function keepName({ names }: MessagePort, { id, name }: JsonObject): void {
  names.set(textOf(id), textOf(name));
}

/** A request of the Messages API and its answer. */
export function messageExchange(port: MessagePort, asked: JsonObject): Exchange {
  for (const { name } of objects(asked.tools)) {
    if (port.joined.runtime.toolset.find(textOf(name)) === undefined) port.others.add(textOf(name));
  }
  const reading = new AnswerReading(port);
  return {
    body: { ...asked, messages: ownMessages(port, objects(asked.messages)) },
    whole: (answer, text) => reading.whole(answer, text),
    event: (event) => reading.event(event),
  };
}

/** What the SDK says of a call of a tool that is not there is said by a result of ours. */
function ownMessages(port: MessagePort, messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    return { ...message, content: objects(message.content).map((block) => ownBlock(port, block)) };
  });
}

function ownBlock(port: MessagePort, block: JsonObject): JsonObject {
  if (block.type === 'tool_use') keepName(port, block);
  const { is_error: _, ...rest } = block;
  const { tool_use_id: id, content } = rest;
  const name = port.names.get(textOf(id));
  if (block.type !== 'tool_result' || name === undefined || port.others.has(name)) return block;
  if (typeof content !== 'string' || isRendered(content)) return block;
  const call = { name, arguments: port.joined.texts.find(textOf(id)) ?? '{}' };
  const refusal = refusalOf(port.joined, call);
  return refusal?.code === 'unknown_tool' ? { ...rest, content: renderResult(refusal) } : block;
}

/** A tool call of a streamed answer. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  text: string;
}

/** One answer, whole or as it comes. */
class AnswerReading {
  readonly #port: MessagePort;
  readonly #joined: ParsedJoined;
  readonly #calls: AnswerCalls;
  readonly #open = new Map<JsonValue | undefined, OpenCall>();
  readonly #held: JsonObject[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
    this.#joined = port.joined;
    this.#calls = new AnswerCalls(port.others);
  }

  #withFreshId(block: JsonObject): JsonObject {
    const id = this.#calls.add(textOf(block.name), textOf(block.id));
    keepName(this.#port, { id, name: block.name ?? '' });
    return { ...block, id };
  }

  async whole(answer: JsonObject, text: string): Promise<JsonObject> {
    if (!Array.isArray(answer.content)) return answer;
    const texts = itemTexts(memberTexts(text).get('content') ?? '[]');
    const isCut = cutOff.has(textOf(answer.stop_reason));
    const content = answer.content.map((block: JsonValue, index: number) => {
      if (!isJsonObject(block) || block.type !== 'tool_use') return block;
      const written = memberTexts(texts[index] ?? '{}').get('input') ?? '{}';
      // What the provider made of half a call has lost that it is half of one.
      const isHalf = isCut && index === texts.length - 1;
      return this.#wholeCall(block, isHalf ? halfText(written) : written);
    });
    return {
      ...answer,
      content: this.#calls.count > 0 ? content : await this.#checkedContent(content),
      stop_reason: this.#stopReason(answer.stop_reason),
    };
  }

  #wholeCall(given: JsonObject, text: string): JsonObject {
    const block = this.#withFreshId(given);
    const name = textOf(block.name);
    if (this.#port.others.has(name)) return block;
    this.#joined.texts.keep(textOf(block.id), text);
    const handed = handedText(this.#joined.runtime.toolset, name, text);
    return { ...block, input: JSON.parse(handed === '' ? '{}' : handed) };
  }

  async #checkedContent(content: readonly JsonValue[]): Promise<readonly JsonValue[]> {
    const texts = objects(content).filter(({ type }) => type === 'text');
    const said = texts.map(({ text }) => textOf(text)).join('');
    const reply = await checkedText(said, this.#joined);
    if (reply === said) return content;
    return objects(content).flatMap((block) => {
      if (block.type !== 'text') return [block];
      const { citations: _, ...rest } = block;
      return block === texts[0] ? [{ ...rest, text: reply }] : [];
    });
  }

  /** An answer that was cut off in a call of ours is answered like any call that cannot run. */
  #stopReason(reason: JsonValue = null): JsonValue {
    return cutOff.has(textOf(reason)) && this.#calls.areOurs ? 'tool_use' : reason;
  }

  async event(event: JsonObject): Promise<readonly JsonObject[]> {
    switch (event.type) {
      case 'content_block_start':
        return this.#start(event);
      case 'content_block_delta':
        return this.#delta(event);
      case 'content_block_stop':
        return this.#held.length > 0 ? this.#hold(event) : this.#stop(event);
      case 'message_delta':
        return [...(await this.#checkedEvents()), this.#end(event)];
      case 'error':
        // It broke off: what was held back is not shown, and the client hears why.
        return [event];
      default:
        return this.#held.length > 0 && event.type !== 'ping' ? this.#hold(event) : [event];
    }
  }

  /** From the first text on, events are held back until a call, or the end, has come. */
  #start(event: JsonObject): readonly JsonObject[] {
    const block = isJsonObject(event.content_block) ? event.content_block : {};
    if (block.type === 'tool_use') {
      const own = this.#withFreshId(block);
      const name = textOf(own.name);
      if (!this.#port.others.has(name)) {
        this.#open.set(event.index, { id: textOf(own.id), name, text: '' });
      }
      return [...this.#held.splice(0), { ...event, content_block: own }];
    }
    const mayBeLast = checksReply(this.#joined) && this.#calls.count === 0;
    return this.#held.length > 0 || (mayBeLast && block.type === 'text')
      ? this.#hold(event)
      : [event];
  }

  #delta(event: JsonObject): readonly JsonObject[] {
    const call = this.#open.get(event.index);
    if (call === undefined) return this.#held.length > 0 ? this.#hold(event) : [event];
    const { delta } = event;
    call.text += isJsonObject(delta) ? textOf(delta.partial_json) : '';
    return [];
  }

  /** The arguments of a call go on at once, as the SDK can read them. */
  #stop(event: JsonObject): readonly JsonObject[] {
    const { index } = event;
    const call = this.#open.get(index);
    if (call === undefined) return [event];
    this.#open.delete(index);
    this.#joined.texts.keep(call.id, call.text);
    const partial_json = handedText(this.#joined.runtime.toolset, call.name, call.text);
    const delta = { type: 'input_json_delta', partial_json };
    return [{ type: 'content_block_delta', index: index ?? 0, delta }, event];
  }

  #hold(event: JsonObject): readonly JsonObject[] {
    this.#held.push(event);
    return [];
  }

  #end(event: JsonObject): JsonObject {
    const { delta } = event;
    if (!isJsonObject(delta)) return event;
    return { ...event, delta: { ...delta, stop_reason: this.#stopReason(delta.stop_reason) } };
  }

  async #checkedEvents(): Promise<readonly JsonObject[]> {
    const held = this.#held.splice(0);
    const said = held.map((event) => textOf(deltaOf(event).text)).join('');
    const reply = await checkedText(said, this.#joined);
    if (reply === said) return held;
    const [first] = held;
    const delta = { type: 'text_delta', text: reply };
    return held.flatMap((event) => {
      if (event === first)
        return [event, { type: 'content_block_delta', index: event.index ?? 0, delta }];
      return ofText.has(textOf(deltaOf(event).type)) ? [] : [event];
    });
  }
}

const cutOff: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);
const ofText: ReadonlySet<string> = new Set(['text_delta', 'citations_delta']);

function deltaOf({ delta }: JsonObject): JsonObject {
  return isJsonObject(delta) ? delta : {};
}
