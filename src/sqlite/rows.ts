import type { EntryQuery } from '../ledger/ledger.ts';
import type { EntryRows } from '../ledger/stored-ledger.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.ts';
import { changesOf, entryOf, insertEntry, selectEntries, valuesOf } from './entry-row.ts';

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
    put(entry, before) {
      if (before === undefined) {
        prepared(insertEntry).run(...valuesOf(entry));
        return;
      }
      const { assignments, values } = changesOf(entry, before);
      if (values.length === 0) return;
      prepared(`UPDATE entries SET ${assignments} WHERE key = ?`).run(...values, entry.key);
    },
    setHolder(lane, holder) {
      if (holder === null) prepared('DELETE FROM lanes WHERE lane = ?').run(lane);
      else prepared(takeLane).run(lane, holder.key, holder.token);
    },
    list(query) {
      const { where, values } = conditionsOf(query);
      const sql = `${selectEntries} ${where} ORDER BY created_at_ms, key LIMIT ?`;
      return prepared(sql)
        .all(...values, Math.max(0, query.limit ?? 100))
        .map(entryOf);
    },
    purge(olderThanMs, nowMs, limit) {
      const settledBy = nowMs - olderThanMs;
      return Number(prepared(purge).run(settledBy, settledBy, nowMs, limit).changes);
    },
  };
}

const takeLane = `INSERT INTO lanes (lane, key, token) VALUES (?, ?, ?)
  ON CONFLICT (lane) DO UPDATE SET key = excluded.key, token = excluded.token`;

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
  if (query.scope !== undefined) add('scope = ?', query.scope);
  if (query.tool !== undefined) add('tool = ?', query.tool);
  if (query.lane !== undefined) add('lane = ?', query.lane);
  if (query.states !== undefined) {
    add(`state IN (${query.states.map(() => '?').join(', ')})`, ...query.states);
    // In these very words, so that the index of the unsettled is used.
    const isOpen = query.states.every((state) => state !== 'ok' && state !== 'failed');
    if (isOpen) add('settled_at_ms IS NULL');
  }
  if (query.announce === true) add('announce = 1');
  if (query.after !== undefined) {
    add('(created_at_ms, key) > (?, ?)', query.after.createdAtMs, query.after.key);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
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
