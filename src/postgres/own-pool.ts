import type { PgPool } from './client.ts';

/** Few: writes share one connection, and reads are few. */
const mostConnections = 4;

interface OwnPool extends PgPool {
  on(event: 'error', listener: () => void): unknown;
}

interface Pg {
  readonly Pool: new (config: {
    connectionString: string;
    max: number;
    application_name: string;
  }) => OwnPool;
}

/** A pool of `pg` for a URL; rejects with an error that says how to install it where it is missing. */
export async function poolFor(url: string): Promise<PgPool> {
  const { Pool } = await loadPg();
  const pool = new Pool({
    connectionString: url,
    max: mostConnections,
    application_name: 'forthright',
  });
  // A connection that is lost while it rests is replaced when it is needed.
  pool.on('error', () => undefined);
  return pool;
}

async function loadPg(): Promise<Pg> {
  const name = 'pg';
  try {
    const loaded = (await import(name)) as { readonly default: Pg };
    return loaded.default;
  } catch (cause) {
    throw new Error('A ledger at a PostgreSQL URL needs `pg`: run `npm install pg`.', { cause });
  }
}
