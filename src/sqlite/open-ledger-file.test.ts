import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claimOf } from '../testing/ledger-cases/stage.ts';
import { openDatabase } from './driver.ts';
import { migrations } from './migrations.ts';
import { sqliteLedger } from './sqlite-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newPath = () => join(folder, `${files++}.db`);

/** Runs statements on a file as some other program would. */
function withDatabase(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}

test('a file that a newer version wrote is refused, by name and with both versions, and left as it is', async () => {
  const path = newPath();
  await sqliteLedger(path).close();
  withDatabase(path, `PRAGMA user_version = ${migrations.length + 3}`);
  const before = readFileSync(path);
  expect(() => sqliteLedger(path)).toThrow(
    `${path} was written by a newer forthright: its schema is version ${migrations.length + 3}, ` +
      `and this one knows versions up to ${migrations.length}.`,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a database that is not a ledger is refused, and left as it is', () => {
  const path = newPath();
  withDatabase(path, 'CREATE TABLE orders (id INTEGER)');
  const before = readFileSync(path);
  expect(() => sqliteLedger(path)).toThrow(`${path} is a database, but not a ledger.`);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a file that is no database is refused, and left as it is', () => {
  const path = newPath();
  writeFileSync(
    path,
    'To whom it may concern: this is a letter, and no database at all.\n'.repeat(20),
  );
  const before = readFileSync(path);
  expect(() => sqliteLedger(path)).toThrow(
    `${path} is neither a ledger nor any other SQLite file.`,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a folder that is not there is named', () => {
  const path = join(folder, 'nowhere', 'ledger.db');
  expect(() => sqliteLedger(path)).toThrow(`there is no folder ${join(folder, 'nowhere')}`);
});

test('a path that leads to a folder is refused', () => {
  const path = newPath();
  mkdirSync(path);
  expect(() => sqliteLedger(path)).toThrow(`Cannot open ${path}: it is not a file.`);
});

test('with mustExist, no ledger is made where there is none', () => {
  const missing = newPath();
  expect(() => sqliteLedger({ path: missing, mustExist: true })).toThrow(
    `There is no ledger at ${missing}.`,
  );
  expect(existsSync(missing)).toBe(false);
  const empty = newPath();
  writeFileSync(empty, '');
  expect(() => sqliteLedger({ path: empty, mustExist: true })).toThrow('it holds no ledger');
  expect(readFileSync(empty).length).toBe(0);
});

test('with mustExist, a ledger that is there is opened', async () => {
  const path = newPath();
  const first = sqliteLedger(path);
  await first.claim(claimOf('a'));
  await first.close();
  const second = sqliteLedger({ path, mustExist: true });
  expect(await second.list({})).toHaveLength(1);
  await second.close();
});

test('an empty file becomes a ledger', async () => {
  const path = newPath();
  writeFileSync(path, '');
  const ledger = sqliteLedger(path);
  expect((await ledger.claim(claimOf('a'))).kind).toBe('claimed');
  await ledger.close();
});

test('opening waits for another process that holds the file, and gives up with SQLite’s own words', () => {
  const path = newPath();
  const other = openDatabase(path);
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE half_made (id INTEGER)');
  expect(() => sqliteLedger({ path, busyMs: 30 })).toThrow('locked');
  other.exec('ROLLBACK');
  other.close();
  void sqliteLedger(path).close();
});

test('a ledger’s header names it', async () => {
  const path = newPath();
  await sqliteLedger(path).close();
  expect(readFileSync(path).subarray(68, 72).toString('latin1')).toBe('frth');
});
