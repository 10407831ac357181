import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { ScriptedToolCall } from '../../src/testing/adapter-cases/harness.ts';

/**
 * Arguments whose text the wire puts in their place, since a client only takes what it can write
 * itself; the wire waits until it has all calls of the step.
 */
export function written(
  { arguments: text }: ScriptedToolCall,
  of: number,
): { readonly '@raw': string } {
  return { '@raw': `${Buffer.from(text).toString('base64')} ${of}` };
}

/** What the wire makes of a call: what tells it apart stands before its arguments, which may end the text. */
function onTheWire(line: string): string {
  const { jsonrpc, id, method, params } = JSON.parse(line);
  const { _meta, ...rest } = params;
  return JSON.stringify({ jsonrpc, id, method, params: { _meta, ...rest } }).replace(
    /\{"@raw":"([^ ]*) \d+"\}/,
    (_, text) => Buffer.from(text, 'base64').toString(),
  );
}

/** As a program: its standard streams are those of a server that listens at a port. */
const relay = `
const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
socket.pipe(process.stdout);
socket.on('close', () => process.exit());
let held = [];
require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const of = /"@raw":"[^ ]* (\\d+)"/.exec(line);
    if (of === null) return void socket.write(line + '\\n');
    held.push((${String(onTheWire)})(line) + '\\n');
    if (held.length < Number(of[1])) return;
    socket.write(held.join(''));
    held = [];
  })
  .on('close', () => socket.end());
`;

/** A server that listens on this machine. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves one connection over the streams of a process, as `command` starts it. */
export async function listenForStdio(
  serve: (socket: Socket) => void,
): Promise<Listening & { readonly command: string; readonly args: string[] }> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.setNoDelay(true);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    command: process.execPath,
    args: ['--eval', relay, String(port)],
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves HTTP. */
export async function listenForHttp(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening & { readonly url: URL }> {
  const server = createHttpServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A fetch that writes what the wire is to carry. */
export class WireFetch {
  readonly #told = new Set<Promise<unknown>>();

  readonly fetch = (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { body } = init;
    if (typeof body !== 'string') return fetch(url, init);
    const sent = fetch(url, body.includes('"@raw"') ? { ...init, body: onTheWire(body) } : init);
    if (!('id' in JSON.parse(body))) this.#told.add(sent.catch(() => undefined));
    return sent;
  };

  /** Waits until the notifications are there: a client that closes takes them back. */
  async flush(): Promise<void> {
    await Promise.all(this.#told);
  }
}

/** Holds the calls of one step until all are there. */
export class Gate {
  #waiting: (() => void)[] = [];
  of = 1;

  async pass(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length < this.of) return;
      for (const go of this.#waiting.splice(0)) go();
    });
  }
}
