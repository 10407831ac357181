import type { JsonValue } from '../call/json.ts';
import type { SettleAnswer } from '../ledger/ledger.ts';
import { verdictResult } from '../runtime/settle.ts';
import { type Command, positionals, type Said, textOption, UsageError } from './command.ts';
import { entryByKey, keyStart, shortestKey } from './entries.ts';
import { withLedger } from './ledger-file.ts';
import { moment } from './plain.ts';

/** `forthright ledger settle` */
export const ledgerSettle: Command = {
  name: 'ledger settle',
  summary: 'says what became of a write that is unknown',
  help: `Usage: forthright ledger settle --by NAME --why TEXT [options] LEDGER KEY VERDICT

Settles one write whose outcome is open, after a look at the remote system. VERDICT is

  happened         it was done: accepted as long as something that was sent is unproven
  did_not_happen   it was not, and will not be: accepted only once nothing that was sent can still
                   take effect. The same call may then be made again

KEY is the entry's key, or its beginning (at least ${shortestKey} digits). The host is told by onSettled.
Where the host seals its ledger, settle by \`runtime.settle\`: the command line cannot seal.

LEDGER is a SQLite file, or a PostgreSQL URL (postgres://…, ?schema=… where it is not forthright).

Options:
  --by NAME     who says so; kept with the entry
  --why TEXT    why; kept with the entry
  --data JSON   what the remote system has on it, told to the model as the write's answer
  --json        the entry as one JSON object
  --help        print this

Exit codes: 0 settled; 1 refused, or no entry has that key; 2 the command line is wrong, or LEDGER
is no ledger.`,
  options: {
    by: { type: 'string' },
    why: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(said, { out, err }) {
    const [path = '', key = '', verdict] = positionals(said, 'LEDGER', 'KEY', 'VERDICT');
    if (verdict !== 'happened' && verdict !== 'did_not_happen') {
      throw new UsageError('VERDICT takes happened or did_not_happen.');
    }
    const start = keyStart(key);
    const by = needed(said, 'by');
    const why = needed(said, 'why');
    const result = JSON.stringify(verdictResult(verdict, dataOf(said)));
    return await withLedger(path, async (ledger) => {
      const entry = await entryByKey(ledger, start, err);
      if (entry === undefined) return 1;
      const answer = await ledger.settle({ key: entry.key, verdict, by, why, result });
      if (answer.kind !== 'settled') {
        err(refusal(answer));
        return 1;
      }
      const { state } = answer.entry;
      const isJson = said.options.json === true;
      await out(isJson ? `${JSON.stringify(answer.entry)}\n` : `${entry.key} is ${state} now.\n`);
      return 0;
    });
  },
};

function needed(said: Said, name: string): string {
  const text = textOption(said, name)?.trim();
  if (text) return text;
  throw new UsageError(`--${name} is missing.`);
}

function dataOf(said: Said): JsonValue {
  const text = textOption(said, 'data');
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new UsageError('--data takes JSON.');
  }
}

function refusal(answer: Exclude<SettleAnswer, { readonly kind: 'settled' }>): string {
  switch (answer.kind) {
    case 'no_entry':
      return 'The entry is gone.';
    case 'too_early':
      return `What was sent may still take effect until ${moment(answer.entry.patientUntilMs ?? 0)}; settle it after that.`;
    case 'not_settleable':
      return `The entry is ${answer.entry.state}; nothing about it is open.`;
  }
}
