import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problem } from './answers.ts';
import { nodeListener } from './node-listener.ts';
import type { ConsoleHandler } from './options.ts';

/** A console of its own, on a port. */
export interface Served {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves a console by itself. With `onlyLoopback`, requests that name another host than this machine
 * are refused: a page elsewhere could point its own name here. Rejects where the port is taken.
 */
export async function serveConsole(
  handler: ConsoleHandler,
  place: { readonly host: string; readonly port: number; readonly onlyLoopback: boolean },
): Promise<Served> {
  const guarded: ConsoleHandler = async (request) =>
    place.onlyLoopback && !isLoopback(request)
      ? problem(421, 'This console answers to its own address only.')
      : handler(request);
  const server = createServer(nodeListener(guarded));
  server.listen(place.port, place.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function isLoopback(request: Request): boolean {
  const { hostname } = new URL(`http://${request.headers.get('host') ?? ''}`);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
