import type { Tally, TallyRequest, TallySlice } from '../ledger/ledger.ts';
import { inTallyOrder, rankOf } from '../ledger/tally.ts';
import type { SqliteStatement } from './driver.ts';

/** Reads the newest once: what is counted of it, by slice and state, and how long each one took. */
const counting = `
  WITH newest AS MATERIALIZED (
    SELECT created_at_ms, state, settled_at_ms - first_sent_at_ms AS took FROM entries
    WHERE created_at_ms >= ? ORDER BY created_at_ms DESC, key DESC LIMIT ?)
  SELECT CAST((created_at_ms - ?) / ? AS INTEGER) AS slice, state, count(*) AS count,
    min(created_at_ms) AS oldest FROM newest GROUP BY 1, 2
  UNION ALL
  SELECT took, NULL, count(*), NULL FROM newest WHERE took IS NOT NULL GROUP BY took
  ORDER BY 2, 1`;

interface Row {
  /** The number of a slice, or, without a state, a duration. */
  readonly slice: number;
  readonly state: TallySlice['state'] | null;
  readonly count: number;
  readonly oldest: number | null;
}

/** Counts inside SQLite, so that no more than the counts are read. */
export function tallyFrom(
  prepared: (sql: string) => SqliteStatement,
  { fromMs, sliceMs, most }: TallyRequest,
): Tally {
  const rows = prepared(counting).all(fromMs, most, fromMs, sliceMs) as Row[];
  const slices = rows.flatMap(({ slice, state, count }) =>
    state === null ? [] : [{ slice, state, count }],
  );
  const durations = rows.filter(({ state }) => state === null);
  const oldest = rows.flatMap((row) => row.oldest ?? []);
  return {
    counted: slices.reduce((sum, { count }) => sum + count, 0),
    oldestMs: oldest.length === 0 ? null : Math.min(...oldest),
    slices: slices.sort(inTallyOrder),
    p50Ms: atShare(durations, 0.5),
    p99Ms: atShare(durations, 0.99),
  };
}

/** The duration that a share of them does not exceed; they are sorted, each with how many took so long. */
function atShare(durations: readonly Row[], share: number): number | null {
  const rank = rankOf(
    share,
    durations.reduce((sum, { count }) => sum + count, 0),
  );
  let before = 0;
  for (const { slice: ms, count } of durations) {
    before += count;
    if (rank < before) return ms;
  }
  return null;
}
