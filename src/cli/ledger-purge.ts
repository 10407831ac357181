import { type Command, positionals, type Said, textOption, UsageError } from './command.ts';
import { withLedger } from './ledger-file.ts';

const unitsMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `forthright ledger purge` */
export const ledgerPurge: Command = {
  name: 'ledger purge',
  summary: 'removes old writes that are settled and told',
  help: `Usage: forthright ledger purge --older-than AGE [options] LEDGER

Removes entries that were settled longer than AGE ago. What is not settled stays, and so does what the
host is still to be told of, and what an identical call would still be answered with: an answer is
replayed from its first telling, for as long as its tool says.

LEDGER is a SQLite file, or a PostgreSQL URL (postgres://…, ?schema=… where it is not forthright).

Options:
  --older-than AGE  such as 30d, 12h, 90m or 45s
  --json            the count as one JSON object
  --help            print this

Exit codes: 0 done, also where there was nothing to remove; 2 the command line is wrong, or LEDGER is
no ledger.`,
  options: { 'older-than': { type: 'string' }, json: { type: 'boolean' } },
  async run(said, { out }) {
    const [path = ''] = positionals(said, 'LEDGER');
    const olderThanMs = ageOf(said);
    const purged = await withLedger(path, (ledger) => ledger.purge(olderThanMs));
    await out(
      said.options.json === true ? `${JSON.stringify({ purged })}\n` : `${purged} removed.\n`,
    );
    return 0;
  },
};

function ageOf(said: Said): number {
  const text = textOption(said, 'older-than');
  if (text === undefined) throw new UsageError('--older-than is missing.');
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === '')
    throw new UsageError('--older-than takes a number and s, m, h or d, such as 30d.');
  return Number(count) * (unitsMs[unit] ?? 1);
}
