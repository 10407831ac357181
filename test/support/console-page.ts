import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ConsoleOptions } from '../../src/console/options.ts';
import type { Entry } from '../../src/ledger/entry.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { memoryLedger } from '../../src/ledger/memory-ledger.ts';
import { dispatched } from '../../src/testing/ledger-cases/stage.ts';

/** What the subpath exports. */
export type Built = typeof import('../../src/console/index.ts');

const built: string = fileURLToPath(new URL('../../dist/console/index.js', import.meta.url));

/** The console as it is built, page and all. */
export async function builtConsole(): Promise<Built> {
  if (!existsSync(built)) throw new Error('The package is not built: npm run build');
  return (await import(built)) as Built;
}

/** A console on a ledger in memory, which can go away and come back at the same address. */
export interface ConsolePage {
  readonly url: string;
  readonly ledger: Ledger;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Serves a console on this machine. */
export async function consolePage(more: Partial<ConsoleOptions> = {}): Promise<ConsolePage> {
  const { consoleHandler, nodeListener } = await builtConsole();
  const ledger = memoryLedger();
  const listener = nodeListener(consoleHandler(ledger, { auth: () => 'ann', ...more }));
  let server: Server | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/`,
    ledger,
    start,
    async stop() {
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    },
  };
}

/** A write that was sent and has no answer, on which any verdict may be given. */
export async function unknownWrite(
  ledger: Ledger,
  name: string,
  claim: object = {},
  patienceMs = -60_000,
): Promise<Entry> {
  const input = JSON.stringify({ orderId: 4512, amountCents: 2000, reason: 'it arrived broken' });
  const its = { input, lane: 'order:4512', ...claim };
  const { entry } = await ledger.giveUp(await dispatched(ledger, name, its, { patienceMs }));
  if (entry === null) throw new Error(`${name} was not given up`);
  return entry;
}
