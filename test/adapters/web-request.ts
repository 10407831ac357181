import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';

/** Serves `node:http` by a web-standard handler. */
export async function byWeb(
  request: IncomingMessage,
  response: ServerResponse,
  handler: (request: Request) => Promise<Response>,
): Promise<void> {
  const aborting = new AbortController();
  response.on('close', () => aborting.abort());
  const { method = 'GET', url = '/' } = request;
  const hasBody = method === 'POST';
  const asked = new Request(`http://${request.headers.host}${url}`, {
    method,
    headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    signal: aborting.signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit);
  const answer = await handler(asked);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  Readable.fromWeb(answer.body as NodeStream)
    .on('error', () => response.destroy())
    .pipe(response);
}
