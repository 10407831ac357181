import { once } from 'node:events';
import { consoleHandler } from '../console/handler.ts';
import type { Authenticate, ConsoleHandler, ConsoleOptions } from '../console/options.ts';
import { serveConsole } from '../console/serve.ts';
import { oneTimeToken } from '../console/token.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createRuntime } from '../runtime/create-runtime.ts';
import {
  type Command,
  numberOption,
  positionals,
  type Said,
  type Streams,
  textOption,
  UsageError,
} from './command.ts';
import { withLedger } from './ledger-file.ts';
import { loadTools } from './tool-module.ts';

/** `forthright console` */
export const consoleCommand: Command = {
  name: 'console',
  summary: 'a page to see what goes on in a ledger, and to settle what is unknown',
  help: `Usage: forthright console --ledger LEDGER [options]

Serves a page on a ledger, until it is interrupted: what goes on now, what is unknown and for how long,
every entry with its history, and a form to settle it. It listens on this machine alone, and the address
that is printed opens one session, once.

LEDGER is a SQLite file, or a PostgreSQL URL (postgres://…, ?schema=… where it is not forthright).

Options:
  --ledger LEDGER  the ledger
  --tools MODULE   a JavaScript module of yours that exports the tools, as for \`forthright reconcile\`:
                   the page can then ask the remote systems
  --read-only      nothing can be settled or asked
  --redact NAME    hides the values of properties of this name, in arguments and results; may be
                   repeated, and * hides them all
  --port N         the port, 0 to 65535; any free one if left out
  --auth HEADER    for a page behind a proxy of yours: the header in which the proxy says who is signed
                   in, X-Forwarded-User say. Requests without it are refused, and there is no token.
                   Nobody may reach the port but the proxy, which has to set the header itself
  --host ADDRESS   with --auth: where to listen, for a proxy on another machine; 127.0.0.1 if left out
  --help           print this

Exit codes: 0 it was interrupted; 2 the command line is wrong, or LEDGER is no ledger.`,
  options: {
    ledger: { type: 'string' },
    tools: { type: 'string' },
    'read-only': { type: 'boolean' },
    redact: { type: 'string', multiple: true },
    port: { type: 'string' },
    auth: { type: 'string' },
    host: { type: 'string' },
  },
  async run(said, streams) {
    positionals(said);
    const place = textOption(said, 'ledger');
    if (place === undefined) throw new UsageError('--ledger is missing.');
    const door = doorOf(said);
    const port = numberOption(said, 'port', { least: 0, most: 65_535, otherwise: 0 });
    return await withLedger(place, async (ledger) => {
      const { options, close } = await optionsOf(said, ledger, door.auth);
      const handler = door.around(consoleHandler(ledger, options));
      await serveUntilStopped(handler, { ...door, port }, streams);
      await close();
      return 0 as const;
    });
  },
};

/** Who may enter, and where. */
interface Door {
  readonly auth: Authenticate;
  readonly host: string;
  readonly onlyLoopback: boolean;
  /** What comes after the address that is printed. */
  readonly query: string;
  around(handler: ConsoleHandler): ConsoleHandler;
}

function doorOf(said: Said): Door {
  const header = textOption(said, 'auth');
  const host = textOption(said, 'host');
  if (header === undefined) {
    if (host !== undefined)
      throw new UsageError('--host needs --auth: without it, only this machine is served.');
    const { token, ...its } = oneTimeToken();
    return { ...its, host: '127.0.0.1', onlyLoopback: true, query: `?token=${token}` };
  }
  if (!/^[\w-]{1,100}$/.test(header)) throw new UsageError('--auth takes the name of a header.');
  return {
    auth: (request) => request.headers.get(header)?.trim() || false,
    host: host ?? '127.0.0.1',
    onlyLoopback: false,
    query: '',
    around: (handler) => handler,
  };
}

async function optionsOf(
  said: Said,
  ledger: Ledger,
  auth: Authenticate,
): Promise<{ readonly options: ConsoleOptions; close(): Promise<unknown> }> {
  const redact = [said.options.redact ?? []].flat().map(String);
  const tools = textOption(said, 'tools');
  const options: ConsoleOptions = {
    auth,
    readOnly: said.options['read-only'] === true,
    ...(redact.length > 0 && { redact }),
  };
  if (tools === undefined) return { options, close: async () => undefined };
  const module = await loadTools(tools);
  const runtime = createRuntime({ ...module, ledger, reconcileEveryMs: false });
  // This process runs no calls: how busy it is says nothing.
  const { toolset } = runtime;
  const asker: ConsoleOptions['runtime'] = {
    toolset,
    reconcile: (key) => runtime.reconcile(key),
    settle: (...its) => runtime.settle(...its),
  };
  return { options: { ...options, runtime: asker }, close: () => runtime.close() };
}

async function serveUntilStopped(
  handler: ConsoleHandler,
  place: Door & { readonly port: number },
  { out }: Streams,
): Promise<void> {
  const served = await serveConsole(handler, place).catch((cause: unknown) => {
    throw new UsageError(`The console cannot listen: ${(cause as Error).message}`);
  });
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  await out(`Console: http://${host}:${served.port}/${place.query}\n`);
  await stopped;
  await served.close();
}
