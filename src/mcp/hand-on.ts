import type { JsonObject, JsonValue } from '../call/json.ts';
import { parseStrict } from '../decode/strict-json.ts';
import type { RawCall, RawMessage, RequestId } from './raw-message.ts';

/** What a transport does with a message: hands it on to the server, or answers it itself. */
export type Handled =
  | { readonly kind: 'message'; readonly message: JsonObject }
  | { readonly kind: 'answer'; readonly code: number; readonly answer: string };

/**
 * A message as a server of the SDK takes it. The text of a call's arguments goes with it, so that the
 * call runs by what was written. What a user answered counts as not answered where something hides in
 * it: a key twice, or a number or text that cannot be held exactly.
 */
export function handOn(raw: RawMessage): Handled {
  switch (raw.kind) {
    case 'malformed':
      return { kind: 'answer', code: raw.code, answer: raw.answer };
    case 'notification':
      return { kind: 'message', message: raw.message };
    case 'response':
      return { kind: 'message', message: isStrict(raw.contentText) ? raw.message : unsaid(raw) };
    case 'request': {
      const message = isStrict(raw.inputsText) ? raw.message : allUnsaid(raw.message);
      const { call } = raw;
      return { kind: 'message', message: call === undefined ? message : carrying(message, call) };
    }
  }
}

function isStrict(text: string | undefined): boolean {
  return text === undefined || parseStrict(text).ok;
}

const notSaid = { action: 'cancel' };

function unsaid({ id }: { readonly id: RequestId }): JsonObject {
  return { jsonrpc: '2.0', id, result: notSaid };
}

function allUnsaid(message: JsonObject): JsonObject {
  const params = message.params as JsonObject;
  const asked = Object.keys(params.inputResponses ?? {});
  const inputResponses = Object.fromEntries(asked.map((name) => [name, notSaid]));
  return { ...message, params: { ...params, inputResponses } };
}

/** Not made by any JSON, so no client can write it. */
class Carried {
  readonly call: RawCall;

  constructor(call: RawCall) {
    this.call = call;
  }
}

/** The member of the arguments under which a call is carried through the SDK, which checks only objects. */
const place = 'forthright';

function carrying(message: JsonObject, call: RawCall): JsonObject {
  const params = message.params as JsonObject;
  const carried = { [place]: new Carried(call) as unknown as JsonValue };
  return { ...message, params: { ...params, arguments: carried } };
}

/** The call that one of our transports handed on with these arguments, if it was one of ours. */
export function carriedIn(args: unknown): RawCall | undefined {
  const held = (args as Partial<Record<string, unknown>> | undefined)?.[place];
  return held instanceof Carried ? held.call : undefined;
}
