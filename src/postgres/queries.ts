import type { Entry } from '../ledger/entry.ts';
import { readHistory } from '../ledger/history.ts';
import type { EntryQuery, Ledger, Tally } from '../ledger/ledger.ts';
import type { Query } from './client.ts';
import type { DatabaseClock } from './database-clock.ts';
import { entryOf } from './entry-json.ts';

/** Each step of a purge removes at most this many entries, so that no statement takes long. */
const purgeStep = 1_000;

/** What is read without deciding anything, and what is forgotten. */
export function queriesOn(
  query: Query,
  schema: string,
  clock: DatabaseClock,
): Pick<Ledger, 'get' | 'holder' | 'list' | 'history' | 'tally' | 'purge'> {
  const entries = async (sql: string, values: readonly unknown[]): Promise<readonly Entry[]> =>
    (await query(`SELECT to_jsonb(e) AS entry FROM ${sql}`, values)).map(({ entry }) =>
      entryOf(entry),
    );
  return {
    async get(key) {
      return (await entries(`${schema}.entries e WHERE key = $1`, [key]))[0];
    },
    async holder(lane) {
      const held = `${schema}.lanes l JOIN ${schema}.entries e ON e.key = l.key WHERE l.lane = $1`;
      return (await entries(held, [lane]))[0];
    },
    list(asked) {
      const { where, values } = conditionsOf(asked);
      const limit = Math.max(0, asked.limit ?? 100);
      const way = asked.newestFirst === true ? 'DESC' : 'ASC';
      const order = `ORDER BY created_at_ms ${way}, key ${way} LIMIT ${Number(limit)}`;
      return entries(`${schema}.entries e ${where} ${order}`, values);
    },
    async history(key) {
      const [row] = await query(`SELECT history FROM ${schema}.entries WHERE key = $1`, [key]);
      return row === undefined ? undefined : readHistory(String(row.history));
    },
    async tally({ fromMs, sliceMs, most }) {
      const [row] = await query(tally(schema), [fromMs, sliceMs, most]);
      return row?.its as Tally;
    },
    async purge(olderThanMs) {
      let purged = 0;
      for (;;) {
        const rows = await query(purge(schema), [olderThanMs, clock.setMs]);
        purged += rows.length;
        if (rows.length < purgeStep) return purged;
      }
    },
  };
}

/** What `mayPurge` says, in SQL. Nothing is settled before it is created, so old rows are found by their order. */
function purge(schema: string): string {
  return `
    WITH clock AS MATERIALIZED (
      SELECT coalesce($2::double precision,
        floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision) AS now_ms),
    served AS MATERIALIZED (
      SELECT e.key FROM ${schema}.entries e, clock
      WHERE created_at_ms <= now_ms - $1::double precision
        AND settled_at_ms <= now_ms - $1::double precision AND NOT announce
        AND (state = 'failed' OR (state = 'ok' AND told_at_ms + replay_ms <= now_ms))
      ORDER BY e.key LIMIT ${purgeStep} FOR UPDATE OF e)
    DELETE FROM ${schema}.entries e USING served WHERE e.key = served.key RETURNING 1`;
}

function tally(schema: string): string {
  return `
    WITH newest AS MATERIALIZED (
      SELECT created_at_ms, state, settled_at_ms - first_sent_at_ms AS took,
        floor((created_at_ms - $1::double precision) / $2::double precision) AS slice
      FROM ${schema}.entries WHERE created_at_ms >= $1::double precision
      ORDER BY created_at_ms DESC, key DESC LIMIT $3::integer),
    slices AS (
      SELECT slice, state, count(*) AS count FROM newest GROUP BY slice, state)
    SELECT jsonb_build_object(
      'counted', count(*), 'oldestMs', min(created_at_ms),
      'p50Ms', percentile_disc(0.5) WITHIN GROUP (ORDER BY took),
      'p99Ms', percentile_disc(0.99) WITHIN GROUP (ORDER BY took),
      'slices', (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY slice, state), '[]') FROM slices s)) AS its
    FROM newest`;
}

function conditionsOf(asked: EntryQuery): {
  readonly where: string;
  readonly values: readonly unknown[];
} {
  const terms: string[] = [];
  const values: unknown[] = [];
  const add = (term: (at: string) => string, value: unknown, type: string): void => {
    values.push(value);
    terms.push(term(`$${values.length}::${type}`));
  };
  if (asked.keyStart !== undefined) {
    add((at) => `key >= ${at}`, asked.keyStart, 'text');
    add((at) => `key < ${at}`, `${asked.keyStart}\u{10ffff}`, 'text');
  }
  if (asked.scope !== undefined) add((at) => `scope = ${at}`, asked.scope, 'text');
  if (asked.tool !== undefined) add((at) => `tool = ${at}`, asked.tool, 'text');
  if (asked.lane !== undefined) add((at) => `lane = ${at}`, asked.lane, 'text');
  if (asked.states !== undefined) {
    add((at) => `state = ANY (${at})`, `{${asked.states.join(',')}}`, 'text[]');
    const isOpen = asked.states.every((state) => state !== 'ok' && state !== 'failed');
    if (isOpen) terms.push('settled_at_ms IS NULL');
    if (asked.states.every((state) => state === 'failed')) terms.push('failed_by IS NOT NULL');
  }
  if (asked.createdFromMs !== undefined) {
    add((at) => `created_at_ms >= ${at}`, asked.createdFromMs, 'double precision');
  }
  if (asked.createdBeforeMs !== undefined) {
    add((at) => `created_at_ms < ${at}`, asked.createdBeforeMs, 'double precision');
  }
  if (asked.announce === true) terms.push('announce');
  if (asked.after !== undefined) {
    const { createdAtMs, key } = asked.after;
    values.push(createdAtMs, key);
    const at = `$${values.length - 1}::double precision, $${values.length}::text`;
    terms.push(`(created_at_ms, key) ${asked.newestFirst === true ? '<' : '>'} (${at})`);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}
