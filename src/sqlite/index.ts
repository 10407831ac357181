export type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.ts';
export { type SqliteLedgerOptions, type SqliteLedgerPlace, sqliteLedger } from './sqlite-ledger.ts';
