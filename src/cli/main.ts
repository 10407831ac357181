#!/usr/bin/env node
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { canonicalize } from './canonicalize.ts';
import { checkReply } from './check-reply.ts';
import { type Command, type ExitCode, type Said, type Streams, UsageError } from './command.ts';
import { consoleCommand } from './console.ts';
import { decode } from './decode.ts';
import { ledgerList } from './ledger-list.ts';
import { ledgerPurge } from './ledger-purge.ts';
import { ledgerSettle } from './ledger-settle.ts';
import { ledgerShow } from './ledger-show.ts';
import { proxy } from './proxy.ts';
import { reconcile } from './reconcile.ts';

const commands: readonly Command[] = [
  decode,
  canonicalize,
  checkReply,
  ledgerList,
  ledgerShow,
  ledgerSettle,
  ledgerPurge,
  reconcile,
  proxy,
  consoleCommand,
];

const help = `Usage: forthright COMMAND [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`).join('\n')}

  forthright COMMAND --help   more on one command
  forthright --version        the version

Exit codes: 0 done; 1 the input was refused, or nothing was found; 2 the command line, or a file that
it names, cannot be used. What is wrong is said on standard error.
`;

const streams: Streams = {
  stdin: process.stdin,
  async out(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  err(line) {
    process.stderr.write(`forthright: ${line}\n`);
  },
};

async function main(words: readonly string[]): Promise<ExitCode> {
  const command = commands.find(({ name }) => startsWith(words, name.split(' ')));
  if (command === undefined) return await withoutCommand(words);
  const said = read(command, words.slice(command.name.split(' ').length));
  if (said.options.help !== true) return await command.run(said, streams);
  await streams.out(`${command.help}\n`);
  return 0;
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word);
}

async function withoutCommand(words: readonly string[]): Promise<ExitCode> {
  const [first] = words;
  if (first === '--version' || first === '-v') {
    await streams.out(`${version()}\n`);
    return 0;
  }
  if (first === 'help' || words.includes('--help') || words.includes('-h')) {
    await streams.out(help);
    return 0;
  }
  if (first === undefined) throw new UsageError('a command is missing.');
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw new UsageError(`there is no command ${JSON.stringify(first)}.`);
  throw new UsageError(
    `${first} takes ${group.map(({ name }) => name.split(' ')[1]).join(' or ')}.`,
  );
}

function read(command: Command, args: readonly string[]): Said {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    });
    return { options: values, positionals };
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

// Whoever reads the output may have had enough of it: `forthright decode … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.stderr.write(`forthright: ${error.message}\n`);
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  streams.err(error instanceof Error ? error.message : `${error}`);
  if (isUsage) process.stderr.write('Try `forthright --help`.\n');
  process.exitCode = isUsage ? 2 : 1;
}
