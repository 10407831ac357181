import type { JsonObject, JsonValue } from '../call/json.ts';
import { char } from '../decode/char.ts';
import { skipBlank } from '../decode/json-problem.ts';
import { itemsOf, type Member, type Members, membersOf } from './json-members.ts';
import type { Line } from './line-reader.ts';

/** The id of a request (JSON-RPC 2.0; MCP allows no null). */
export type RequestId = string | number;

/** The call of a tool in a message. */
export interface RawCall {
  readonly name: string;
  /** The arguments, character by character as they stand in the message; `{}` where there are none. */
  readonly text: string;
  /** Whether the message that holds it is no JSON, so that the call must not run whatever its text says. */
  readonly isBroken: boolean;
}

/** One JSON-RPC message, read from its text. */
export type RawMessage =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      /** The message parsed; of a call, without its arguments. */
      readonly message: JsonObject;
      /** On `tools/call`, where it names a tool. */
      readonly call?: RawCall;
      /** The text of `params.inputResponses` of a call: what users answered (MCP 2026-07-28). */
      readonly inputsText?: string;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly message: JsonObject }
  | {
      readonly kind: 'response';
      readonly id: RequestId;
      readonly message: JsonObject;
      /** The text of `result.content` beside a `result.action`: what a user answered. */
      readonly contentText?: string;
    }
  | {
      /** No message at all; `answer` is the text of the JSON-RPC error to send back. */
      readonly kind: 'malformed';
      readonly code: ErrorCode;
      readonly answer: string;
    };

/** The codes of JSON-RPC 2.0 that are used here. */
export const errorCodes = { parse: -32700, invalidRequest: -32600 } as const;

type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** Reads one line of the stdio transport. Never throws, whatever stands in it. */
export function readLine({ text, problem }: Line): RawMessage {
  if (problem === undefined) return readMessage(text);
  const outer = membersOf(text, skipBlank(text, 0));
  return problem === 'too_large'
    ? malformed('invalidRequest', 'the message is too large', idTextOf(text, outer))
    : malformed('parse', 'the message is not UTF-8', idTextOf(text, outer));
}

/**
 * Reads the body of an HTTP request: one message, or a list of them (MCP 2025-03-26). `isBatch` says
 * which. Never throws.
 */
export function readBody(line: Line): { messages: readonly RawMessage[]; isBatch: boolean } {
  const { text, problem } = line;
  const start = skipBlank(text, 0);
  if (problem !== undefined || text.charCodeAt(start) !== char.openBracket) {
    return { messages: [readLine(line)], isBatch: false };
  }
  const items = isJson(text) ? itemsOf(text, start) : undefined;
  if (items === undefined) {
    return { messages: [malformed('parse', 'the body is not JSON')], isBatch: false };
  }
  if (items.length === 0) {
    return { messages: [malformed('invalidRequest', 'the list is empty')], isBatch: false };
  }
  const messages = items.map((item) => readMessage(text.slice(item.start, item.end)));
  return { messages, isBatch: true };
}

/**
 * Reads the text of one message, and slices the text of a call's arguments out of it before anything
 * has parsed it. Keys that stand twice in the message or beside the arguments make it malformed; what
 * stands inside the arguments is left to `decode`. Never throws.
 */
export function readMessage(text: string): RawMessage {
  const start = skipBlank(text, 0);
  if (text.charCodeAt(start) !== char.openBrace) {
    return isJson(text)
      ? malformed('invalidRequest', 'the message is not an object')
      : malformed('parse', 'the message is not JSON');
  }
  const outer = membersOf(text, start);
  const isCall = stringOf(text, find(outer, 'method')) === 'tools/call';
  const params = find(outer, 'params');
  const inner = isCall && params !== undefined ? membersOf(text, params.start) : undefined;
  const args = inner === undefined ? undefined : find(inner, 'arguments');
  const message = parseAround(text, args);
  if (message === undefined) return readBroken(text, outer, inner, args);
  const ambiguous = ambiguousKey(outer) ?? (inner && ambiguousKey(inner));
  if (ambiguous !== undefined) {
    return malformed('invalidRequest', `the key ${ambiguous} is ambiguous`, idTextOf(text, outer));
  }
  const read = classify(message, text, outer);
  if (read.kind !== 'request' || inner === undefined) return read;
  const name = (message.params as JsonObject | null)?.name;
  if (typeof name !== 'string') return read;
  const argsText = args === undefined ? '{}' : text.slice(args.start, args.end);
  const inputs = find(inner, 'inputResponses');
  return {
    ...read,
    call: { name, text: argsText, isBroken: false },
    ...(inputs === undefined ? {} : { inputsText: text.slice(inputs.start, inputs.end) }),
  };
}

/** The message, with an empty object in the place of the arguments: nothing has parsed those yet. */
function parseAround(text: string, args: Member | undefined): JsonObject | undefined {
  if (args !== undefined && args.end === undefined) return undefined;
  const around =
    args === undefined ? text : `${text.slice(0, args.start)}{}${text.slice(args.end)}`;
  try {
    return JSON.parse(around) as JsonObject;
  } catch {
    return undefined;
  }
}

/** A text that is no JSON. Where it is a call that can be told, the model is to hear of it. */
function readBroken(
  text: string,
  outer: Members,
  inner: Members | undefined,
  args: Member | undefined,
): RawMessage {
  const idText = idTextOf(text, outer);
  const name = inner && stringOf(text, find(inner, 'name'));
  if (idText === undefined || name === undefined || args === undefined) {
    return malformed('parse', 'the message is not JSON', idText);
  }
  const id = JSON.parse(idText) as JsonValue;
  if (!isId(id) || ambiguousKey(outer) !== undefined || (inner && ambiguousKey(inner))) {
    return malformed('parse', 'the message is not JSON', idText);
  }
  const method = 'tools/call';
  const meta = inner && readValue(text, find(inner, '_meta'));
  const params: JsonObject = { name, ...(meta === undefined ? {} : { _meta: meta }) };
  return {
    kind: 'request',
    id,
    method,
    message: { jsonrpc: '2.0', id, method, params },
    call: { name, text: text.slice(args.start).trimEnd(), isBroken: true },
  };
}

function classify(message: JsonObject, text: string, outer: Members): RawMessage {
  const { jsonrpc, id, method, params } = message;
  const idText = idTextOf(text, outer);
  const refuse = (detail: string): RawMessage => malformed('invalidRequest', detail, idText);
  if (jsonrpc !== '2.0') return refuse('jsonrpc is not "2.0"');
  if (params !== undefined && !isObject(params)) return refuse('params is not an object');
  if (typeof method === 'string') {
    if (id === undefined) return { kind: 'notification', method, message };
    if (!isId(id)) return refuse('id is neither text nor a whole number that can be held exactly');
    return { kind: 'request', id, method, message };
  }
  const isResponse = method === undefined && isId(id ?? null);
  if (!isResponse || 'result' in message === 'error' in message) {
    return refuse('it is neither a request, a notification nor a response');
  }
  const result = find(outer, 'result');
  const content = result && find(membersOf(text, result.start), 'content');
  const { action } = (message.result ?? {}) as JsonObject;
  const isForm = content !== undefined && typeof action === 'string';
  return {
    kind: 'response',
    id: id as RequestId,
    message,
    ...(isForm ? { contentText: text.slice(content.start, content.end) } : {}),
  };
}

/** A key of a message that stands twice, or that could reach a prototype. */
function ambiguousKey({ list }: Members): string | undefined {
  const seen = new Set<string>(['__proto__']);
  for (const { key } of list) {
    if (seen.has(key)) return JSON.stringify(key.slice(0, 40));
    seen.add(key);
  }
  return undefined;
}

/**
 * The id to answer, as it is written. Only a request's is answered: the id of a response counts the
 * other way, and an error under it would end a request that it has nothing to do with.
 */
function idTextOf(text: string, outer: Members): string | undefined {
  const ids = outer.list.filter(({ key }) => key === 'id');
  const [id] = ids;
  if (ids.length !== 1 || id?.end === undefined || find(outer, 'method') === undefined) {
    return undefined;
  }
  const written = text.slice(id.start, id.end);
  return isJson(written) && /^["\-\d]/.test(written) ? written : undefined;
}

function malformed(kind: keyof typeof errorCodes, detail: string, idText?: string): RawMessage {
  const code = errorCodes[kind];
  return { kind: 'malformed', code, answer: errorText(code, detail, idText) };
}

/** The text of a JSON-RPC error; its id is `null` where none could be read. */
function errorText(code: ErrorCode, detail: string, idText = 'null'): string {
  const title = code === errorCodes.parse ? 'Parse error' : 'Invalid Request';
  const error = JSON.stringify({ code, message: `${title}: ${detail}.` });
  return `{"jsonrpc":"2.0","id":${idText},"error":${error}}`;
}

function find({ list }: Members, wanted: string): Member | undefined {
  return list.find(({ key }) => key === wanted);
}

/** The string that stands there, where it is one and is complete. */
function stringOf(text: string, member: Member | undefined): string | undefined {
  const value = readValue(text, member);
  return typeof value === 'string' ? value : undefined;
}

/** The value that stands there, where it is complete. */
function readValue(text: string, member: Member | undefined): JsonValue | undefined {
  if (member?.end === undefined) return undefined;
  try {
    return JSON.parse(text.slice(member.start, member.end)) as JsonValue;
  } catch {
    return undefined;
  }
}

function isId(value: JsonValue): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
