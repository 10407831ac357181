import type { Pool } from 'pg';
import type { Sql } from 'postgres';
import { assertType, test } from 'vitest';
import type { PgPool, PostgresJs, PostgresPool } from './client.ts';

test('the real clients are what the ledger takes', () => {
  assertType<PgPool>({} as Pool);
  assertType<PostgresJs>({} as Sql);
  assertType<PostgresPool>({} as Pool | Sql);
});

test('what cannot query is refused', () => {
  // @ts-expect-error a pool has to connect
  assertType<PostgresPool>({ end: async () => undefined });
});
