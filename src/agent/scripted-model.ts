import type { OutcomeName } from '../call/codes.ts';
import type { JsonObject, JsonValue } from '../call/json.ts';
import type { Message, Model, Turn, TurnCall, TurnOptions } from './turn.ts';

/** One turn of a script: said as it stands, or made from the conversation so far. */
export type ScriptedTurn =
  | Turn
  | ((conversation: readonly Message[], options: TurnOptions) => Turn | Promise<Turn>);

/** A model that says what its script says; asked once more than that, it rejects. */
export function scriptedModel(script: readonly ScriptedTurn[]): Model {
  let asked = 0;
  return {
    async next(conversation, options) {
      const turn = script[asked];
      asked += 1;
      if (turn === undefined) {
        throw new Error(`the script has ${script.length} turns, and was asked for turn ${asked}`);
      }
      return typeof turn === 'function' ? turn(conversation, options) : turn;
    },
  };
}

/** A turn that speaks to the user. */
export function reply(text: string): Turn {
  return { kind: 'reply', text };
}

/** A turn that calls tools side by side. */
export function toolCalls(...calls: readonly TurnCall[]): Turn {
  return { kind: 'tool_calls', calls };
}

let made = 0;

/** A tool call with an id of its own; arguments that are no text yet are written as JSON. */
export function toolCall(name: string, args: string | JsonObject): TurnCall {
  made += 1;
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return { id: `call_${made}`, name, arguments: text };
}

/** What a script reads of a result: the JSON that the model was given. */
export interface ReadResult {
  readonly outcome: OutcomeName;
  readonly code: string;
  readonly summary: string;
  readonly data?: JsonValue;
  readonly ref?: string;
  readonly nextActions?: readonly string[];
  readonly outputs?: JsonObject;
}

/** The results of the latest calls, in their order; none where the conversation does not end with them. */
export function lastResults(conversation: readonly Message[]): readonly ReadResult[] {
  const start = conversation.findLastIndex(({ role }) => role !== 'tool') + 1;
  return conversation
    .slice(start)
    .flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.text)] : []));
}
