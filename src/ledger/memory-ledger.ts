import type { Entry, LaneHolder } from './entry.ts';
import { appended } from './history.ts';
import type { EntryQuery, Ledger, Tally, TallyRequest, TallySlice } from './ledger.ts';
import { type EntryRows, storedLedger, type Transactions } from './stored-ledger.ts';
import { inTallyOrder, rankOf } from './tally.ts';
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
  const histories = new Map<string, string>();
  const rows: EntryRows = {
    get: (key) => entries.get(key),
    holder: (lane) => holders.get(lane),
    put(entry, _, line) {
      if (!entries.has(entry.key) && entries.size >= maxEntries) {
        rows.purge(0, entry.updatedAtMs, maxEntries);
        if (entries.size >= maxEntries) {
          throw new Error(
            `The memory ledger is full: it holds ${maxEntries} entries (maxEntries).`,
          );
        }
      }
      entries.set(entry.key, entry);
      rows.append(entry.key, line);
    },
    append(key, line) {
      histories.set(key, appended(histories.get(key) ?? '', line));
    },
    setHolder(lane, holder) {
      if (holder === null) holders.delete(lane);
      else holders.set(lane, holder);
    },
    list: (query) => listed(entries, query),
    history: (key) => histories.get(key),
    tally: (request) => tallied([...entries.values()], request),
    purge(olderThanMs, nowMs, limit) {
      let purged = 0;
      for (const [key, entry] of entries) {
        if (purged >= limit) break;
        if (!mayPurge(entry, olderThanMs, nowMs)) continue;
        entries.delete(key);
        histories.delete(key);
        purged += 1;
      }
      return purged;
    },
  };
  return rows;
}

function listed(entries: ReadonlyMap<string, Entry>, query: EntryQuery): readonly Entry[] {
  const { after } = query;
  const order = query.newestFirst === true ? newestFirst : inListOrder;
  const found = [...entries.values()].filter(
    (entry) => matches(entry, query) && (after === undefined || order(after, entry) < 0),
  );
  return found.sort(order).slice(0, Math.max(0, query.limit ?? 100));
}

function matches(entry: Entry, query: EntryQuery): boolean {
  if (query.keyStart !== undefined && !entry.key.startsWith(query.keyStart)) return false;
  if (query.scope !== undefined && entry.scope !== query.scope) return false;
  if (query.tool !== undefined && entry.tool !== query.tool) return false;
  if (query.lane !== undefined && entry.lane !== query.lane) return false;
  if (query.states !== undefined && !query.states.includes(entry.state)) return false;
  if (entry.createdAtMs < (query.createdFromMs ?? 0)) return false;
  if (entry.createdAtMs >= (query.createdBeforeMs ?? Number.POSITIVE_INFINITY)) return false;
  return query.announce === undefined || entry.announce;
}

function tallied(entries: readonly Entry[], { fromMs, sliceMs, most }: TallyRequest): Tally {
  const counted = entries
    .filter(({ createdAtMs }) => createdAtMs >= fromMs)
    .sort(newestFirst)
    .slice(0, most);
  const slices = new Map<string, TallySlice>();
  for (const { createdAtMs, state } of counted) {
    const slice = Math.floor((createdAtMs - fromMs) / sliceMs);
    const count = (slices.get(`${slice} ${state}`)?.count ?? 0) + 1;
    slices.set(`${slice} ${state}`, { slice, state, count });
  }
  const durations = counted
    .flatMap(({ firstSentAtMs, settledAtMs }) =>
      firstSentAtMs === null || settledAtMs === null ? [] : [settledAtMs - firstSentAtMs],
    )
    .sort((a, b) => a - b);
  return {
    counted: counted.length,
    oldestMs: counted.at(-1)?.createdAtMs ?? null,
    slices: [...slices.values()].sort(inTallyOrder),
    p50Ms: durations[rankOf(0.5, durations.length)] ?? null,
    p99Ms: durations[rankOf(0.99, durations.length)] ?? null,
  };
}

type Place = Pick<Entry, 'createdAtMs' | 'key'>;

function inListOrder(a: Place, b: Place): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

function newestFirst(a: Place, b: Place): number {
  return inListOrder(b, a);
}
