import type { LaneHolder } from '../ledger/entry.ts';
import { keptHistory, longestHistory } from '../ledger/history.ts';
import type { Row } from './client.ts';
import { columns } from './entry-json.ts';

/** What was decided, and what it was decided on: one JSON value for {@link compareAndWrite}. */
export interface Decision {
  /** The time of the decision, by the database's clock as this process knows it. */
  readonly at_ms: number;
  /** A clock that a test has set, instead of the database's. */
  readonly clock_ms: number | null;
  /** Each entry that was looked at, as it was; with nulls where there was none. */
  readonly entries: readonly SeenEntry[];
  /** Each lane that was looked at, and its holder. */
  readonly lanes: readonly ({ readonly lane: string } & Nullable<LaneHolder>)[];
  /** Each entry's columns, its history among them. */
  readonly inserts: readonly Record<string, unknown>[];
  /** What of an entry changes, and the lines that its history grows by. */
  readonly updates: readonly {
    readonly key: string;
    readonly changes: Record<string, unknown>;
    readonly lines: string;
  }[];
  readonly taken: readonly ({ readonly lane: string } & LaneHolder)[];
  readonly freed: readonly { readonly lane: string }[];
  /** How many rows all that writes. */
  readonly writes: number;
}

/** The version counts anew where an entry was purged and made again: its latest attempt tells the two apart. */
type SeenEntry = { readonly key: string } & Nullable<{ version: number; attempt_id: string }>;

type Nullable<T> = { readonly [Field in keyof T]: T[Field] | null };

/** What became of a decision. */
export interface Outcome extends Row {
  /** Whether all was as it had been when it was decided; then, and only then, it was written. */
  readonly holds: boolean;
  /** The database's clock, in milliseconds since 1970. */
  readonly now_ms: number;
  /** Where it did not hold: what the entries and the lanes that were looked at are in truth. */
  readonly entries: readonly unknown[] | null;
  readonly lanes: readonly ({ readonly lane: string } & LaneHolder)[] | null;
}

/** A decision that took longer to arrive than this is made anew. */
const longestWayMs = 1_000;

const kinds = ['inserts', 'updates', 'taken', 'freed'] as const;

/** What a decision writes; each such shape is a statement of its own, with nothing in it that is not needed. */
export type Shape = readonly (typeof kinds)[number][];

/** The shape of a decision; empty where it writes nothing. */
export function shapeOf(decision: Decision): Shape {
  return kinds.filter((kind) => decision[kind].length > 0);
}

/**
 * Writes a decision if nothing that it was decided on has changed: one statement, so that it is all
 * done or nothing is. The rows are locked in one order, first lanes, then entries; where nothing is to
 * be written, one look at them is enough, which locks nothing. Where another process made a row that
 * was not there yet, some insert finds it taken, and the division by zero (22012) undoes the rest.
 * `= ANY (ARRAY(…))` and `NOT IN` are an index scan and a hash whatever the planner takes the tables'
 * sizes for.
 */
export function compareAndWrite(schema: string, shape: Shape): string {
  const lock = shape.length > 0 ? 'FOR UPDATE' : '';
  const writes = shape.map((kind) => `${kind} AS (${writing[kind](schema)} RETURNING 1),`);
  const counts = shape.map((kind) => `(SELECT count(*) FROM ${kind})`);
  return `
    WITH decision AS MATERIALIZED (SELECT $1::text::jsonb AS its),
    seen_entries AS MATERIALIZED (
      SELECT s.* FROM decision, jsonb_to_recordset(its -> 'entries') AS s (key text, version integer, attempt_id text)),
    seen_lanes AS MATERIALIZED (
      SELECT s.* FROM decision, jsonb_to_recordset(its -> 'lanes') AS s (lane text, key text, token integer)),
    locked_lanes AS MATERIALIZED (
      SELECT lane, key, token FROM ${schema}.lanes
      WHERE lane = ANY (ARRAY(SELECT lane FROM seen_lanes)) ORDER BY lane ${lock}),
    locked_entries AS MATERIALIZED (
      SELECT * FROM ${schema}.entries
      WHERE key = ANY (ARRAY(SELECT key FROM seen_entries)) AND (SELECT count(*) FROM locked_lanes) >= 0
      ORDER BY key ${lock}),
    clock AS MATERIALIZED (
      SELECT coalesce((its ->> 'clock_ms')::double precision,
          floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision) AS now_ms,
        (its ->> 'at_ms')::double precision AS at_ms
      FROM decision, (SELECT count(*) FROM locked_entries) AS after_the_locks),
    compared AS MATERIALIZED (
      SELECT now_ms, now_ms BETWEEN at_ms AND at_ms + ${longestWayMs}
        AND (SELECT count(*) FROM locked_entries) = (SELECT count(version) FROM seen_entries)
        AND NOT EXISTS (
          SELECT FROM locked_entries WHERE (key, version, attempt_id) NOT IN (
            SELECT key, version, attempt_id FROM seen_entries WHERE version IS NOT NULL))
        AND (SELECT count(*) FROM locked_lanes) = (SELECT count(token) FROM seen_lanes)
        AND NOT EXISTS (
          SELECT FROM locked_lanes WHERE (lane, key, token) NOT IN (
            SELECT lane, key, token FROM seen_lanes WHERE token IS NOT NULL)) AS holds
      FROM clock),
    ${writes.join('\n    ')}
    written AS (SELECT ${counts.join(' + ') || '0'} AS rows)
    SELECT holds, now_ms,
      ${shape.length > 0 ? allOrNothing : ''}
      CASE WHEN NOT holds THEN (SELECT jsonb_agg(to_jsonb(e)) FROM locked_entries e) END AS entries,
      CASE WHEN NOT holds THEN (SELECT jsonb_agg(to_jsonb(l)) FROM locked_lanes l) END AS lanes
    FROM compared, decision, written`;
}

const allOrNothing =
  "CASE WHEN holds AND rows <> (its ->> 'writes')::integer THEN 1 / (rows - rows) END AS undone,";
const list = columns.join(', ');
const values = columns.map((column) => `n.${column}`).join(', ');

/** What the ledger's `appended` does. */
const appended = `CASE WHEN length(e.history) < ${longestHistory} THEN e.history || u.lines
  WHEN u.lines = '' THEN e.history
  ELSE left(e.history, ${keptHistory.start}) || chr(10) || right(e.history, ${keptHistory.end}) || u.lines END`;

const writing: Readonly<Record<Shape[number], (schema: string) => string>> = {
  inserts: (schema) => `
      INSERT INTO ${schema}.entries (${list}, history) SELECT ${values}, n.history
      FROM compared, decision, jsonb_populate_recordset(NULL::${schema}.entries, its -> 'inserts') AS n
      WHERE holds ORDER BY n.key ON CONFLICT (key) DO NOTHING`,
  updates: (schema) => `
      UPDATE ${schema}.entries e SET (${list}, history) = (
        SELECT ${values}, ${appended} FROM jsonb_populate_record(e, u.changes) AS n)
      FROM compared, decision, jsonb_to_recordset(its -> 'updates') AS u (key text, changes jsonb, lines text)
      WHERE holds AND e.key = u.key AND e.key = ANY (ARRAY(SELECT key FROM seen_entries))`,
  taken: (schema) => `
      INSERT INTO ${schema}.lanes (lane, key, token) SELECT t.lane, t.key, t.token
      FROM compared, decision, jsonb_to_recordset(its -> 'taken') AS t (lane text, key text, token integer)
      WHERE holds ORDER BY t.lane
      ON CONFLICT (lane) DO UPDATE SET key = excluded.key, token = excluded.token
        WHERE lanes.lane IN (SELECT lane FROM locked_lanes)`,
  freed: (schema) => `
      DELETE FROM ${schema}.lanes l
      USING compared, decision, jsonb_to_recordset(its -> 'freed') AS f (lane text)
      WHERE holds AND l.lane = f.lane AND l.lane = ANY (ARRAY(SELECT lane FROM seen_lanes))`,
};

/** division_by_zero: a row that a decision was to make had been made by somebody else meanwhile. */
export const undone = '22012';

/** invalid_sql_statement_name, duplicate_prepared_statement: some pooler does not keep what was prepared. */
export const notPrepared: ReadonlySet<string> = new Set(['26000', '42P05']);
