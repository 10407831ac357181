/** One row of an answer, by column. */
export type Row = Record<string, unknown>;

/** Sends one statement, which a name says to prepare, and resolves to its rows. */
export type Query = (
  sql: string,
  values: readonly unknown[],
  name?: string,
) => Promise<readonly Row[]>;

/** What the ledger needs of a database. */
export interface Database {
  readonly query: Query;
  /** Runs work in one transaction on one connection: committed if it resolves, rolled back if it rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A connection of {@link PgPool}. */
export interface PgConnection {
  query(asked: {
    readonly text: string;
    readonly values: unknown[];
    readonly name?: string;
  }): Promise<{ rows: Row[] }>;
  /** Gives it back; with true it is closed instead. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: () => void): unknown;
  removeListener(event: 'error', listener: () => void): unknown;
}

/** The part of `pg`'s `Pool` that the ledger uses. */
export interface PgPool {
  connect(): Promise<PgConnection>;
  end(): Promise<void>;
}

/** A query of {@link PostgresJs}. */
export interface PostgresJsQuery extends PromiseLike<readonly Row[]> {
  cancel(): unknown;
}

/** The part of `postgres`' (porsager's) `Sql` that the ledger uses. */
export interface PostgresJs {
  readonly options: { readonly prepare: boolean };
  unsafe(sql: string, values?: never[], how?: { prepare: boolean }): PostgresJsQuery;
  begin(work: (sql: { unsafe: PostgresJs['unsafe'] }) => Promise<unknown>): Promise<unknown>;
  end(): Promise<void>;
}

/** A pool of the host's own, of `pg` or of `postgres`. */
export type PostgresPool = PgPool | PostgresJs;

/** Talks through a pool; each statement, and the wait for a connection, ends after `statementMs` at the latest. */
export function databaseOn(pool: PostgresPool, statementMs: number): Database {
  return 'unsafe' in pool ? postgresJs(pool, statementMs) : pg(pool, statementMs);
}

function pg(pool: PgPool, statementMs: number): Database {
  async function on<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const connecting = pool.connect();
    const connection = await within(statementMs, connecting, () => {
      // It may come yet, and is of no use then.
      connecting.then(
        (late) => late.release(),
        () => undefined,
      );
    });
    // While it is lent, the pool does not listen: a connection that is lost between two statements, or
    // after the last one, would end the process.
    connection.on('error', ignore);
    let isSound = false;
    try {
      const result = await work(async (text, values, name) => {
        isSound = false;
        const asked = { text, values: [...values], ...(name === undefined ? {} : { name }) };
        const { rows } = await within(statementMs, connection.query(asked));
        isSound = true;
        return rows;
      });
      return result;
    } catch (error) {
      // The server said why, so that the connection goes on; anything else leaves it in the dark.
      isSound = sqlState(error) !== undefined;
      throw error;
    } finally {
      if (isSound) connection.removeListener('error', ignore);
      connection.release(!isSound);
    }
  }

  return {
    query: (sql, values, name) => on((query) => query(sql, values, name)),
    transaction: (work) =>
      on(async (query) => {
        await query('BEGIN', []);
        try {
          const value = await work(query);
          await query('COMMIT', []);
          return value;
        } catch (error) {
          await query('ROLLBACK', []);
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}

function ignore(): void {}

function postgresJs(sql: PostgresJs, statementMs: number): Database {
  const queryOn =
    ({ unsafe }: { unsafe: PostgresJs['unsafe'] }): Query =>
    (text, values, name) => {
      // It makes names of its own; a host behind PgBouncer has told it not to prepare.
      const prepare = name !== undefined && sql.options.prepare;
      const asked = unsafe(text, [...values] as never[], { prepare });
      return within(statementMs, Promise.resolve(asked), () => void asked.cancel());
    };
  return {
    query: queryOn(sql),
    async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
      return (await sql.begin((tx) => work(queryOn(tx)))) as T;
    },
    close: () => sql.end(),
  };
}

/** The five letters by which PostgreSQL says what went wrong; undefined where it said nothing, or is going down. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return severity === 'ERROR' && typeof code === 'string' ? code : undefined;
}

async function within<T>(ms: number, promise: Promise<T>, onLate?: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate?.();
      reject(new Error(`PostgreSQL did not answer within ${ms} ms.`));
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}
