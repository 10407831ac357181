import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What the server does with one request. Each `commit…` has the effect first. */
export type Behaviour =
  | 'commit'
  | 'commit_then_503'
  | 'commit_then_reset'
  | 'commit_then_hang'
  | 'commit_then_half_a_body'
  | 'commit_then_hang_in_body'
  | 'commit_then_long_body'
  | 'commit_then_close_idle'
  | 'commit_then_bad_http'
  | 'hang'
  | 'reset'
  | 'accept_202'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly redirect: number; readonly commits?: boolean };

/** One request as it came in. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server over a real socket that counts what it did. */
export interface WriteServer {
  readonly url: string;
  readonly port: number;
  /** How often the write happened. */
  readonly effects: number;
  readonly connections: number;
  readonly requests: readonly SeenRequest[];
  /** What to do with the next requests, in order; after them: `commit`. */
  plan(...behaviours: readonly Behaviour[]): void;
  close(): Promise<void>;
}

/** Starts one on a free port of the loopback address. `honoursKeys`: a known key has no second effect. */
export async function startWriteServer(
  options: { readonly honoursKeys?: boolean; readonly longBodyBytes?: number } = {},
): Promise<WriteServer> {
  const planned: Behaviour[] = [];
  const requests: SeenRequest[] = [];
  const known = new Set<string>();
  const sockets = new Set<Socket>();
  let effects = 0;
  let connections = 0;

  const commit = (key: unknown): void => {
    const isKnown = options.honoursKeys === true && typeof key === 'string' && known.has(key);
    if (typeof key === 'string') known.add(key);
    if (!isKnown) effects += 1;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const behaviour = planned.shift() ?? 'commit';
      if (commits(behaviour)) commit(headers['idempotency-key']);
      answer(behaviour, request.socket, response, options.longBodyBytes ?? 20_000);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/refunds`,
    port,
    requests,
    get effects() {
      return effects;
    },
    get connections() {
      return connections;
    },
    plan: (...behaviours) => void planned.push(...behaviours),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function commits(behaviour: Behaviour): boolean {
  if (typeof behaviour === 'string') return behaviour.startsWith('commit');
  return 'redirect' in behaviour && behaviour.commits === true;
}

function answer(
  behaviour: Behaviour,
  socket: Socket,
  response: ServerResponse,
  longBodyBytes: number,
): void {
  if (typeof behaviour === 'object') {
    const isRedirect = 'redirect' in behaviour;
    const headers = isRedirect ? { location: '/refunds/elsewhere' } : behaviour.headers;
    response.writeHead(isRedirect ? behaviour.redirect : behaviour.status, { ...headers });
    response.end('{"error":"no"}');
    return;
  }
  const done = JSON.stringify({ id: 're_1', status: 'done' });
  switch (behaviour) {
    case 'commit':
      response.writeHead(200, { 'content-type': 'application/json' }).end(done);
      return;
    case 'commit_then_close_idle':
      response.writeHead(200, { 'content-length': done.length }).end(done, () => socket.end());
      return;
    case 'commit_then_503':
      response.writeHead(503).end('overloaded');
      return;
    case 'commit_then_half_a_body':
      response.writeHead(200, { 'content-length': done.length });
      response.write(done.slice(0, 5), () => socket.end());
      return;
    case 'commit_then_hang_in_body':
      response.writeHead(200, { 'content-length': done.length });
      response.write(done.slice(0, 5));
      return;
    case 'commit_then_long_body':
      response.writeHead(200).end('x'.repeat(longBodyBytes));
      return;
    case 'commit_then_bad_http':
      socket.end('this is no HTTP\r\n\r\n');
      return;
    case 'accept_202':
      response.writeHead(202).end('{"status":"pending"}');
      return;
    case 'commit_then_reset':
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'commit_then_hang':
    case 'hang':
      return;
  }
}
