import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { EntryState } from '../../src/ledger/entry.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { postgresLedger } from '../../src/postgres/index.ts';
import { answerTo, claimOf, keyOf, markOf } from '../../src/testing/ledger-cases/stage.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import { noPostgres, type OwnCluster, startCluster } from '../support/postgres-cluster.ts';
import { desk, Remote, refundTool } from '../support/refunds.ts';

const isTheirs = process.env.FORTHRIGHT_POSTGRES_URL !== undefined;
const noFaults = noPostgres ?? (isTheirs ? 'a developer’s PostgreSQL is not killed' : undefined);

const rank: Readonly<Record<EntryState, number>> = {
  claimed: 1,
  dispatched: 2,
  unknown: 2,
  ok: 3,
  failed: 3,
};

/** Calls on and on, until the ledger rejects; keeps what was acknowledged. */
async function callsUntilRejected(
  ledger: Ledger,
  worker: string,
  acknowledged: Map<string, EntryState>,
): Promise<void> {
  for (let i = 0; ; i += 1) {
    const name = `${worker}/${i}`;
    const answer = await ledger.claim(claimOf(name));
    if (answer.kind !== 'claimed') throw new Error(answer.kind);
    acknowledged.set(name, 'claimed');
    const mark = await ledger.mark(markOf(answer.entry));
    if (mark.kind !== 'done') throw new Error(mark.kind);
    acknowledged.set(name, 'dispatched');
    await ledger.complete(answerTo(answer.entry));
    acknowledged.set(name, 'ok');
  }
}

async function expectKept(ledger: Ledger, acknowledged: Map<string, EntryState>): Promise<void> {
  for (const [name, state] of acknowledged) {
    const entry = await ledger.get(keyOf(name));
    const isThere = entry !== undefined && rank[entry.state] >= rank[state];
    expect(isThere, `${name} was ${state}, and is ${entry?.state}`).toBe(true);
  }
}

const refund = { orderId: 4512, amountCents: 2000 };

async function expectNothingSent(ledger: Ledger): Promise<void> {
  const remote = new Remote();
  const { refund: call } = desk([refundTool(remote)], { ledger });
  expect(await call(refund)).toMatchObject({ outcome: 'failed', code: 'ledger_unavailable' });
  expect(remote.effects).toEqual([]);
}

describe.skipIf(noFaults !== undefined)(
  `PostgreSQL in trouble${noFaults ? ` (${noFaults})` : ''}`,
  () => {
    const cluster = noFaults === undefined ? startCluster() : undefined;
    const own = cluster?.own as OwnCluster;
    afterAll(() => cluster?.stop());

    function poolOf(): pg.Pool {
      const pool = new pg.Pool({ connectionString: cluster?.url, max: 8 });
      pool.on('error', () => undefined);
      return pool;
    }

    test('killed under load and started again: what was acknowledged is there, and the same ledgers go on', async () => {
      const pools = [poolOf(), poolOf()];
      const ledgers = pools.map((pool) => postgresLedger(pool, { schema: 'killed' }));
      const acknowledged = new Map<string, EntryState>();
      for (let round = 0; round < 3; round += 1) {
        const workers = ledgers.flatMap((ledger, at) =>
          Array.from({ length: 16 }, (_, worker) =>
            callsUntilRejected(ledger, `${round}/${at}/${worker}`, acknowledged),
          ),
        );
        const enough = acknowledged.size + 200;
        const ended = Promise.allSettled(workers);
        while (acknowledged.size < enough) await sleep(5);
        process.kill(own.pid(), 'SIGKILL');
        for (const end of await ended) {
          expect(end.status).toBe('rejected');
        }
        await startAgain(own);
        for (const ledger of ledgers) await expectKept(ledger, acknowledged);
      }
      expect(acknowledged.size).toBeGreaterThan(600);
      for (const pool of pools) await pool.end();
    }, 240_000);

    test('frozen: calls end within their bound, and go on when it does', async () => {
      const pool = poolOf();
      const ledger = postgresLedger(pool, { schema: 'frozen', statementMs: 400 });
      const answer = await ledger.claim(claimOf('a'));
      if (answer.kind !== 'claimed') throw new Error(answer.kind);
      const backends = await pool.query(
        'SELECT pid FROM pg_stat_activity WHERE backend_type = $1',
        ['client backend'],
      );
      const frozen = [own.pid(), ...backends.rows.map(({ pid }) => Number(pid))];
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      const asked = [
        ledger.mark(markOf(answer.entry)),
        ledger.claim(claimOf('b')),
        ledger.get(answer.entry.key),
        ledger.list({}),
      ];
      const ends = await Promise.allSettled(asked);
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
      for (const end of ends) {
        expect(String(end.status === 'rejected' && end.reason)).toContain('within 400 ms');
      }
      // Whether the mark was done is open: it is withdrawn, and then it was not sent for certain.
      const withdrawn = await ledger.withdraw({ ...answer.entry, result: '' });
      expect(withdrawn).toMatchObject({ kind: 'done', entry: { state: 'failed', unproven: 0 } });
      await pool.end();
    });

    test('a read-only database: nothing is claimed, and the error says why', async () => {
      const pool = poolOf();
      const ledger = postgresLedger(pool, { schema: 'read_only' });
      await ledger.list({});
      await pool.query('ALTER DATABASE postgres SET default_transaction_read_only = on');
      await pool.end();
      const later = poolOf();
      const replica = postgresLedger(later, { schema: 'read_only' });
      await expect(replica.claim(claimOf('a'))).rejects.toThrow('read-only');
      await expectNothingSent(replica);
      expect(await replica.list({})).toEqual([]);
      await later.query('SET default_transaction_read_only = off');
      await later.query(
        'BEGIN READ WRITE; ALTER DATABASE postgres RESET default_transaction_read_only; COMMIT',
      );
      await later.end();
    });

    test('a streaming standby: nothing is sent until it is promoted, and then writes go on', async () => {
      const primary = postgresLedger(cluster?.url ?? '', { schema: 'replicated' });
      await primary.claim(claimOf('before'));
      const standby = own.standby();
      const pool = new pg.Pool({ connectionString: standby.url });
      try {
        const ledger = postgresLedger(pool, { schema: 'replicated' });
        expect(await ledger.list({})).toHaveLength(1);
        await expectNothingSent(ledger);
        await expectNothingSent(postgresLedger(pool, { schema: 'not_there_yet' }));
        await pool.query('SELECT pg_promote()');
        const remote = new Remote();
        const { outcome } = await desk([refundTool(remote)], { ledger }).refund(refund);
        expect([outcome, remote.effects.length]).toEqual(['ok', 1]);
      } finally {
        await primary.close();
        await pool.end();
        standby.stop();
      }
    }, 120_000);

    test('a database that is not there: the call rejects, and the next one tries anew', async () => {
      const ledger = postgresLedger('postgres://nobody@127.0.0.1:1/none', { statementMs: 2_000 });
      await expect(ledger.claim(claimOf('a'))).rejects.toThrow();
      await expect(ledger.get(keyOf('a'))).rejects.toThrow();
      await ledger.close();
    });

    const bouncer = ['/usr/sbin/pgbouncer'].find((path) => spawnSync(path, ['-V']).status === 0);
    const noBouncer = bouncer === undefined ? ' (not here: install Debian’s pgbouncer)' : '';

    describe.skipIf(bouncer === undefined)(
      `behind PgBouncer in transaction mode${noBouncer}`,
      () => {
        if (bouncer === undefined || cluster === undefined) return;
        const folder = mkdtempSync(join(tmpdir(), 'forthright-bouncer-'));
        chmodSync(folder, 0o777);
        const host = new URL(cluster.url).searchParams.get('host');
        const file = join(folder, 'bouncer.ini');
        writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n');
        writeFileSync(
          file,
          `[databases]\npostgres = host=${host} dbname=postgres user=postgres\n[pgbouncer]\n` +
            `listen_addr =\nlisten_port = 6432\nunix_socket_dir = ${folder}\nunix_socket_mode = 0777\n` +
            `auth_type = trust\nauth_file = ${folder}/users.txt\npool_mode = transaction\n` +
            'default_pool_size = 4\nmax_client_conn = 200\nignore_startup_parameters = extra_float_digits\n',
        );
        const child = spawn(
          bouncer,
          ['-q', ...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), file],
          {
            stdio: ['ignore', 'ignore', 'ignore'],
          },
        );
        const pool = new pg.Pool({
          host: folder,
          port: 6432,
          user: 'postgres',
          database: 'postgres',
        });
        afterAll(async () => {
          await pool.end();
          child.kill('SIGKILL');
          await once(child, 'exit');
          rmSync(folder, { recursive: true });
        });
        let schemas = 0;
        const made = new WeakMap<Ledger, string>();
        const open = (schema: string): Ledger => {
          const ledger = postgresLedger(pool, { schema });
          made.set(ledger, schema);
          return ledger;
        };
        test('it is there', async () => {
          for (let tries = 0; ; tries += 1) {
            try {
              await pool.query('SELECT 1');
              return;
            } catch (error) {
              if (tries > 100) throw error;
              await sleep(50);
            }
          }
        });
        const harness = {
          open: () => open(`b${schemas++}`),
          reopen: (ledger: Ledger) => open(made.get(ledger) ?? ''),
        };
        for (const { name, run } of ledgerContract(harness)) test(name, run);
      },
    );
  },
);

/** After a kill, the parts of the old server take a moment to be gone. */
async function startAgain(own: { start(): void }): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      own.start();
      return;
    } catch (error) {
      if (tries > 50) throw error;
      await sleep(100);
    }
  }
}
