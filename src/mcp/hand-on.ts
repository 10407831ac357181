import type { JsonObject, JsonValue } from '../call/json.ts';
import { parseStrict } from '../decode/strict-json.ts';
import { errorCodes, errorText, type RawCall, type RawMessage } from './raw-message.ts';

/** What a transport does with a message: hands it on to the server, or answers it itself. */
export type Handled =
  | { readonly kind: 'message'; readonly message: JsonObject }
  | { readonly kind: 'answer'; readonly code: number; readonly answer: string };

/**
 * A message as a server of the SDK takes it. The text of a call's arguments goes with it, so that the
 * call runs by what was written; an answer of a user's in which something hides becomes an error.
 */
export function handOn(raw: RawMessage): Handled {
  switch (raw.kind) {
    case 'malformed':
      return { kind: 'answer', code: raw.code, answer: raw.answer };
    case 'notification':
      return { kind: 'message', message: raw.message };
    case 'response':
      return { kind: 'message', message: isStrict(raw.contentText) ? raw.message : refused(raw) };
    case 'request': {
      if (!isStrict(raw.inputsText)) return refusedRequest(raw.id);
      const { call, message } = raw;
      return { kind: 'message', message: call === undefined ? message : carrying(message, call) };
    }
  }
}

const hiding = 'inputs hold a key twice, or a number or text that cannot be held exactly';

function isStrict(text: string | undefined): boolean {
  return text === undefined || parseStrict(text).ok;
}

function refused({ id }: { readonly id: string | number }): JsonObject {
  const error = { code: errorCodes.invalidRequest, message: `Invalid Request: the ${hiding}.` };
  return { jsonrpc: '2.0', id, error };
}

function refusedRequest(id: string | number): Handled {
  const code = errorCodes.invalidRequest;
  const answer = errorText(code, `the ${hiding}`, JSON.stringify(id));
  return { kind: 'answer', code, answer };
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
