import { AnswerCalls } from '../adapter/answer-calls.ts';
import { checkedText, type Joined } from '../adapter/joined.ts';
import type { Offered } from '../adapter/offered.ts';
import type { Exchange } from '../adapter/own-fetch.ts';
import { objects, textOf } from '../adapter/wire.ts';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { wireFunction } from './wire-function.ts';

/** What the exchanges of one conversation share. */
export interface ResponsesPort {
  /** The runtime in the conversation that a request or an answer names, where the host names none. */
  joinedIn(conversation: JsonValue | undefined): Joined;
  readonly runtime: Runtime;
  readonly checksReply: boolean;
  readonly offered: Offered;
  /** Names of tools that the host runs by itself, as its requests tell them. */
  readonly others: Set<string>;
}

/** A request of the Responses API and its answer. */
export function responsesExchange(port: ResponsesPort, asked: JsonObject): Exchange {
  const tools = objects(asked.tools);
  for (const { type, name } of tools) {
    const isOurs = type === 'function' && port.runtime.toolset.find(textOf(name)) !== undefined;
    if (!isOurs) port.others.add(textOf(name));
  }
  const reading = new ResponseReading(port, asked.conversation);
  const wireTool = (tool: JsonObject): JsonObject =>
    tool.type === 'function' ? wireFunction(port.offered, tool) : tool;
  return {
    body: { ...asked, ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }) },
    whole: (answer) => reading.whole(answer),
    event: (event) => reading.event(event),
  };
}

/** One answer, whole or as it comes. */
class ResponseReading {
  readonly #port: ResponsesPort;
  readonly #conversation: JsonValue | undefined;
  readonly #calls: AnswerCalls;
  readonly #ids = new Map<JsonValue, string>();
  readonly #held: JsonObject[] = [];

  constructor(port: ResponsesPort, conversation: JsonValue | undefined) {
    this.#port = port;
    this.#conversation = conversation;
    this.#calls = new AnswerCalls(port.others);
  }

  async whole(answer: JsonObject): Promise<JsonObject> {
    const response = this.#withFreshIds(answer);
    return saying(await this.#said(response), response);
  }

  /** From the first message on, events are held back until the answer is complete. */
  async event(event: JsonObject): Promise<readonly JsonObject[]> {
    const read = this.#read(event);
    const { response } = read;
    if (isJsonObject(response) && isOver(response)) {
      const said = await this.#said(response);
      const last = { ...read, response: saying(said, response) };
      return [...this.#held.splice(0).flatMap((one) => sayingEvent(said, one)), last];
    }
    // It broke off: what was held back is not shown, and the client hears why.
    if (read.type === 'error') return [read];
    const isHeld = this.#held.length > 0 || isMessage(read.item);
    if (!this.#port.checksReply || !isHeld) return [read];
    this.#held.push(read);
    return [];
  }

  #read(event: JsonObject): JsonObject {
    const { response, item, output_index: index = 0 } = event;
    return {
      ...event,
      ...(isJsonObject(response) ? { response: this.#withFreshIds(response) } : {}),
      ...(isJsonObject(item) ? { item: this.#withFreshId(item, index) } : {}),
    };
  }

  #withFreshIds(response: JsonObject): JsonObject {
    const output = objects(response.output).map((item, at) => this.#withFreshId(item, at));
    return response.output === undefined ? response : { ...response, output };
  }

  #withFreshId(item: JsonObject, index: JsonValue): JsonObject {
    if (item.type !== 'function_call') return item;
    const id = this.#ids.get(index) ?? this.#calls.add(textOf(item.name), textOf(item.call_id));
    this.#ids.set(index, id);
    return { ...item, call_id: id };
  }

  /** What is to be said in place of the message of an answer, and where; nothing to leave it as it is. */
  async #said(response: JsonObject): Promise<Said | undefined> {
    if (this.#calls.count > 0 || !this.#port.checksReply) return undefined;
    const places = textPlaces(response);
    const said = places.map(({ text }) => text).join('');
    const joined = this.#port.joinedIn(this.#conversation ?? response.conversation);
    const reply = await checkedText(said, joined);
    const [first] = places;
    return reply === said || first === undefined ? undefined : { at: first.at, reply };
  }
}

/** A text, and the place of the part that has it; all other parts have none. */
interface Said {
  readonly at: string;
  readonly reply: string;
}

function isOver({ status }: JsonObject): boolean {
  return status !== 'in_progress' && status !== 'queued';
}

function isMessage(item: JsonValue | undefined): boolean {
  return isJsonObject(item) && item.type === 'message';
}

function placeOf(output: JsonValue | undefined, content: JsonValue | undefined): string {
  return `${output}/${content}`;
}

function textPlaces({ output }: JsonObject): readonly { at: string; text: string }[] {
  return objects(output).flatMap((item, index) =>
    objects(item.content).flatMap(({ type, text }, inner) =>
      type === 'output_text' ? [{ at: placeOf(index, inner), text: textOf(text) }] : [],
    ),
  );
}

function saying(said: Said | undefined, response: JsonObject): JsonObject {
  if (said === undefined) return response;
  const output = objects(response.output).map((item, index) => sayingItem(said, item, index));
  return { ...response, output };
}

function sayingItem(said: Said, item: JsonObject, index: JsonValue): JsonObject {
  if (item.type !== 'message') return item;
  const content = objects(item.content).map((part, inner) =>
    sayingPart(said, part, placeOf(index, inner)),
  );
  return { ...item, content };
}

function sayingPart({ at, reply }: Said, part: JsonObject, place: string): JsonObject {
  if (part.type !== 'output_text') return part;
  return { ...part, text: place === at ? reply : '', annotations: [], logprobs: [] };
}

/** An event of a message that says something else: the new text comes whole, where the first one began. */
function sayingEvent(said: Said | undefined, event: JsonObject): readonly JsonObject[] {
  if (said === undefined) return [event];
  const { type, output_index: index = 0, content_index: inner = 0, item, part } = event;
  const place = placeOf(index, inner);
  const text = place === said.at ? said.reply : '';
  switch (type) {
    case 'response.output_text.delta':
    case 'response.output_text.annotation.added':
      return [];
    case 'response.content_part.added':
      return text === '' ? [event] : [event, { ...delta(event), delta: text }];
    case 'response.output_text.done':
      return [{ ...event, text, logprobs: [] }];
    case 'response.content_part.done':
      return [isJsonObject(part) ? { ...event, part: sayingPart(said, part, place) } : event];
    case 'response.output_item.done':
      return [isJsonObject(item) ? { ...event, item: sayingItem(said, item, index) } : event];
    default:
      return [event];
  }
}

function delta({ item_id, output_index, content_index, sequence_number }: JsonObject): JsonObject {
  const type = 'response.output_text.delta';
  const place = { item_id, output_index, content_index, sequence_number };
  return { type, ...place, logprobs: [] } as JsonObject;
}
