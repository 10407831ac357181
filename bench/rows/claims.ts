import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Ledger } from 'forthright';
import { postgresLedger } from 'forthright/postgres';
import { sqliteLedger } from 'forthright/sqlite';
import pg from 'pg';
import { noPostgres, startCluster } from '../../test/support/postgres-cluster.ts';
import { type Effort, interleaved, type Subject, type Timing } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row } from '../row.ts';
import { runtimeOn, side } from './calls.ts';

/** Claims of new keys, sixteen at once, so that the disk is not all that is timed. */
function claiming(name: string, ledger: Ledger): Subject {
  return side(name, 16, async () => {
    const key = randomBytes(32).toString('hex');
    const answer = await ledger.claim({
      key,
      scope: 's',
      tool: 'refund_order',
      lane: `order:${key}`,
      turn: null,
      fingerprint: key,
      input: '{"orderId":4512,"amountCents":2000}',
      attemptId: randomUUID(),
      leaseMs: 15_000,
      keepsLane: true,
      replayMs: 86_400_000,
      mayRerun: false,
    });
    if (answer.kind !== 'claimed') throw new Error(`a claim was told ${answer.kind}`);
  });
}

/** One settled write, as a pattern for many. */
async function writeOne(ledger: Ledger): Promise<void> {
  const runtime = runtimeOn(ledger, 1);
  const call = { name: 'refund_order', arguments: '{"orderId":1,"amountCents":1}', scope: 's' };
  await runtime.call(call);
  await runtime.close();
}

const name = (entries: number): string => `${entries.toLocaleString('en')} entries`;

/** A ledger file in which so many writes are settled. */
async function sqliteWith(entries: number, folder: string): Promise<Ledger> {
  const path = join(folder, `${entries}.db`);
  const ledger = sqliteLedger(path);
  await writeOne(ledger);
  await ledger.close();
  const database = new Database(path);
  database.pragma('synchronous = OFF');
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('entries')")
    .all()
    .map((row) => (row as { name: string }).name);
  const copied = columns.map((column) => {
    if (column === 'key' || column === 'fingerprint') return 'lower(hex(randomblob(32)))';
    if (column === 'lane') return "'order:' || n";
    return column === 'created_at_ms' ? 'created_at_ms + n' : column;
  });
  database.exec(
    `INSERT INTO entries (${columns.join(', ')})
     WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${entries})
     SELECT ${copied.join(', ')} FROM counted, (SELECT * FROM entries LIMIT 1)`,
  );
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return sqliteLedger(path);
}

/** A schema in which so many writes are settled. */
async function postgresWith(entries: number, pool: pg.Pool): Promise<Ledger> {
  const schema = `of_${entries}`;
  const ledger = postgresLedger(pool, { schema });
  await writeOne(ledger);
  const { rows } = await pool.query(
    'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position',
    [schema, 'entries'],
  );
  const columns = rows.map(({ name }) => String(name));
  const copied = columns.map((column) => {
    if (column === 'key' || column === 'fingerprint') {
      return `encode(sha256((n || '${column}')::bytea), 'hex')`;
    }
    if (column === 'lane') return "'order:' || n";
    return column === 'created_at_ms' ? 'created_at_ms + n' : column;
  });
  await pool.query(
    `INSERT INTO ${schema}.entries (${columns.join(', ')})
     SELECT ${copied.join(', ')} FROM generate_series(1, ${entries}) AS n, (SELECT * FROM ${schema}.entries LIMIT 1) AS pattern`,
  );
  await pool.query(`VACUUM ANALYZE ${schema}.entries`);
  return ledger;
}

/** Claims beside many entries. */
export const claims: Row = {
  name: 'claims',
  work: 'a claim at 10 thousand and 1 million entries (10 million with --long)',
  async measure(effort: Effort, isLong: boolean): Promise<Measured> {
    const counts = [10_000, 1_000_000, ...(isLong ? [10_000_000] : [])];
    const timings: Record<string, readonly Timing[]> = {};
    const folder = mkdtempSync(join(tmpdir(), 'forthright-bench-'));
    const files = await Promise.all(counts.map((count) => sqliteWith(count, folder)));
    const subjects = files.map((ledger, at) => claiming(name(counts[at] ?? 0), ledger));
    timings.SQLite = await interleaved(subjects, effort, 'wall');
    await Promise.all(files.map((ledger) => ledger.close()));
    rmSync(folder, { recursive: true });
    if (noPostgres !== undefined) {
      return { timings, findings: findingsOf(timings, counts), left: [noPostgres] };
    }
    const cluster = startCluster();
    const pool = new pg.Pool({ connectionString: cluster.url, max: 8 });
    try {
      const inDatabase: Ledger[] = [];
      for (const count of counts) inDatabase.push(await postgresWith(count, pool));
      const subjects = inDatabase.map((ledger, at) => claiming(name(counts[at] ?? 0), ledger));
      timings.PostgreSQL = await interleaved(subjects, effort, 'wall');
      await Promise.all(inDatabase.map((ledger) => ledger.close()));
    } finally {
      await pool.end();
      cluster.stop();
    }
    return { timings, findings: findingsOf(timings, counts) };
  },
};

function findingsOf(
  timings: Readonly<Record<string, readonly Timing[]>>,
  counts: readonly number[],
): readonly Finding[] {
  const [fewest = 0, ...others] = counts;
  return Object.entries(timings).flatMap(([store, at]) =>
    others.map((count) => {
      const work = `a claim, ${store}`;
      return atMost(at, { work, ours: name(count), beside: name(fewest), most: 1.3 });
    }),
  );
}
