export type {
  PgConnection,
  PgPool,
  PostgresJs,
  PostgresJsQuery,
  PostgresPool,
} from './client.ts';
export { type PostgresLedgerOptions, postgresLedger } from './postgres-ledger.ts';
