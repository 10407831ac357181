import type { Ledger } from '../ledger/ledger.ts';
import { storedLedger } from '../ledger/stored-ledger.ts';
import { databaseOn, type PostgresPool, type Query } from './client.ts';
import { DatabaseClock } from './database-clock.ts';
import { groupWrites } from './group-write.ts';
import { migrate } from './migrate.ts';
import { poolFor } from './own-pool.ts';
import { queriesOn } from './queries.ts';

/** Options of {@link postgresLedger}. */
export interface PostgresLedgerOptions {
  /** The schema that holds the ledger's tables, made where it is missing; `forthright` if left out. Lower-case letters, digits and `_`. */
  readonly schema?: string;
  /** Whether the ledger has to be there already: if not, calls reject, and nothing is made; false if left out. */
  readonly mustExist?: boolean;
  /** The longest a statement, or the wait for a connection, may take before the call rejects; 5,000 ms if left out. */
  readonly statementMs?: number;
  /** How long a call goes on where other processes keep changing the same rows; 5,000 ms if left out. */
  readonly busyMs?: number;
  /** A test's clock, instead of the database's: in milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/**
 * A ledger that many processes share, in PostgreSQL 12 or newer, by the database's own clock. Takes a
 * pool of `pg` or of `postgres`, which the host closes, or a URL, for which `pg` has to be installed.
 * The tables are made with the first call. Works through PgBouncer in transaction mode.
 */
export function postgresLedger(
  pool: PostgresPool | string,
  options: PostgresLedgerOptions = {},
): Ledger {
  const schema = options.schema ?? 'forthright';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new TypeError(`${JSON.stringify(schema)} is not a name for the ledger's schema.`);
  }
  const { statementMs = 5_000, busyMs = 5_000, mustExist = false } = options;
  const opened = openOnce(async () =>
    databaseOn(typeof pool === 'string' ? await poolFor(pool) : pool, statementMs),
  );
  const migrated = openOnce(async () => migrate(await opened(), schema, mustExist));
  const query: Query = async (...asked) => (await opened()).query(...asked);
  const afterMigrating: Query = async (...asked) => {
    await migrated();
    return query(...asked);
  };
  const clock = new DatabaseClock(options.nowMs);
  const writes = groupWrites(query, { schema, clock, busyMs, ready: migrated });
  const close = async (): Promise<void> => {
    await writes.close();
    if (typeof pool === 'string') await (await opened()).close();
  };
  return closeable(
    {
      ...storedLedger({ write: writes.write, read: neverRead, close }),
      ...queriesOn(afterMigrating, schema, clock),
    },
    close,
  );
}

/** Does something once; a failure is not kept, so that the next caller tries anew. */
function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

function neverRead(): Promise<never> {
  return Promise.reject(new Error('Reads have statements of their own.'));
}

/** The same ledger, which rejects whatever is asked once it is being closed. */
function closeable(ledger: Ledger, close: () => Promise<void>): Ledger {
  let closing: Promise<void> | undefined;
  const guarded = Object.entries(ledger).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      if (closing !== undefined) throw new Error('The ledger is closed.');
      return method(...args);
    },
  ]);
  return {
    ...(Object.fromEntries(guarded) as unknown as Ledger),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
