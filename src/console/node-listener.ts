import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { ConsoleHandler } from './options.ts';

/** An Express request, which has lost the path that it is mounted at, has it here. */
type Incoming = IncomingMessage & { readonly originalUrl?: string };

const longestBody = 65_536;

/** A handler as `node:http` and Express take it: `app.use('/console', nodeListener(handler))`. */
export function nodeListener(
  handler: ConsoleHandler,
): (request: Incoming, response: ServerResponse) => void {
  return (request, response) => {
    void respond(handler, request, response).catch(() => response.destroy());
  };
}

async function respond(
  handler: ConsoleHandler,
  incoming: Incoming,
  outgoing: ServerResponse,
): Promise<void> {
  const over = new AbortController();
  outgoing.on('close', () => over.abort());
  const { status, headers, body } = await handler(await requestOf(incoming, over.signal));
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const stream = Readable.fromWeb(body as NodeStream);
  // Whoever has read enough goes away: that is no error.
  await pipeline(stream, outgoing).catch(() => undefined);
}

async function requestOf(incoming: Incoming, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', headers } = incoming;
  const host = /^[\w.:[\]-]+$/.test(headers.host ?? '') ? headers.host : 'localhost';
  const url = new URL(`http://${host}`);
  const [path = '/', query = ''] = (incoming.originalUrl ?? incoming.url ?? '/').split('?', 2);
  url.pathname = path;
  url.search = query;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await bodyOf(incoming) : null;
  return new Request(url, { method, headers: pairs, body, signal });
}

/** What was sent, up to a bound; a body parser before it has left its object. */
async function bodyOf(incoming: Incoming & { readonly body?: unknown }): Promise<string> {
  if (incoming.body !== undefined) return JSON.stringify(incoming.body);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > longestBody) return '';
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
