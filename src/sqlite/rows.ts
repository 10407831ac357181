import { keptHistory, longestHistory } from '../ledger/history.ts';
import type { EntryQuery } from '../ledger/ledger.ts';
import type { EntryRows } from '../ledger/stored-ledger.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.ts';
import { changesOf, entryOf, insertEntry, selectEntries, valuesOf } from './entry-row.ts';
import { tallyFrom } from './tally.ts';

/** Entries and lanes as SQLite keeps them. */
export function sqliteRows(database: SqliteDatabase): EntryRows {
  const prepared = preparedBy(database);
  return {
    get(key) {
      const row = prepared(`${selectEntries} WHERE key = ?`).get(key);
      return row === undefined ? undefined : entryOf(row);
    },
    holder(lane) {
      const row = prepared('SELECT key, token FROM lanes WHERE lane = ?').get(lane);
      return row === undefined ? undefined : { ...(row as { key: string; token: number }) };
    },
    put(entry, before, line) {
      if (before === undefined) {
        prepared(insertEntry).run(...valuesOf(entry), line);
        return;
      }
      const { assignments, values } = changesOf(entry, before);
      if (values.length === 0) return;
      const [append, ...lines] = line === '' ? [''] : [`, ${appending}`, line, line];
      prepared(`UPDATE entries SET ${assignments}${append} WHERE key = ?`).run(
        ...values,
        ...lines,
        entry.key,
      );
    },
    append(key, line) {
      prepared(`UPDATE entries SET ${appending} WHERE key = ?`).run(line, line, key);
    },
    setHolder(lane, holder) {
      if (holder === null) prepared('DELETE FROM lanes WHERE lane = ?').run(lane);
      else prepared(takeLane).run(lane, holder.key, holder.token);
    },
    list(query) {
      const { where, values } = conditionsOf(query);
      const way = query.newestFirst === true ? 'DESC' : 'ASC';
      const sql = `${selectEntries} ${where} ORDER BY created_at_ms ${way}, key ${way} LIMIT ?`;
      return prepared(sql)
        .all(...values, Math.max(0, query.limit ?? 100))
        .map(entryOf);
    },
    history(key) {
      const row = prepared('SELECT history FROM entries WHERE key = ?').get(key);
      return (row as { readonly history: string } | undefined)?.history;
    },
    tally: (request) => tallyFrom(prepared, request),
    purge(olderThanMs, nowMs, limit) {
      const settledBy = nowMs - olderThanMs;
      return Number(prepared(purge).run(settledBy, settledBy, nowMs, limit).changes);
    },
  };
}

const takeLane = `INSERT INTO lanes (lane, key, token) VALUES (?, ?, ?)
  ON CONFLICT (lane) DO UPDATE SET key = excluded.key, token = excluded.token`;

/** What `appended` does. */
const appending = `history = CASE WHEN length(history) < ${longestHistory} THEN history || ?
  ELSE substr(history, 1, ${keptHistory.start}) || char(10) || substr(history, -${keptHistory.end}) || ? END`;

/** What `mayPurge` says, in SQL. Nothing is settled before it is created, so old rows are found by their order. */
const purge = `DELETE FROM entries WHERE key IN (
  SELECT key FROM entries
  WHERE created_at_ms <= ? AND settled_at_ms <= ? AND announce = 0
    AND (state = 'failed' OR (state = 'ok' AND told_at_ms + replay_ms <= ?))
  LIMIT ?)`;

interface Conditions {
  readonly where: string;
  readonly values: readonly SqliteValue[];
}

function conditionsOf(query: EntryQuery): Conditions {
  const terms: string[] = [];
  const values: SqliteValue[] = [];
  const add = (term: string, ...its: readonly SqliteValue[]): void => {
    terms.push(term);
    values.push(...its);
  };
  const { keyStart, lane, scope, tool, states, announce, after } = query;
  const isOpen = states?.every((state) => state !== 'ok' && state !== 'failed');
  const isFailed = states?.every((state) => state === 'failed');
  // SQLite knows nothing of how many rows a value has. Of all that is asked for, only the first of this
  // list may choose the index: a `+` keeps the others from it.
  const indexed = [
    keyStart !== undefined && 'key',
    lane !== undefined && 'lane',
    scope !== undefined && 'scope',
    isOpen && 'open',
    isFailed && 'failed',
    tool !== undefined && 'tool',
  ].find(Boolean);
  const column = (name: string): string => (indexed === name ? name : `+${name}`);
  if (keyStart !== undefined) add('key >= ? AND key < ?', keyStart, afterAll(keyStart));
  if (lane !== undefined) add(`${column('lane')} = ?`, lane);
  if (scope !== undefined) add(`${column('scope')} = ?`, scope);
  if (tool !== undefined) add(`${column('tool')} = ?`, tool);
  if (states !== undefined) {
    add(`state IN (${states.map(() => '?').join(', ')})`, ...states);
    // In these very words, so that the index of the unsettled, or the failed, is used.
    if (isOpen) add('settled_at_ms IS NULL');
    if (isFailed) add('failed_by IS NOT NULL');
  }
  if (announce === true) add('announce = 1');
  const created = indexed === 'key' ? '+created_at_ms' : 'created_at_ms';
  if (query.createdFromMs !== undefined) add(`${created} >= ?`, query.createdFromMs);
  if (query.createdBeforeMs !== undefined) add(`${created} < ?`, query.createdBeforeMs);
  if (after !== undefined) {
    const further = query.newestFirst === true ? '<' : '>';
    add(`(${created}, key) ${further} (?, ?)`, after.createdAtMs, after.key);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

/** A text that comes after all that begin so. */
function afterAll(start: string): string {
  return `${start}\u{10ffff}`;
}

/** Each statement is prepared once; the ways to ask for a list, and to change an entry, are few. */
function preparedBy(database: SqliteDatabase): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
