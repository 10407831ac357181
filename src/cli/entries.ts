import type { Entry } from '../ledger/entry.ts';
import type { EntryQuery, Ledger } from '../ledger/ledger.ts';
import { UsageError } from './command.ts';

const pageLength = 500;

/** All entries of a query, oldest first, read page by page. */
export async function* entriesOf(ledger: Ledger, query: EntryQuery): AsyncGenerator<Entry> {
  let page = await ledger.list({ ...query, limit: pageLength });
  for (;;) {
    yield* page;
    const after = page.at(-1);
    if (after === undefined || page.length < pageLength) return;
    page = await ledger.list({ ...query, limit: pageLength, after });
  }
}

/** How many digits of a key are enough to ask for. */
export const shortestKey = 6;
const keyLength = 64;

/** The beginning of a key, as it was said: bare, or as it went over the wire. Throws a UsageError where it is none. */
export function keyStart(said: string): string {
  const start = /^([0-9a-f]+)(?:-[0-9a-z]+-\d+)?$/i.exec(said)?.[1]?.toLowerCase() ?? '';
  if (start.length >= shortestKey && start.length <= keyLength) return start;
  throw new UsageError(`KEY takes ${shortestKey} to ${keyLength} hexadecimal digits.`);
}

/** The entry whose key begins so; undefined where there is none or more than one, which is said by `err`. */
export async function entryByKey(
  ledger: Ledger,
  start: string,
  err: (line: string) => void,
): Promise<Entry | undefined> {
  const found = await findEntries(ledger, start);
  if (found.length === 1) return found[0];
  err(
    found.length > 1 ? `More than one key begins with ${start}.` : `No entry has the key ${start}.`,
  );
  return undefined;
}

/** The entry with this key, or the first two whose keys begin so. */
function findEntries(ledger: Ledger, keyStart: string): Promise<readonly Entry[]> {
  return ledger.list({ keyStart, limit: 2 });
}
