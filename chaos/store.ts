import type { Ledger } from '../src/index.ts';
import { postgresLedger } from '../src/postgres/index.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';

/** Where the ledger is that all workers share. */
export type Place =
  | { readonly store: 'sqlite'; readonly path: string }
  | { readonly store: 'postgres'; readonly url: string };

/** Opens a handle of this process's own. */
export function openLedger(place: Place): Ledger {
  return place.store === 'sqlite' ? sqliteLedger(place.path) : postgresLedger(place.url);
}
