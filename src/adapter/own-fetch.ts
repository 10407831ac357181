import type { JsonObject } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import { changedEvents } from './server-events.ts';

/** One request to a model and its answer, as a protocol reads them. */
export interface Exchange {
  /** The body that is sent in place of the client's. */
  readonly body: JsonObject;
  /** Reads an answer that came at once; `text` is its body as it was written. */
  whole(answer: JsonObject, text: string): Promise<JsonObject>;
  /** Reads one event of a streamed answer; what is to be seen in its place, if anything. */
  event(event: JsonObject): Promise<readonly JsonObject[]>;
}

/** Opens an exchange for a request body, where the path is one that asks a model. */
export type OpenExchange = (path: string, body: JsonObject) => Exchange | undefined;

/**
 * `fetch` for a provider's client, through which what it asks its model and what that answers are read
 * as they go over the wire. Other requests, and answers that are errors, are left alone.
 */
export function ownFetch(inner: typeof fetch, open: OpenExchange): typeof fetch {
  return async (input, init) => {
    const exchange = opened(input, init, open);
    if (exchange === undefined) return inner(input, init);
    const response = await inner(input, { ...init, body: JSON.stringify(exchange.body) });
    if (!response.ok || response.body === null) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream')) {
      return again(
        response,
        changedEvents(response.body, (one) => exchange.event(one)),
      );
    }
    return again(response, await readWhole(await response.text(), exchange));
  };
}

function opened(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  open: OpenExchange,
): Exchange | undefined {
  if (typeof init?.body !== 'string' || init.method?.toUpperCase() !== 'POST') return undefined;
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const body = parsed(init.body);
  return body === undefined ? undefined : open(pathname, body);
}

async function readWhole(text: string, exchange: Exchange): Promise<string> {
  const answer = parsed(text);
  return answer === undefined ? text : JSON.stringify(await exchange.whole(answer, text));
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function again(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array> | string,
): Response {
  const own = new Headers(headers);
  // They were true of the body that came.
  own.delete('content-length');
  own.delete('content-encoding');
  return new Response(body, { status, statusText, headers: own });
}
