import type { Entry, LaneHolder } from './entry.ts';
import type { EntryQuery, Ledger } from './ledger.ts';
import { type EntryRows, storedLedger, type Transactions } from './stored-ledger.ts';
import { mayPurge } from './transitions.ts';

/** Options of {@link memoryLedger}. */
export interface MemoryLedgerOptions {
  /** The store's clock, in milliseconds since 1970; the machine's if left out. */
  readonly nowMs?: () => number;
  /** How many entries it holds at most; 100,000 if left out. Beyond it, claims of new keys reject. */
  readonly maxEntries?: number;
}

/** A ledger in this process's memory: for tests, and where no promise has to outlive the process. */
export function memoryLedger(options: MemoryLedgerOptions = {}): Ledger {
  return storedLedger(memoryTransactions(options));
}

function memoryTransactions(options: MemoryLedgerOptions): Transactions {
  const nowMs = options.nowMs ?? Date.now;
  const rows = memoryRows(options.maxEntries ?? 100_000);
  let open = true;
  const run = async <T>(work: (rows: EntryRows, nowMs: number) => T): Promise<T> => {
    if (!open) throw new Error('The ledger is closed.');
    return work(rows, nowMs());
  };
  return {
    write: run,
    read: run,
    close: async () => {
      open = false;
    },
  };
}

function memoryRows(maxEntries: number): EntryRows {
  const entries = new Map<string, Entry>();
  const holders = new Map<string, LaneHolder>();
  const rows: EntryRows = {
    get: (key) => entries.get(key),
    holder: (lane) => holders.get(lane),
    put(entry) {
      if (!entries.has(entry.key) && entries.size >= maxEntries) {
        rows.purge(0, entry.updatedAtMs, maxEntries);
        if (entries.size >= maxEntries) {
          throw new Error(
            `The memory ledger is full: it holds ${maxEntries} entries (maxEntries).`,
          );
        }
      }
      entries.set(entry.key, entry);
    },
    setHolder(lane, holder) {
      if (holder === null) holders.delete(lane);
      else holders.set(lane, holder);
    },
    list: (query) => listed(entries, query),
    purge(olderThanMs, nowMs, limit) {
      let purged = 0;
      for (const [key, entry] of entries) {
        if (purged >= limit) break;
        if (!mayPurge(entry, olderThanMs, nowMs)) continue;
        entries.delete(key);
        purged += 1;
      }
      return purged;
    },
  };
  return rows;
}

function listed(entries: ReadonlyMap<string, Entry>, query: EntryQuery): readonly Entry[] {
  const { after } = query;
  const found = [...entries.values()].filter(
    (entry) => matches(entry, query) && (after === undefined || inListOrder(after, entry) < 0),
  );
  return found.sort(inListOrder).slice(0, Math.max(0, query.limit ?? 100));
}

function matches(entry: Entry, query: EntryQuery): boolean {
  if (query.scope !== undefined && entry.scope !== query.scope) return false;
  if (query.tool !== undefined && entry.tool !== query.tool) return false;
  if (query.lane !== undefined && entry.lane !== query.lane) return false;
  if (query.states !== undefined && !query.states.includes(entry.state)) return false;
  return query.announce === undefined || entry.announce;
}

type Place = Pick<Entry, 'createdAtMs' | 'key'>;

function inListOrder(a: Place, b: Place): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
