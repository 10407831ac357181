import type { Entry } from '../ledger/entry.ts';
import type { EntryQuery, Ledger } from '../ledger/ledger.ts';

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
