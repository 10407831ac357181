import { wireKey } from '../key/key.ts';
import { type Entry, isLive, isUnsettled } from '../ledger/entry.ts';
import { type Command, positionals } from './command.ts';
import { entryByKey, keyStart, shortestKey } from './entries.ts';
import { withLedger } from './ledger-file.ts';
import { moment, plain } from './plain.ts';

/** `forthright ledger show` */
export const ledgerShow: Command = {
  name: 'ledger show',
  summary: 'one write in a ledger, with all that is known of it',
  help: `Usage: forthright ledger show [options] LEDGER KEY

Shows one entry of a ledger. KEY is its key, the beginning of its key (at least ${shortestKey} digits),
or the key that went over the wire, such as the remote system's log has it.

LEDGER is a SQLite file, or a PostgreSQL URL (postgres://…, ?schema=… where it is not forthright).

Options:
  --json    the entry as one JSON object
  --help    print this

Exit codes: 0 shown; 1 no entry has that key, or several begin so; 2 the command line is wrong, or
LEDGER is no ledger.`,
  options: { json: { type: 'boolean' } },
  async run(said, { out, err }) {
    const [path = '', key = ''] = positionals(said, 'LEDGER', 'KEY');
    const start = keyStart(key);
    return await withLedger(path, async (ledger) => {
      const entry = await entryByKey(ledger, start, err);
      if (entry === undefined) return 1;
      await out(said.options.json === true ? `${JSON.stringify(entry)}\n` : describe(entry));
      return 0;
    });
  },
};

function describe(entry: Entry): string {
  const nowMs = Date.now();
  const facts: readonly (readonly [string, string | null])[] = [
    ['key', entry.key],
    ['wire key', wireKey(entry)],
    ['state', stateOf(entry, nowMs)],
    ['tool', entry.tool],
    ['scope', entry.scope],
    ['lane', entry.lane],
    ['turn', entry.turn],
    ['generation', `${entry.generation}`],
    ['attempt', `${entry.attemptId} (token ${entry.token})`],
    ['created', moment(entry.createdAtMs)],
    ['first sent', momentOrNull(entry.firstSentAtMs)],
    ['updated', moment(entry.updatedAtMs)],
    ['settled', momentOrNull(entry.settledAtMs)],
    ['told', momentOrNull(entry.toldAtMs)],
    ['lease until', momentOrNull(entry.leaseUntilMs)],
    ['may act until', momentOrNull(entry.patientUntilMs)],
    ['unproven sends', entry.unproven === 0 ? null : `${entry.unproven}`],
    ['verdict', verdictOf(entry)],
    ['arguments', entry.input],
    ['result', entry.result],
    ['reference', entry.note],
  ];
  const known = facts.filter(([, value]) => value !== null);
  return known.map(([name, value]) => `${name.padEnd(15)} ${plain(value ?? '')}\n`).join('');
}

function stateOf(entry: Entry, nowMs: number): string {
  if (entry.state === 'failed') return `failed (${entry.failedBy ?? 'unsent'})`;
  if (isUnsettled(entry, nowMs)) return `${entry.state}, to be settled`;
  return isLive(entry, nowMs) ? `${entry.state}, its owner lives` : entry.state;
}

function verdictOf({ verdict }: Entry): string | null {
  if (verdict === null) return null;
  return `${verdict.verdict}, by ${verdict.by} on ${moment(verdict.atMs)}: ${verdict.why}`;
}

function momentOrNull(atMs: number | null): string | null {
  return atMs === null ? null : moment(atMs);
}
