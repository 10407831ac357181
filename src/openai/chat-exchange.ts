import { AnswerCalls } from '../adapter/answer-calls.ts';
import { checkedText, checksReply, type Joined } from '../adapter/joined.ts';
import type { Offered } from '../adapter/offered.ts';
import type { Exchange } from '../adapter/own-fetch.ts';
import { isRendered, refusalOf } from '../adapter/unheard.ts';
import { objects, textOf } from '../adapter/wire.ts';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { renderResult } from '../call/result.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import { wireFunction } from './wire-function.ts';

/** What the exchanges of one conversation share. */
export interface ChatPort {
  readonly joined: Joined;
  readonly offered: Offered;
  /** Names of tools that the host runs by itself, as its requests tell them. */
  readonly others: Set<string>;
}

/** A request of chat completions and its answer. */
export function chatExchange(port: ChatPort, asked: JsonObject): Exchange {
  const tools = objects(asked.tools);
  for (const tool of tools) {
    const name = nameOf(tool);
    if (port.joined.runtime.toolset.find(name) === undefined) port.others.add(name);
  }
  const choices = new Map<JsonValue, ChoiceReading>();
  const reading = ({ index = 0 }: JsonObject): ChoiceReading => {
    const one = choices.get(index) ?? new ChoiceReading(port);
    choices.set(index, one);
    return one;
  };
  return {
    body: {
      ...asked,
      messages: ownMessages(port, objects(asked.messages)),
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => wireTool(port, tool)) }),
    },
    whole: async (answer) => ({
      ...answer,
      choices: await Promise.all(
        objects(answer.choices).map((choice) => reading(choice).read(choice, 'message')),
      ),
    }),
    event: async (event) => [
      {
        ...event,
        ...(event.choices === undefined
          ? {}
          : {
              choices: await Promise.all(
                objects(event.choices).map((choice) => reading(choice).read(choice, 'delta')),
              ),
            }),
      },
    ],
  };
}

function wireTool({ offered }: ChatPort, tool: JsonObject): JsonObject {
  return isJsonObject(tool.function)
    ? { ...tool, function: wireFunction(offered, tool.function) }
    : tool;
}

/** What the SDK says of a call of a tool that is not there is said by a result of ours. */
function ownMessages(port: ChatPort, messages: readonly JsonObject[]): readonly JsonObject[] {
  const made = new Map<JsonValue | undefined, JsonObject>();
  return messages.map((message) => {
    for (const call of objects(message.tool_calls)) made.set(call.id, call);
    const call = made.get(message.tool_call_id);
    if (message.role !== 'tool' || call === undefined) return message;
    const name = nameOf(call);
    const { content } = message;
    if (port.others.has(name) || typeof content !== 'string' || isRendered(content)) return message;
    const text = isJsonObject(call.function) ? String(call.function.arguments) : '';
    const refusal = refusalOf(port.joined, { name, arguments: text });
    return refusal?.code === 'unknown_tool'
      ? { ...message, content: renderResult(refusal) }
      : message;
  });
}

/** One choice of an answer, whole or as it comes: each piece of it is read in the same way. */
class ChoiceReading {
  readonly #joined: Joined;
  readonly #calls: AnswerCalls;
  readonly #ids = new Map<JsonValue, string>();
  #said = '';

  constructor({ joined, others }: ChatPort) {
    this.#joined = joined;
    this.#calls = new AnswerCalls(others);
  }

  async read(choice: JsonObject, part: 'message' | 'delta'): Promise<JsonObject> {
    const { finish_reason: reason = null } = choice;
    const isLast = part === 'message' || reason !== null;
    const piece = isJsonObject(choice[part]) ? choice[part] : {};
    const calls = objects(piece.tool_calls).map((call, at) => this.#withFreshId(call, at));
    const read = {
      ...piece,
      ...(piece.tool_calls === undefined || piece.tool_calls === null ? {} : { tool_calls: calls }),
      ...(await this.#content(piece, isLast)),
    };
    const mustGoOn = isLast && reason === 'length' && this.#calls.areOurs;
    return {
      ...choice,
      [part]: read,
      ...(mustGoOn ? { finish_reason: 'tool_calls' } : {}),
      // They have the text in them.
      ...(checksReply(this.#joined) && isJsonObject(choice.logprobs) ? { logprobs: null } : {}),
    };
  }

  #withFreshId(call: JsonObject, at: number): JsonObject {
    const { index = at, id } = call;
    const known = this.#ids.get(index);
    if (typeof id !== 'string' || id === '') return call;
    const fresh = known ?? this.#calls.add(nameOf(call), id);
    this.#ids.set(index, fresh);
    return { ...call, id: fresh };
  }

  /** Text is held back until the choice is complete: beside calls it is no last answer. */
  async #content({ content }: JsonObject, isLast: boolean): Promise<JsonObject> {
    if (!checksReply(this.#joined)) return {};
    if (typeof content === 'string') this.#said += content;
    if (!isLast) return typeof content === 'string' ? { content: '' } : {};
    if (this.#said === '') return {};
    const isReply = this.#calls.count === 0;
    return { content: isReply ? await checkedText(this.#said, this.#joined) : this.#said };
  }
}

/** The name in a tool, or in a call of one: of a function, or of a custom one. */
function nameOf({ function: named, custom }: JsonObject): string {
  const { name } = isJsonObject(named) ? named : isJsonObject(custom) ? custom : {};
  return textOf(name);
}
