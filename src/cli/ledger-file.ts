import type { Ledger } from '../ledger/ledger.ts';
import { UsageError } from './command.ts';

/**
 * Opens the ledger that a file or a PostgreSQL URL names, calls `work` with it and closes it. Throws a
 * UsageError where there is none.
 */
export async function withLedger<T>(
  place: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = await openLedger(place);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Opens it; a file that is not there is made only where that is asked for. */
export function openLedger(
  place: string,
  { mustExist = true }: { readonly mustExist?: boolean } = {},
): Promise<Ledger> {
  return /^postgres(ql)?:/.test(place) ? openDatabase(place) : openFile(place, mustExist);
}

// No store is loaded before it is asked for: the other commands need no database.

async function openFile(path: string, mustExist: boolean): Promise<Ledger> {
  leaveOutSqliteWarning();
  const { sqliteLedger } = await import('../sqlite/sqlite-ledger.ts');
  try {
    return sqliteLedger({ path, mustExist });
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

async function openDatabase(url: string): Promise<Ledger> {
  const { postgresLedger } = await import('../postgres/postgres-ledger.ts');
  const schema = new URL(url).searchParams.get('schema');
  const named = schema === null ? {} : { schema };
  const ledger = postgresLedger(withoutSchema(url), { ...named, mustExist: true });
  try {
    await ledger.list({ limit: 1 });
    return ledger;
  } catch (cause) {
    await ledger.close().catch(() => undefined);
    throw new UsageError(`The ledger cannot be opened: ${(cause as Error).message}`);
  }
}

/** The driver would hand it on as a setting of the connection. */
function withoutSchema(url: string): string {
  const bare = new URL(url);
  bare.searchParams.delete('schema');
  return bare.href;
}

/** Some versions of Node say on standard error that their SQLite is experimental: no news for who lists a ledger. */
function leaveOutSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process) as (...said: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const isAboutSqlite = rest[0] === 'ExperimentalWarning' && `${warning}`.includes('SQLite');
    if (!isAboutSqlite) emitWarning(warning, ...rest);
  };
}
