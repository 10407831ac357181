import { postgresLedger } from 'forthright/postgres';
import pg from 'pg';
import { noPostgres, startCluster } from '../../test/support/postgres-cluster.ts';
import { type Effort, interleaved, type Subject, type Timing } from '../measure.ts';
import type { Finding, Measured, Row } from '../row.ts';
import { newWrites, replays, runtimeOn, side } from './calls.ts';
import { type DurableStep, dbosStep } from './dbos.ts';
import { speed } from './sqlite.ts';

const schema = `
  CREATE SCHEMA by_hand;
  CREATE TABLE by_hand.entries (key text COLLATE "C" PRIMARY KEY, lane text, input text, state text, token int, result text) WITH (fillfactor = 80);
  CREATE TABLE by_hand.lanes (lane text COLLATE "C" PRIMARY KEY, key text, token int);
`;

interface Call {
  readonly key: string;
  readonly lane: string;
}

let calls = 0;
function nextCall(): Call {
  calls += 1;
  return { key: `key-${calls}-${'0'.repeat(56)}`, lane: `order:${calls}` };
}

/** Claim, mark and complete as one would write them by hand: a statement and a commit each. */
async function single(pool: pg.Pool): Promise<void> {
  const { key, lane } = nextCall();
  await pool.query({
    name: 'claim',
    text: `WITH claimed AS (INSERT INTO by_hand.entries VALUES ($1, $2, $3, 'claimed', 1, NULL))
           INSERT INTO by_hand.lanes VALUES ($2, $1, 1)`,
    values: [key, lane, '{"orderId":1,"amountCents":2000}'],
  });
  await pool.query({
    name: 'mark',
    text: `UPDATE by_hand.entries SET state = 'dispatched' WHERE key = $1 AND state = 'claimed' AND token = 1`,
    values: [key],
  });
  await pool.query({
    name: 'complete',
    text: `WITH freed AS (DELETE FROM by_hand.lanes WHERE lane = $3)
           UPDATE by_hand.entries SET state = 'ok', result = $2 WHERE key = $1`,
    values: [key, '{"outcome":"ok"}', lane],
  });
}

const groupedTexts = {
  claim: `WITH asked AS (SELECT * FROM jsonb_to_recordset($1) AS one (key text, lane text, input text)),
          claimed AS (INSERT INTO by_hand.entries SELECT key, lane, input, 'claimed', 1, NULL FROM asked)
          INSERT INTO by_hand.lanes SELECT lane, key, 1 FROM asked`,
  mark: `UPDATE by_hand.entries SET state = 'dispatched'
         FROM jsonb_to_recordset($1) AS one (key text)
         WHERE entries.key = one.key AND state = 'claimed' AND token = 1`,
  complete: `WITH asked AS (SELECT * FROM jsonb_to_recordset($1) AS one (key text, lane text, result text)),
             freed AS (DELETE FROM by_hand.lanes USING asked WHERE lanes.lane = asked.lane)
             UPDATE by_hand.entries SET state = 'ok', result = asked.result FROM asked WHERE entries.key = asked.key`,
} as const;

type Step = keyof typeof groupedTexts;

/** The same with all that waits in one statement of each kind and one commit, on one connection. */
class Grouped {
  readonly #pool: pg.Pool;
  #waiting: { readonly step: Step; readonly row: object; readonly done: () => void }[] = [];
  #isFlushing = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async call(): Promise<void> {
    const { key, lane } = nextCall();
    await this.#step('claim', { key, lane, input: '{"orderId":1,"amountCents":2000}' });
    await this.#step('mark', { key });
    await this.#step('complete', { key, lane, result: '{"outcome":"ok"}' });
  }

  #step(step: Step, row: object): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ step, row, done });
      if (!this.#isFlushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    const client = await this.#pool.connect();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await client.query('BEGIN');
      for (const step of ['claim', 'mark', 'complete'] as const) {
        const rows = batch.filter((one) => one.step === step).map(({ row }) => row);
        if (rows.length === 0) continue;
        const text = groupedTexts[step];
        await client.query({ name: `grouped ${step}`, text, values: [JSON.stringify(rows)] });
      }
      await client.query('COMMIT');
      for (const { done } of batch) done();
    }
    client.release();
    this.#isFlushing = false;
  }
}

/** Writes in PostgreSQL that are on disk when they are told. */
export const postgres: Row = {
  name: 'postgres',
  work: 'a write call on PostgreSQL, 1, 64 and 256 at once',
  async measure(effort: Effort): Promise<Measured> {
    if (noPostgres !== undefined) return { timings: {}, findings: [], left: [noPostgres] };
    const cluster = startCluster();
    const pool = new pg.Pool({ connectionString: cluster.url, max: 16 });
    const dbos = await dbosStep(cluster.url);
    try {
      await pool.query(schema);
      const measured = await besides(pool, dbos, effort);
      return {
        ...measured,
        ...(dbos.missing === undefined ? {} : { left: [dbos.missing, restate] }),
      };
    } finally {
      await dbos.close();
      await pool.end();
      cluster.stop();
    }
  },
};

const restate =
  'Restate: its SDK wants Node 22; on the same kind of machine it made 83 calls/s 1 at once and 361 at 64.';

async function besides(pool: pg.Pool, dbos: DurableStep, effort: Effort): Promise<Measured> {
  const ledger = postgresLedger(pool);
  const runtime = runtimeOn(ledger, 256);
  const grouped = new Grouped(pool);
  const raw = 'raw pg, three commits';
  const byHand = 'raw pg, grouped by hand';
  const timings: Record<string, readonly Timing[]> = {};
  const findings: Finding[] = [];
  for (const atOnce of [1, 64, 256]) {
    const at = `${atOnce} at once`;
    const subjects: Subject[] = [
      side(raw, atOnce, () => single(pool)),
      side(byHand, atOnce, () => grouped.call()),
      newWrites('forthright write', runtime, atOnce),
    ];
    if (dbos.call !== undefined) subjects.push(side('DBOS', atOnce, dbos.call));
    const seen = await interleaved(subjects, effort, 'wall');
    timings[at] = seen;
    const work = `a write call on PostgreSQL, ${at}`;
    findings.push(
      atOnce === 1 ? speed(seen, work, raw, 0.85) : speed(seen, work, byHand, 0.8),
      ...(dbos.call === undefined || atOnce !== 64 ? [] : [speed(seen, work, 'DBOS', 10)]),
    );
  }
  timings.replay = await replays(runtime, effort, raw, () => single(pool));
  await runtime.close();
  return { timings, findings };
}
