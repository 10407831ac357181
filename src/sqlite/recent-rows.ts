import type { Entry, LaneHolder } from '../ledger/entry.ts';
import type { EntryRows } from '../ledger/stored-ledger.ts';
import type { SqliteDatabase } from './driver.ts';

/** Rows that are read once and then remembered, for as long as no other connection writes. */
export interface RecentRows extends EntryRows {
  /** Inside a transaction, before anything is read: forgets all if another connection has written since. */
  begin(): void;
  /** After a transaction was undone. */
  forget(): void;
}

/** More open writes than this at once are read anew. */
const remembered = 1_000;
/** Longer texts are not held in memory. */
const longestText = 10_000;

/**
 * A call's later steps find what its earlier ones wrote: the entry while it is open, and its lane's
 * holder. `PRAGMA data_version` changes with each commit of another connection, and with those only.
 */
export function recentRows(database: SqliteDatabase, rows: EntryRows): RecentRows {
  const dataVersion = database.prepare('PRAGMA data_version');
  const entries = new Map<string, Entry>();
  const holders = new Map<string, LaneHolder>();
  let version: unknown;

  function forget(): void {
    entries.clear();
    holders.clear();
  }

  function remember(entry: Entry): void {
    const isOpen = entry.settledAtMs === null;
    const isShort = entry.input.length < longestText;
    if (isOpen && isShort) entries.set(entry.key, entry);
    else entries.delete(entry.key);
  }

  return {
    ...rows,
    begin() {
      const { data_version: now } = dataVersion.get() as { readonly data_version: unknown };
      if (now !== version || entries.size > remembered || holders.size > remembered) forget();
      version = now;
    },
    forget,
    get: (key) => entries.get(key) ?? rows.get(key),
    holder: (lane) => holders.get(lane) ?? rows.holder(lane),
    put(entry, before, line) {
      rows.put(entry, before, line);
      remember(entry);
    },
    setHolder(lane, holder) {
      rows.setHolder(lane, holder);
      if (holder === null) holders.delete(lane);
      else holders.set(lane, holder);
    },
  };
}
