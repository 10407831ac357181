import type BetterSqlite3 from 'better-sqlite3';
import { expectTypeOf } from 'vitest';
import type { SqliteDatabase } from './driver.ts';

// What a host opens itself is taken as it is.
expectTypeOf<BetterSqlite3.Database>().toExtend<SqliteDatabase>();
