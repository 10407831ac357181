import type { Ledger } from '../ledger/ledger.ts';
import { storedLedger } from '../ledger/stored-ledger.ts';
import type { SqliteDatabase } from './driver.ts';
import { groupCommit } from './group-commit.ts';
import { openLedgerFile, prepareLedger } from './open-ledger-file.ts';
import { recentRows } from './recent-rows.ts';
import { sqliteRows } from './rows.ts';

/** Where a ledger is kept, and how. */
export type SqliteLedgerOptions = SqliteLedgerPlace & {
  /** The store's clock, in milliseconds since 1970; the machine's if left out. */
  readonly nowMs?: () => number;
  /** How long a call waits for a file that other processes keep busy, before it rejects; 5,000 ms if left out. */
  readonly busyMs?: number;
};

/** A file, or a connection that the host has opened for the ledger alone and closes itself. */
export type SqliteLedgerPlace =
  | {
      readonly path: string;
      /** Refuses a file that is not there or is empty, instead of making a new ledger. */
      readonly mustExist?: boolean;
    }
  | { readonly database: SqliteDatabase };

/**
 * A ledger in one SQLite file, which several processes of one machine may share. Uses `node:sqlite`
 * where Node has it, else better-sqlite3. Each write is on disk (`synchronous=FULL`) when its promise
 * resolves. Throws where the place is not a ledger, or one that a newer version wrote.
 */
export function sqliteLedger(place: string | SqliteLedgerOptions): Ledger {
  const options: SqliteLedgerOptions = typeof place === 'string' ? { path: place } : place;
  const busyMs = options.busyMs ?? 5_000;
  const { database, close } = openPlace(options, busyMs);
  const nowMs = options.nowMs ?? Date.now;
  return storedLedger(
    groupCommit(database, recentRows(database, sqliteRows(database)), {
      nowMs,
      busyMs,
      onClose: close,
    }),
  );
}

interface OpenPlace {
  readonly database: SqliteDatabase;
  readonly close: () => void;
}

function openPlace(place: SqliteLedgerPlace, busyMs: number): OpenPlace {
  if ('database' in place) {
    prepareLedger(place.database, 'The database', false, busyMs);
    return { database: place.database, close: () => {} };
  }
  const database = openLedgerFile(place.path, place.mustExist ?? false, busyMs);
  return { database, close: () => void database.close() };
}
