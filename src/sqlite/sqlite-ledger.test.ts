import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger/ledger.ts';
import { claimOf } from '../testing/ledger-cases/stage.ts';
import { ledgerContract } from '../testing/ledger-contract.ts';
import { betterSqlite3, nodeSqlite, openDatabase, type SqliteDatabase } from './driver.ts';
import { sqliteLedger } from './sqlite-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newPath = () => join(folder, `${files++}.db`);

describe('a file, by whichever driver is there', () => {
  const paths = new WeakMap<Ledger, string>();
  const harness = {
    open() {
      const path = newPath();
      const ledger = sqliteLedger(path);
      paths.set(ledger, path);
      return ledger;
    },
    reopen: (ledger: Ledger) => sqliteLedger(paths.get(ledger) ?? ''),
  };
  for (const { name, run } of ledgerContract(harness)) test(name, run);
});

type Open = (path: string) => SqliteDatabase;

/** The contract on connections of the host's own, by a clock that the test moves. */
function contractOn(open: Open): void {
  let nowMs = 1_700_000_000_000;
  const paths = new WeakMap<Ledger, string>();
  const connections: SqliteDatabase[] = [];
  afterAll(() => {
    for (const connection of connections) connection.close();
  });
  const openAt = (path: string) => {
    const database = open(path);
    connections.push(database);
    const ledger = sqliteLedger({ database, nowMs: () => nowMs });
    paths.set(ledger, path);
    return ledger;
  };
  const harness = {
    open: () => openAt(newPath()),
    reopen: (ledger: Ledger) => openAt(paths.get(ledger) ?? ''),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  for (const { name, run } of ledgerContract(harness)) test(name, run);
}

const NodeDatabase = nodeSqlite();

if (NodeDatabase !== undefined) {
  describe('node:sqlite, which this Node has', () => contractOn((path) => new NodeDatabase(path)));
}

// A Node with an SQLite of its own may stand beside a better-sqlite3 that was built for another Node.
if (NodeDatabase === undefined || opens(openBetter)) {
  describe('better-sqlite3, built for this Node', () => contractOn(openBetter));
}

function openBetter(path: string): SqliteDatabase {
  return new (betterSqlite3())(path);
}

function opens(open: Open): boolean {
  try {
    open(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

test('a file is opened by node:sqlite where this Node has it, else by better-sqlite3', () => {
  const database = openDatabase(newPath());
  const expected = nodeSqlite() ?? betterSqlite3();
  expect(database).toBeInstanceOf(expected);
  database.close();
});

test('a ledger in memory ends with its handle', async () => {
  const ledger = sqliteLedger(':memory:');
  expect((await ledger.claim(claimOf('a'))).kind).toBe('claimed');
  await ledger.close();
});

test('the host’s own connection is left open when the ledger is closed', async () => {
  const database = openDatabase(newPath());
  const ledger = sqliteLedger({ database });
  await ledger.claim(claimOf('a'));
  await ledger.close();
  expect(database.prepare('SELECT count(*) AS n FROM entries').get()).toEqual({ n: 1 });
  database.close();
});

test('commits are durable: a write-ahead log, synced at each commit', async () => {
  const database = openDatabase(newPath());
  const ledger = sqliteLedger({ database });
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  await ledger.close();
  database.close();
});
