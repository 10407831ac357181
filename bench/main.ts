import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Effort } from './measure.ts';
import { showFindings, showTimings, writtenAnew } from './report.ts';
import type { Measured, Row } from './row.ts';
import { memory, read } from './rows/calls.ts';
import { claims } from './rows/claims.ts';
import { decodeBroken, decodeValid } from './rows/decode.ts';
import { keys } from './rows/keys.ts';
import { lanes } from './rows/lanes.ts';
import { postgres } from './rows/postgres.ts';
import { reply } from './rows/reply.ts';
import { sqlite } from './rows/sqlite.ts';
import { start } from './rows/start.ts';

const rows: readonly Row[] = [
  decodeValid,
  decodeBroken,
  keys,
  read,
  memory,
  sqlite,
  postgres,
  claims,
  lanes,
  reply,
  start,
];

const usage = `Usage: npm run bench [-- options]

Times forthright beside its peers, each pair in one run, in turns. Writes bench/results.json and the
table of docs/performance.md where no option is given but --long.

  --only NAME   one row: ${rows.map(({ name }) => name).join(', ')}; may be given several times
  --short       a quick look
  --long        ten million entries too
  --help        this text
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      short: { type: 'boolean' },
      long: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const stray = values.only?.find((name) => !rows.some((row) => row.name === name));
  if (stray !== undefined) throw new TypeError(`there is no row ${JSON.stringify(stray)}`);
  const chosen = rows.filter(({ name }) => values.only?.includes(name) ?? true);
  const effort: Effort = values.short ? { rounds: 3, roundMs: 40 } : { rounds: 9, roundMs: 250 };
  const results: Record<string, Measured> = {};
  for (const row of chosen) {
    process.stdout.write(`\n${row.work}\n`);
    const measured = await row.measure(effort, values.long ?? false);
    results[row.name] = measured;
    process.stdout.write(showTimings(measured.timings));
    process.stdout.write(showFindings(measured));
  }
  if (!values.short) keep(results);
}

/** Keeps what was measured; rows that were not measured stay as they were. */
function keep(results: Readonly<Record<string, Measured>>): void {
  const file = new URL('./results.json', import.meta.url);
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { rows: {} };
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const all = { machine, rows: { ...before.rows, ...results } };
  writeFileSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
  const page = new URL('../docs/performance.md', import.meta.url);
  writeFileSync(page, writtenAnew(readFileSync(page, 'utf8'), all));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm run bench: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
