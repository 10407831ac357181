import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import type { ProxyConfig } from '../mcp-proxy/config.ts';
import { httpWire } from '../mcp-proxy/http-wire.ts';
import { listen } from '../mcp-proxy/listen.ts';
import { readConfig } from '../mcp-proxy/read-config.ts';
import { serveStdio } from '../mcp-proxy/serve-stdio.ts';
import { type ServerCommand, stdioWire } from '../mcp-proxy/stdio-wire.ts';
import type { OpenWire } from '../mcp-proxy/wire.ts';
import type { Logger } from '../runtime/events.ts';
import { type Command, numberOption, type Said, textOption, UsageError } from './command.ts';
import { openLedger } from './ledger-file.ts';
import { plain } from './plain.ts';

/** `forthright proxy` */
export const proxy: Command = {
  name: 'proxy',
  summary: 'an MCP server behind strict decoding, a ledger and true outcomes',
  help: `Usage: forthright proxy [options] -- COMMAND [ARGUMENTS]
       forthright proxy [options] --url URL

Stands between an MCP client and an MCP server, with no change to either. Everything passes as it
is, but for tools/call: its arguments are decoded strictly, a write is recorded before it leaves and
happens once, and its outcome is told as it is known. See docs/mcp-proxy.md.

Options:
  --url URL         the server speaks streamable HTTP at this address
  --header LINE     a header for it, "Name: value"; may be given again
  --listen PORT     serve streamable HTTP at http://127.0.0.1:PORT/mcp, 0 for any free port;
                    left out: standard input and output
  --config FILE     what is said of single tools (JSON; its schema is config.schema.json in the package)
  --ledger LEDGER   a SQLite file or a postgres:// URL, made if it is not there; left out: a file of this
                    server's own in your state directory, which is named on standard error
  --scope NAME      which calls can be the same intent; one for the whole ledger if left out
  --timeout MS      how long a call may take before its outcome is told; left out: 55000 for a read,
                    30000 for a write, which may have waited 25000 for its turn
  --help            print this

Exit codes: 0 the client has left; 1 the server cannot be started; 2 the command line, or a file that
it names, cannot be used.`,
  options: {
    url: { type: 'string' },
    header: { type: 'string', multiple: true },
    listen: { type: 'string' },
    config: { type: 'string' },
    ledger: { type: 'string' },
    scope: { type: 'string' },
    timeout: { type: 'string' },
  },
  async run(said, { stdin, out, err }) {
    const server = serverOf(said);
    const config = configOf(said);
    // A client that does not read what is logged must not end the proxy.
    process.stderr.on('error', () => undefined);
    const port = said.options.listen === undefined ? undefined : portOf(said);
    const place = textOption(said, 'ledger') ?? defaultLedger(server.identity);
    const ledger = await openProxyLedger(place);
    err(`ledger: ${place}`);
    try {
      const options = {
        open: server.open,
        ledger,
        config,
        scope: textOption(said, 'scope') ?? config.scope ?? 'default',
        logger: loggerTo(err),
      };
      return port === undefined
        ? await serveStdio({ ...options, stdin, out })
        : await listen({ ...options, port, onListening: (url) => err(`listening at ${url}`) });
    } finally {
      await ledger.close();
      // The client may still hold its end open, which would keep the process.
      process.stdin.destroy();
    }
  },
};

interface Server {
  readonly open: OpenWire;
  /** What tells this server's ledger from that of another. */
  readonly identity: readonly string[];
}

function serverOf(said: Said): Server {
  const url = textOption(said, 'url');
  const [command, ...args] = said.positionals;
  if ((url === undefined) === (command === undefined)) {
    throw new UsageError('Give the server: -- COMMAND [ARGUMENTS], or --url URL.');
  }
  const headers = headersOf(said);
  if (url !== undefined) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new UsageError('--url takes an address such as https://example.com/mcp.');
    }
    return { open: httpWire({ url, headers }), identity: [url] };
  }
  if (Object.keys(headers).length > 0) throw new UsageError('--header goes with --url.');
  const server: ServerCommand = { command: command ?? '', args };
  return { open: stdioWire(server), identity: [server.command, ...args] };
}

function headersOf(said: Said): Readonly<Record<string, string>> {
  const lines = (said.options.header ?? []) as readonly string[];
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name.toLowerCase(), value];
      // It may be a secret: it is not repeated.
      throw new UsageError('--header takes "Name: value".');
    }),
  );
}

function configOf(said: Said): ProxyConfig {
  const path = textOption(said, 'config');
  const timeoutMs = numberOption(said, 'timeout', { least: 1, most: 2_147_483_647, otherwise: 0 });
  const own = timeoutMs > 0 ? { timeoutMs } : {};
  if (path === undefined) return own;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read the configuration ${path}: ${(cause as Error).message}`);
  }
  const read = readConfig(text);
  if (read.ok) return { ...read.value, ...own };
  throw new UsageError(
    `${path} cannot be used:\n${read.error.map((one) => `  ${one}`).join('\n')}`,
  );
}

function portOf(said: Said): number {
  return numberOption(said, 'listen', { least: 0, most: 65_535, otherwise: 0 });
}

/** The command line may hold a secret: only its first words' names and a hash of it make the name. */
function defaultLedger(identity: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 12);
  const word = identity.find((part) => !/^(?:npx|node|uvx|-.*)$/.test(part)) ?? 'server';
  const name = basename(word)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
  return join(stateFolder(), 'forthright', 'proxy', `${name || 'server'}-${hash}.db`);
}

/** Where programs of this user keep what has to outlive them (XDG Base Directory on Linux). */
function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_STATE_HOME) return XDG_STATE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return join(homedir(), '.local', 'state');
}

/** What is recorded may be private: a new folder and a new file are the user's alone. */
async function openProxyLedger(place: string): Promise<Ledger> {
  if (/^postgres(ql)?:/.test(place)) return await openLedger(place);
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new UsageError(`The ledger ${place} cannot be made: ${(cause as Error).message}`);
  }
  const ledger = await openLedger(place, { mustExist: false });
  chmodSync(place, 0o600);
  return ledger;
}

function loggerTo(err: (line: string) => void): Logger {
  const say = (fields: object, message: string): void => {
    const { key, cause } = fields as { readonly key?: string; readonly cause?: unknown };
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    const which = key === undefined ? '' : ` (${key.slice(0, 12)})`;
    err(plain(`${message.replace(/^forthright: /, '')}${which}${why}`));
  };
  return { info: () => undefined, warn: say, error: say };
}
