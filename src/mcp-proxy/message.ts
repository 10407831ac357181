import type { JsonValue } from '../call/json.ts';
import { cutOut, type RawObject, rawItems, rawObject, type Span } from './raw-json.ts';

/** One JSON-RPC message (2.0) in its own text, which is never written anew. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

export interface RequestMessage {
  readonly kind: 'request';
  readonly text: string;
  readonly method: string;
  /** The id as it is written. */
  readonly id: string;
  /** The id by which an answer finds its request, however it is written. */
  readonly idKey: string;
  readonly idSpan: Span;
  readonly params: Span | undefined;
}

export interface NotificationMessage {
  readonly kind: 'notification';
  readonly text: string;
  readonly method: string;
  readonly params: Span | undefined;
}

export interface ResponseMessage {
  readonly kind: 'response';
  readonly text: string;
  readonly id: string;
  readonly idKey: string;
  readonly idSpan: Span;
  readonly result: Span | undefined;
  readonly error: Span | undefined;
}

/** What cannot be taken for one message. */
export interface MalformedMessage {
  readonly kind: 'malformed';
  readonly text: string;
  readonly why: 'no_json' | 'twin_key' | 'no_message';
  /** The id as it is written, where it can be made out. */
  readonly id: string | undefined;
  /** What of it can be made out. */
  readonly raw: RawObject | undefined;
}

/** Reads a text as JSON-RPC: one message, several of a batch, or what is none. Never throws. */
export function readMessages(text: string): readonly (Message | MalformedMessage)[] {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return [malformed(text, 'no_json', rawObject(text))];
  }
  if (!Array.isArray(value)) return [readMessage(text, value)];
  const items = rawItems(text) ?? [];
  const list = value as readonly JsonValue[];
  return items.map((span, index) => readMessage(cutOut(text, span), list[index] ?? null));
}

function readMessage(text: string, value: JsonValue): Message | MalformedMessage {
  const raw = rawObject(text);
  if (raw === undefined || typeof value !== 'object' || value === null) {
    return malformed(text, 'no_message', raw);
  }
  // The other side takes the last of two, and another reader may take the first.
  if (raw.twin !== undefined) return malformed(text, 'twin_key', raw);
  const { method } = value as { readonly method?: JsonValue };
  const idSpan = raw.members.get('id');
  const id = idSpan && cutOut(text, idSpan);
  const idKey = id === undefined ? undefined : idKeyOf(id);
  if (typeof method === 'string') {
    const params = raw.members.get('params');
    if (idSpan === undefined) return { kind: 'notification', text, method, params };
    if (id !== undefined && idKey !== undefined) {
      return { kind: 'request', text, method, id, idKey, idSpan, params };
    }
  } else if (idSpan !== undefined && id !== undefined && idKey !== undefined) {
    const [result, error] = [raw.members.get('result'), raw.members.get('error')];
    if ((result === undefined) !== (error === undefined)) {
      return { kind: 'response', text, id, idKey, idSpan, result, error };
    }
  }
  return malformed(text, 'no_message', raw);
}

function malformed(
  text: string,
  why: MalformedMessage['why'],
  raw: RawObject | undefined,
): MalformedMessage {
  // Only a request is answered: the id of a response counts the other way.
  const span = raw?.members.has('method') ? raw.members.get('id') : undefined;
  const id = span && cutOut(text, span);
  return {
    kind: 'malformed',
    text,
    why,
    raw,
    id: id !== undefined && idKeyOf(id) !== undefined ? id : undefined,
  };
}

/** 1 and 1.0 are one id; an integer that a double cannot hold is told from its neighbours. */
export function idKeyOf(id: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(id);
  } catch {
    return undefined;
  }
  if (typeof value === 'string') return `"${value}`;
  if (typeof value !== 'number') return undefined;
  return Number.isSafeInteger(value) ? String(value) : id;
}

/** A response that carries a result, or an error, given as JSON text. */
export function responseText(id: string, name: 'result' | 'error', body: string): string {
  return `{"jsonrpc":"2.0","id":${id},"${name}":${body}}`;
}

/** An error (JSON-RPC 2.0, section 5.1). */
export function errorText(id: string, code: number, message: string): string {
  return responseText(id, 'error', JSON.stringify({ code, message }));
}

/** A notification. */
export function notificationText(method: string, params?: JsonValue): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
}

/** A request of the proxy's own. */
export function requestText(id: string, method: string, params: JsonValue): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
}
