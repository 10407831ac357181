import pg from 'pg';
import postgres from 'postgres';
import { afterAll, describe, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type PostgresPool, postgresLedger } from '../../src/postgres/index.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import { noPostgres, startCluster } from '../support/postgres-cluster.ts';

describe.skipIf(noPostgres !== undefined)(
  `PostgreSQL${noPostgres ? ` (${noPostgres})` : ''}`,
  () => {
    if (noPostgres !== undefined) {
      test('keeps the contract', () => undefined);
      return;
    }
    const cluster = startCluster();
    afterAll(() => cluster.stop());
    let schemas = 0;

    function contractOn(pool: () => PostgresPool | string): void {
      const made = new WeakMap<Ledger, string>();
      const open = (schema: string): Ledger => {
        const ledger = postgresLedger(pool(), { schema });
        made.set(ledger, schema);
        return ledger;
      };
      const harness = {
        open: () => open(`s${process.pid}_${schemas++}`),
        reopen: (ledger: Ledger) => open(made.get(ledger) ?? ''),
      };
      for (const { name, run } of ledgerContract(harness)) test(name, run);
    }

    describe('through pg', () => {
      const pool = new pg.Pool({ connectionString: cluster.url });
      afterAll(() => pool.end());
      contractOn(() => pool);
    });

    describe('through postgres', () => {
      const host = new URL(cluster.url).searchParams.get('host') ?? '';
      const sql = postgres({
        host,
        user: 'postgres',
        database: 'postgres',
        onnotice: () => undefined,
      });
      afterAll(() => sql.end());
      contractOn(() => sql);
    });

    describe('by its URL', () => contractOn(() => cluster.url));
  },
);
