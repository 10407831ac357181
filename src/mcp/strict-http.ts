import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handled, handOn } from './hand-on.ts';
import { defaultMaxBytes, lineOf } from './line-reader.ts';
import { errorCodes, readBody } from './raw-message.ts';

/** What the HTTP wrappers may be told. */
export interface StrictHttpOptions {
  /** The longest body, in bytes; 10,485,760 if left out. */
  readonly maxBytes?: number;
}

/** What a web-standard handler of the SDK takes beside the request. */
export interface StrictFetchExtras {
  readonly authInfo?: unknown;
}

/** A web-standard handler of the SDK's. */
type FetchHandler = (request: Request, extras: never) => Promise<Response>;

/** A handler of the SDK's for `node:http` and Express. */
type NodeHandler = (
  request: never,
  response: never,
  parsedBody?: unknown,
) => Promise<unknown> | unknown;

/**
 * Streamable HTTP by web standards: wraps `transport.handleRequest` of a
 * `WebStandardStreamableHTTPServerTransport` (SDK 1 and 2), or `fetch` of `createMcpHandler` (SDK 2).
 * Calls run by the text of their arguments; what is no message is answered with 400, what is too long
 * with 413.
 */
export function strictFetch(
  handler: FetchHandler,
  { maxBytes = defaultMaxBytes }: StrictHttpOptions = {},
): (request: Request, extras?: StrictFetchExtras) => Promise<Response> {
  return async (request, extras = {}) => {
    if (request.method !== 'POST') return handler(request, extras as never);
    const bytes = await readUpTo(request.body ?? [], maxBytes);
    const body = parsedFrom(bytes, maxBytes);
    if (body.kind === 'answer') {
      const headers = { 'content-type': 'application/json' };
      return new Response(body.text, { status: body.status, headers });
    }
    return handler(request, { ...extras, parsedBody: body.value } as never);
  };
}

/**
 * The same for `node:http` and Express: wraps `(req, res, body) => transport.handleRequest(req, res,
 * body)`. No body parser may come before it: then the text is gone, and it answers 500.
 */
export function strictNode(
  handler: NodeHandler,
  { maxBytes = defaultMaxBytes }: StrictHttpOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    if (request.method !== 'POST') {
      await handler(request as never, response as never);
      return;
    }
    if ('body' in request && request.body !== undefined) {
      console.error(
        'forthright/mcp: the body was parsed before strictNode could read its text; put it before express.json().',
      );
      answer(response, 500, internalError);
      return;
    }
    const body = parsedFrom(await readUpTo(request, maxBytes), maxBytes);
    if (body.kind === 'answer') {
      answer(response, body.status, body.text);
      return;
    }
    await handler(request as never, response as never, body.value);
  };
}

const internalError =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error."}}';

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(text);
}

/** The bytes, or undefined where there are more; then the rest is not read. */
async function readUpTo(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

type Body =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'answer'; readonly status: number; readonly text: string };

function parsedFrom(bytes: Uint8Array | undefined, maxBytes: number): Body {
  if (bytes === undefined) {
    const message = `Invalid Request: the body is longer than ${maxBytes} bytes.`;
    const error = { code: errorCodes.invalidRequest, message };
    return {
      kind: 'answer',
      status: 413,
      text: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
    };
  }
  const { messages, isBatch } = readBody(lineOf(bytes));
  const handled = messages.map(handOn);
  // A list is refused in whole: none of its calls has run.
  const refused = handled.find((each) => each.kind === 'answer');
  if (refused !== undefined) return { kind: 'answer', status: 400, text: refused.answer };
  const values = handled.map((each) => (each as Handled & { kind: 'message' }).message);
  return { kind: 'parsed', value: isBatch ? values : values[0] };
}
