import type { Ledger } from '../ledger/ledger.ts';
import { UsageError } from './command.ts';

/** Opens a ledger file that is there, calls `work` with it and closes it. Throws a UsageError where it is none. */
export async function withLedger<T>(
  path: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  leaveOutSqliteWarning();
  // Not before it is asked for: the other commands need no database.
  const { sqliteLedger } = await import('../sqlite/sqlite-ledger.ts');
  const ledger = open(() => sqliteLedger({ path, mustExist: true }));
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

function open(openLedger: () => Ledger): Ledger {
  try {
    return openLedger();
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

/** Some versions of Node say on standard error that their SQLite is experimental: no news for who lists a ledger. */
function leaveOutSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process) as (...said: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const isAboutSqlite = rest[0] === 'ExperimentalWarning' && `${warning}`.includes('SQLite');
    if (!isAboutSqlite) emitWarning(warning, ...rest);
  };
}
