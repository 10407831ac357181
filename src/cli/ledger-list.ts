import { type Entry, type EntryState, isUnsettled } from '../ledger/entry.ts';
import type { EntryQuery } from '../ledger/ledger.ts';
import {
  type Command,
  numberOption,
  positionals,
  type Said,
  textOption,
  UsageError,
} from './command.ts';
import { entriesOf } from './entries.ts';
import { withLedger } from './ledger-file.ts';
import { cut, moment, plain, table } from './plain.ts';

const states: readonly EntryState[] = ['claimed', 'dispatched', 'ok', 'failed', 'unknown'];

/** `forthright ledger list` */
export const ledgerList: Command = {
  name: 'ledger list',
  summary: 'the writes in a ledger, oldest first',
  help: `Usage: forthright ledger list [options] LEDGER

Lists the entries of a ledger, oldest first, as a table. Arguments and results are left out;
\`forthright ledger show\` has them.

LEDGER is a SQLite file, or a PostgreSQL URL (postgres://…, ?schema=… where it is not forthright).

Options:
  --unknown        only what may have happened and nobody is working on: unknown entries, and
                   dispatched ones whose owner is gone
  --state STATE    only this state (${states.join(', ')}); may be repeated
  --scope SCOPE    only this scope
  --tool NAME      only this tool
  --limit N        at most N entries, 1 to 1000000; 100 if left out
  --json           one JSON object a line, without arguments and results
  --help           print this

Exit codes: 0 listed, also where there is none; 2 the command line is wrong, or LEDGER is no ledger.`,
  options: {
    unknown: { type: 'boolean' },
    state: { type: 'string', multiple: true },
    scope: { type: 'string' },
    tool: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(said, { out, err }) {
    const [path = ''] = positionals(said, 'LEDGER');
    const limit = numberOption(said, 'limit', { least: 1, most: 1_000_000, otherwise: 100 });
    const query = queryFrom(said);
    const onlyUnsettled = said.options.unknown === true;
    const asJson = said.options.json === true;
    await withLedger(path, async (ledger) => {
      const rows: string[][] = [];
      let found = 0;
      for await (const entry of entriesOf(ledger, query)) {
        if (onlyUnsettled && !isUnsettled(entry, Date.now())) continue;
        if (found === limit) {
          err(`Only the first ${limit} are listed; --limit gives more.`);
          break;
        }
        found += 1;
        if (asJson) await out(`${JSON.stringify(inShort(entry))}\n`);
        else rows.push(cellsOf(entry));
      }
      if (!asJson) await out(found === 0 ? 'No entries.\n' : table(headings, rows));
    });
    return 0;
  },
};

function queryFrom(said: Said): EntryQuery {
  const chosen = [said.options.state ?? []].flat() as EntryState[];
  const stray = chosen.find((state) => !states.includes(state));
  if (stray !== undefined) throw new UsageError(`--state takes one of ${states.join(', ')}.`);
  const unsettled: readonly EntryState[] = ['dispatched', 'unknown'];
  const wanted = chosen.length > 0 ? chosen : states;
  const asked = said.options.unknown === true ? unsettled : states;
  const scope = textOption(said, 'scope');
  const tool = textOption(said, 'tool');
  return {
    states: wanted.filter((state) => asked.includes(state)),
    ...(scope === undefined ? {} : { scope }),
    ...(tool === undefined ? {} : { tool }),
  };
}

const headings = ['KEY', 'STATE', 'TOOL', 'SCOPE', 'LANE', 'GEN', 'CREATED', 'UPDATED'];

function cellsOf(entry: Entry): string[] {
  const { key, state, tool, scope, lane, generation, createdAtMs, updatedAtMs } = entry;
  return [
    key.slice(0, 12),
    state,
    cut(plain(tool), 32),
    cut(plain(scope), 32),
    cut(plain(lane), 32),
    `${generation}`,
    moment(createdAtMs),
    moment(updatedAtMs),
  ];
}

/** What the arguments and the answer were is not for a list. */
function inShort({ input, result, note, ...rest }: Entry): object {
  return rest;
}
