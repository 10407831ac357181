import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isBusy, isNotADatabase, openDatabase, type SqliteDatabase } from './driver.ts';
import { migrations } from './migrations.ts';

/** "frth": the application id in the header of a ledger file. */
const applicationId = 0x66727468;
const inMemory = ':memory:';

/** Opens a ledger file, or makes one; throws where the path leads to something else. */
export function openLedgerFile(path: string, mustExist: boolean, waitMs: number): SqliteDatabase {
  if (path !== inMemory) checkPath(path, mustExist);
  const database = openDatabase(path);
  try {
    prepareLedger(database, path, mustExist, waitMs);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Brings a connection's file up to this version's schema; several processes may do so at once. */
export function prepareLedger(
  database: SqliteDatabase,
  path: string,
  mustExist: boolean,
  waitMs: number,
): void {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  retrying(waitMs, () => {
    const found = inspect(database, path);
    if (found === 'empty' && mustExist) throw new Error(`${path} is empty: it holds no ledger.`);
  });
  retrying(waitMs, () => {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(`PRAGMA wal_autocheckpoint = ${walPages}`);
  });
  retrying(waitMs, () => migrate(database, path));
}

/** How long SQLite itself waits, and the event loop with it, before it says that the file is busy. */
const busyTimeoutMs = 10;
/** A checkpoint every 40 MB or so: rarer ones cost less in all. */
const walPages = 10_000;

function checkPath(path: string, mustExist: boolean): void {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) throw new Error(`Cannot open ${path}: there is no folder ${folder}.`);
  if (!existsSync(path)) {
    if (mustExist) throw new Error(`There is no ledger at ${path}.`);
  } else if (!statSync(path).isFile()) {
    throw new Error(`Cannot open ${path}: it is not a file.`);
  }
}

function inspect(database: SqliteDatabase, path: string): 'empty' | 'ledger' {
  try {
    const id = numberOf(database, 'PRAGMA application_id');
    const tables = numberOf(database, 'SELECT count(*) FROM sqlite_master');
    if (id === 0 && tables === 0) return 'empty';
    if (id !== applicationId) throw new Error(`${path} is a database, but not a ledger.`);
    const version = numberOf(database, 'PRAGMA user_version');
    if (version <= migrations.length) return 'ledger';
    throw new Error(
      `${path} was written by a newer forthright: its schema is version ${version}, ` +
        `and this one knows versions up to ${migrations.length}.`,
    );
  } catch (error) {
    if (isNotADatabase(error)) {
      throw new Error(`${path} is neither a ledger nor any other SQLite file.`, { cause: error });
    }
    throw error;
  }
}

function migrate(database: SqliteDatabase, path: string): void {
  if (isUpToDate(database)) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been here since.
    inspect(database, path);
    const version = numberOf(database, 'PRAGMA user_version');
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(
      `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`,
    );
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function isUpToDate(database: SqliteDatabase): boolean {
  return (
    numberOf(database, 'PRAGMA application_id') === applicationId &&
    numberOf(database, 'PRAGMA user_version') === migrations.length
  );
}

/** The single number that a query gives. */
function numberOf(database: SqliteDatabase, sql: string): number {
  const row = database.prepare(sql).get() as Record<string, number>;
  return Object.values(row)[0] ?? 0;
}

/** Opening is done at once or not at all, so it waits here for other processes that open the same file. */
function retrying(waitMs: number, step: () => void): void {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    try {
      step();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadlineMs) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 10);
  }
}
