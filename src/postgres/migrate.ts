import { type Database, type Query, sqlState } from './client.ts';
import { migrations } from './migrations.ts';

/**
 * Brings a database up to this version's schema; any number of processes may do so at once. With
 * `mustExist`, it rejects where there is no ledger yet, and makes nothing.
 */
export async function migrate(
  database: Database,
  schema: string,
  mustExist: boolean,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const version = await versionOf(database.query, schema);
      if (version === migrations.length) return;
      if (version === 0 && mustExist) {
        throw new Error(`There is no ledger in the schema ${schema} of this database.`);
      }
      await database.transaction((query) => migrateIn(query, schema));
      return;
    } catch (error) {
      // Two that make the same schema at once: PostgreSQL lets one of them fail.
      if (tries >= mostTries || !collisions.has(sqlState(error) ?? '')) throw error;
    }
  }
}

const mostTries = 20;
/** unique_violation, duplicate_schema, duplicate_table, serialization_failure, deadlock_detected */
const collisions: ReadonlySet<string> = new Set(['23505', '42P06', '42P07', '40001', '40P01']);

async function migrateIn(query: Query, schema: string): Promise<void> {
  await query(`CREATE SCHEMA IF NOT EXISTS ${schema}`, []);
  await query(
    `CREATE TABLE IF NOT EXISTS ${schema}.migrations (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    [],
  );
  await query(`LOCK TABLE ${schema}.migrations IN EXCLUSIVE MODE`, []);
  const version = await versionOf(query, schema);
  for (const [at, migration] of migrations.entries()) {
    if (at < version) continue;
    for (const statement of migration(schema)) await query(statement, []);
    await query(`INSERT INTO ${schema}.migrations (version) VALUES (${at + 1})`, []);
  }
}

/** 0 where there is no schema yet; rejects where a newer version made it. */
async function versionOf(query: Query, schema: string): Promise<number> {
  const table = `${schema}.migrations`;
  const [found] = await query('SELECT to_regclass($1)::text AS name', [table]);
  if (found?.name === null) return 0;
  const [row] = await query(`SELECT coalesce(max(version), 0)::text AS version FROM ${table}`, []);
  const version = Number(row?.version);
  if (version <= migrations.length) return version;
  throw new Error(
    `The schema ${schema} was made by a newer forthright: it is version ${version}, ` +
      `and this one knows versions up to ${migrations.length}.`,
  );
}
