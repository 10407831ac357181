import { createRequire } from 'node:module';

/** What SQLite stores in a column. */
export type SqliteValue = string | number | null;

/** The part of a prepared statement that the ledger uses. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** The part of a connection that the ledger uses: better-sqlite3's `Database` and `node:sqlite`'s `DatabaseSync` have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

type Constructor = new (path: string) => SqliteDatabase;

/** Opens a file with `node:sqlite` where Node has it, else with better-sqlite3; throws where neither is there. */
export function openDatabase(path: string): SqliteDatabase {
  const Database = nodeSqlite() ?? betterSqlite3();
  return new Database(path);
}

/** `node:sqlite`'s class, where this Node has it. */
export function nodeSqlite(): Constructor | undefined {
  const load = process.getBuiltinModule as ((name: string) => object | undefined) | undefined;
  const found = load?.('node:sqlite');
  return found === undefined ? undefined : (Reflect.get(found, 'DatabaseSync') as Constructor);
}

/** better-sqlite3's class; throws an error that says how to install it. */
export function betterSqlite3(): Constructor {
  try {
    return createRequire(import.meta.url)('better-sqlite3') as Constructor;
  } catch (cause) {
    throw new Error(
      `This Node (${process.version}) has no node:sqlite and better-sqlite3 cannot be loaded. ` +
        'Run `npm install better-sqlite3`, or use a newer Node.',
      { cause },
    );
  }
}

const busy = 5;
const notADatabase = 26;

/** Whether another connection has the file for the moment: nothing was done, and trying again helps. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, busy, 'SQLITE_BUSY');
}

/** Whether SQLite says that a file is none of its own. */
export function isNotADatabase(error: unknown): boolean {
  return hasCode(error, notADatabase, 'SQLITE_NOTADB');
}

/** `node:sqlite` gives SQLite's number, better-sqlite3 its name; both may be extended (`SQLITE_BUSY_RECOVERY`). */
function hasCode(error: unknown, number: number, name: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code: unknown = Reflect.get(error, 'code');
  const errcode: unknown = Reflect.get(error, 'errcode');
  if (typeof errcode === 'number') return (errcode & 0xff) === number;
  return typeof code === 'string' && (code === name || code.startsWith(`${name}_`));
}
