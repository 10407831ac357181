import fc from 'fast-check';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { memoryLedger } from '../../src/ledger/memory-ledger.ts';
import { type PostgresLedgerOptions, postgresLedger } from '../../src/postgres/index.ts';
import { migrations } from '../../src/postgres/migrations.ts';
import { answerTo, claimOf, markOf } from '../../src/testing/ledger-cases/stage.ts';
import { contentOf, histories, playStep } from '../support/histories.ts';
import { noPostgres, startCluster } from '../support/postgres-cluster.ts';

describe.skipIf(noPostgres !== undefined)(
  `PostgreSQL’s rows${noPostgres ? ` (${noPostgres})` : ''}`,
  () => {
    const cluster = noPostgres === undefined ? startCluster() : undefined;
    const pool = new pg.Pool({ connectionString: cluster?.url, max: 20 });
    afterAll(async () => {
      await pool.end();
      cluster?.stop();
    });
    let schemas = 0;
    const newSchema = () => `r${process.pid}_${schemas++}`;
    const ledgerIn = (schema: string, options: PostgresLedgerOptions = {}) =>
      postgresLedger(pool, { schema, ...options });

    test('a history ends alike in memory and in PostgreSQL, in one handle and in two that take turns', async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          let now = 1_700_000_000_000;
          const nowMs = () => now;
          const model = memoryLedger({ nowMs });
          const [own, shared] = [newSchema(), newSchema()];
          const one = ledgerIn(own, { nowMs });
          const two = [ledgerIn(shared, { nowMs }), ledgerIn(shared, { nowMs })] as const;
          for (const [at, step] of history.entries()) {
            now += step.afterMs;
            const turn = two[at % 2 === 0 ? 0 : 1];
            const [expected, ...answers] = await playStep(step, [model, one, turn]);
            for (const answer of answers) expect(answer).toEqual(expected);
          }
          const content = await contentOf(model);
          for (const ledger of [one, ...two]) expect(await contentOf(ledger)).toEqual(content);
          await pool.query(`DROP SCHEMA ${own} CASCADE; DROP SCHEMA ${shared} CASCADE`);
        }),
        { numRuns: 12, endOnFailure: true },
      );
    }, 240_000);

    test('what is asked at once is answered as if it was asked in turn', async () => {
      await fc.assert(
        fc.asyncProperty(histories, fc.integer({ min: 2, max: 7 }), async (history, size) => {
          let now = 1_700_000_000_000;
          const nowMs = () => now;
          const model = memoryLedger({ nowMs });
          const schema = newSchema();
          const ledger = ledgerIn(schema, { nowMs });
          await ledger.list({});
          const noPurge = history.filter(({ ask }) => !String(ask).includes('purge'));
          for (let at = 0; at < noPurge.length; at += size) {
            const together = noPurge.slice(at, at + size);
            now += together[0]?.afterMs ?? 0;
            const asked = together.map((step) => playStep(step, [model, ledger]));
            for (const [expected, answer] of await Promise.all(asked)) {
              expect(answer).toEqual(expected);
            }
          }
          expect(await contentOf(ledger)).toEqual(await contentOf(model));
          await pool.query(`DROP SCHEMA ${schema} CASCADE`);
        }),
        { numRuns: 15, endOnFailure: true },
      );
    }, 240_000);

    test('many processes that start at once make one schema', async () => {
      const schema = newSchema();
      const ledgers = Array.from({ length: 12 }, () => ledgerIn(schema));
      await Promise.all(ledgers.map((ledger, i) => ledger.claim(claimOf(`n${i}`))));
      expect(await ledgers[0]?.list({})).toHaveLength(12);
      const { rows } = await pool.query(
        `SELECT version FROM ${schema}.migrations ORDER BY version`,
      );
      expect(rows.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1));
    });

    test('a schema that a newer version made is refused, by name and with both versions', async () => {
      const schema = newSchema();
      await ledgerIn(schema).list({});
      await pool.query(
        `INSERT INTO ${schema}.migrations (version) VALUES (${migrations.length + 2})`,
      );
      const ledger = ledgerIn(schema);
      const refusal = `The schema ${schema} was made by a newer forthright: it is version ${migrations.length + 2}`;
      await expect(ledger.claim(claimOf('a'))).rejects.toThrow(refusal);
      await expect(ledger.list({})).rejects.toThrow(refusal);
    });

    test('a schema’s name is a plain one', () => {
      for (const schema of ['', 'a b', 'a"; DROP TABLE x', 'A', 'a.b', '1a']) {
        expect(() => ledgerIn(schema)).toThrow('not a name');
      }
    });

    test('an entry that was purged and made again is not taken for the one before', async () => {
      const schema = newSchema();
      const [ours, theirs] = [ledgerIn(schema), ledgerIn(schema)];
      const first = await ours.claim(claimOf('a'));
      expect(first.kind).toBe('claimed');
      // The other process knows the entry by now.
      expect(await theirs.claim(claimOf('a', { attemptId: 'b' }))).toMatchObject({
        kind: 'in_progress',
      });
      await ours.fail({ key: claimOf('a').key, token: 1, result: '' });
      expect(await ours.purge(0)).toBe(1);
      await ours.claim(claimOf('a', { attemptId: 'anew' }));
      expect(await theirs.claim(claimOf('a', { attemptId: 'c' }))).toMatchObject({
        kind: 'in_progress',
        entry: { attemptId: 'anew' },
      });
    });

    test('a row that PostgreSQL refuses fails alone', async () => {
      const ledger = ledgerIn(newSchema());
      await ledger.list({});
      const good = Array.from({ length: 10 }, (_, i) => claimOf(`n${i}`));
      const bad = claimOf('bad', { scope: null as never });
      const all = [...good.slice(0, 5), bad, ...good.slice(5)];
      const ends = await Promise.allSettled(all.map((request) => ledger.claim(request)));
      expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      expect(ends[5]?.status).toBe('rejected');
      expect(await ledger.list({})).toHaveLength(10);
    });

    test('works that come in together travel in one statement, a lone one in its own', async () => {
      let statements = 0;
      const counting = {
        async connect() {
          const connection = await pool.connect();
          return {
            query: (asked: { text: string; values: unknown[] }) => {
              statements += 1;
              return connection.query(asked);
            },
            release: (destroy?: boolean) => connection.release(destroy),
            on: (event: 'error', listener: () => void) => connection.on(event, listener),
            removeListener: (event: 'error', listener: () => void) =>
              connection.removeListener(event, listener),
          };
        },
        end: () => pool.end(),
      };
      const ledger = postgresLedger(counting, { schema: newSchema() });
      await ledger.claim(claimOf('first'));
      statements = 0;
      const claims = Array.from({ length: 50 }, (_, i) => ledger.claim(claimOf(`n${i}`)));
      const answers = await Promise.all(claims);
      expect(statements).toBe(1);
      const [one] = answers;
      if (one?.kind !== 'claimed') throw new Error(one?.kind);
      await ledger.mark(markOf(one.entry));
      await ledger.complete(answerTo(one.entry));
      expect(statements).toBe(3);
    });

    test('a decision that was held up is made anew, at the time it arrives', async () => {
      const schema = newSchema();
      const ledger = ledgerIn(schema);
      const answer = await ledger.claim(claimOf('a'));
      if (answer.kind !== 'claimed') throw new Error(answer.kind);
      const other = await pool.connect();
      await other.query(`BEGIN; SELECT * FROM ${schema}.entries FOR UPDATE`);
      const marking = ledger.mark(markOf(answer.entry));
      await new Promise((resolve) => setTimeout(resolve, 1_300));
      const { rows } = await other.query(
        'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
      );
      await other.query('COMMIT');
      other.release();
      const { kind, entry } = await marking;
      expect(kind).toBe('done');
      expect(entry?.updatedAtMs).toBeGreaterThanOrEqual(Math.floor(Number(rows[0]?.now)));
    });

    test('a lock that somebody keeps ends in a rejection, and what was asked is not done later', async () => {
      const schema = newSchema();
      const ledger = ledgerIn(schema, { statementMs: 1_200 });
      const answer = await ledger.claim(claimOf('a'));
      if (answer.kind !== 'claimed') throw new Error(answer.kind);
      const other = await pool.connect();
      await other.query(`BEGIN; SELECT * FROM ${schema}.entries FOR UPDATE`);
      await expect(ledger.mark(markOf(answer.entry))).rejects.toThrow('within 1200 ms');
      await other.query('COMMIT');
      other.release();
      const { kind } = await ledger.withdraw({ ...answer.entry, result: '' });
      expect(kind).toBe('done');
      const entry = await ledger.get(answer.entry.key);
      expect([entry?.state, entry?.failedBy]).toEqual(['failed', 'unsent']);
    });
  },
);
