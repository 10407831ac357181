import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Transactions } from '../ledger/stored-ledger.ts';
import { claimOf, keyOf } from '../testing/ledger-cases/stage.ts';
import { openDatabase, type SqliteDatabase } from './driver.ts';
import { groupCommit } from './group-commit.ts';
import { prepareLedger } from './open-ledger-file.ts';
import { recentRows } from './recent-rows.ts';
import { sqliteRows } from './rows.ts';
import { sqliteLedger } from './sqlite-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-group-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newPath = () => join(folder, `${files++}.db`);

interface Watched {
  readonly path: string;
  readonly transactions: Transactions;
  /** How many transactions were committed, or undone. */
  readonly counts: { commits: number; rollbacks: number };
}

function watched(): Watched {
  const path = newPath();
  const database = openDatabase(path);
  prepareLedger(database, path, false, 1_000);
  const counts = { commits: 0, rollbacks: 0 };
  const counting: SqliteDatabase = {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      if (sql !== 'COMMIT' && sql !== 'ROLLBACK') return statement;
      const field = sql === 'COMMIT' ? 'commits' : 'rollbacks';
      return {
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
        run: (...values) => {
          counts[field] += 1;
          return statement.run(...values);
        },
      };
    },
  };
  const transactions = groupCommit(counting, recentRows(counting, sqliteRows(counting)), {
    nowMs: Date.now,
    busyMs: 1_000,
    onClose: () => void database.close(),
  });
  return { path, transactions, counts };
}

/** A work that gives a lane to somebody. */
const taking = (name: string) => (rows: Parameters<Parameters<Transactions['write']>[0]>[0]) =>
  rows.setHolder(name, { key: name, token: 1 });

const lanesIn = ({ transactions }: Watched, names: readonly string[]) =>
  transactions.read((rows) => names.filter((name) => rows.holder(name) !== undefined));

test('works that come in together share one commit', async () => {
  const { transactions, counts } = watched();
  const names = Array.from({ length: 100 }, (_, i) => `lane ${i}`);
  await Promise.all(names.map((name) => transactions.write(taking(name))));
  expect(counts).toEqual({ commits: 1, rollbacks: 0 });
  await transactions.write(taking('later'));
  expect(counts.commits).toBe(2);
  await transactions.close();
});

test('a batch has a bound', async () => {
  const { transactions, counts } = watched();
  const names = Array.from({ length: 600 }, (_, i) => `lane ${i}`);
  await Promise.all(names.map((name) => transactions.write(taking(name))));
  expect(counts.commits).toBe(3);
  await transactions.close();
});

test('a work that throws fails alone: the others of its batch are done, each once', async () => {
  const its = watched();
  const { transactions, counts } = its;
  let runs = 0;
  const names = ['a', 'b', 'c', 'd'];
  const works = names.map((name) =>
    transactions.write((rows) => {
      runs += 1;
      taking(name)(rows);
      if (name === 'b') throw new Error('this one cannot be done');
      return name;
    }),
  );
  const ends = await Promise.allSettled(works);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)))).toEqual([
    'a',
    'Error: this one cannot be done',
    'c',
    'd',
  ]);
  expect(await lanesIn(its, names)).toEqual(['a', 'c', 'd']);
  expect(counts.rollbacks).toBe(2);
  expect(runs).toBe(2 + 4);
  await transactions.close();
});

test('what is committed is handed out after the commit, and not when it was undone', async () => {
  const { transactions, counts } = watched();
  const commitsWhenDone: number[] = [];
  await Promise.all([
    transactions.write(taking('a')).then(() => commitsWhenDone.push(counts.commits)),
    transactions.write(taking('b')).then(() => commitsWhenDone.push(counts.commits)),
  ]);
  expect(commitsWhenDone).toEqual([1, 1]);
  await transactions.close();
});

test('while another process keeps the file, the event loop goes on; then the work is done', async () => {
  const path = newPath();
  const ledger = sqliteLedger(path);
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  let isDone = false;
  const claim = ledger.claim(claimOf('a')).finally(() => {
    isDone = true;
  });
  for (let turns = 0; turns < 200; turns += 1) await turn();
  expect(isDone).toBe(false);
  expect(await ledger.get(keyOf('a')), 'reads go on').toBeUndefined();
  other.exec('COMMIT');
  expect((await claim).kind).toBe('claimed');
  other.close();
  await ledger.close();
});

test('a file that stays busy is given up on, for those who have waited long enough; and no write is lost or left', async () => {
  const path = newPath();
  const ledger = sqliteLedger({ path, busyMs: 40 });
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  const claims = ['a', 'b', 'c'].map((name) => ledger.claim(claimOf(name)));
  const ends = await Promise.allSettled(claims);
  for (const end of ends) {
    expect(String(end.status === 'rejected' && end.reason)).toContain('busy for 40 ms');
  }
  other.exec('COMMIT');
  expect(await ledger.list({})).toEqual([]);
  expect((await ledger.claim(claimOf('a'))).kind).toBe('claimed');
  other.close();
  await ledger.close();
});

test('closing waits for a work that waits for the file', async () => {
  const path = newPath();
  const ledger = sqliteLedger(path);
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  const claim = ledger.claim(claimOf('a'));
  const closing = ledger.close();
  for (let turns = 0; turns < 50; turns += 1) await turn();
  other.exec('COMMIT');
  expect((await claim).kind).toBe('claimed');
  await closing;
  expect(other.prepare('SELECT count(*) AS n FROM entries').get()).toEqual({ n: 1 });
  other.close();
});
