import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noEvidence } from '../../src/index.ts';
import { postgresLedger } from '../../src/postgres/index.ts';
import { type Cluster, noPostgres, startCluster } from '../support/postgres-cluster.ts';
import { desk, Remote, refundTool } from '../support/refunds.ts';
import { runCli } from '../support/run-cli.ts';

describe.skipIf(noPostgres !== undefined)(
  `the command line over a URL (${noPostgres ?? 'PostgreSQL'})`,
  () => {
    let cluster: Cluster;
    beforeAll(() => {
      cluster = startCluster();
    }, 60_000);
    afterAll(() => cluster?.stop());

    test('lists and settles a ledger in a schema of its own', async () => {
      const ledger = postgresLedger(cluster.url, { schema: 'cli_test' });
      const remote = new Remote();
      remote.behave = async () => noEvidence('reset');
      const result = await desk([refundTool(remote)], { ledger }).refund({
        orderId: 1,
        amountCents: 5,
      });
      await ledger.close();
      const key = result.outcome === 'unknown' ? (result.ref ?? '') : '';
      const url = new URL(cluster.url);
      url.searchParams.set('schema', 'cli_test');
      const listed = await runCli(['ledger', 'list', '--unknown', '--json', url.href]);
      expect(JSON.parse(listed.stdout)).toMatchObject({ key, state: 'unknown' });
      const settle = [
        'ledger',
        'settle',
        '--by',
        'ann',
        '--why',
        'seen',
        url.href,
        key,
        'happened',
      ];
      expect(await runCli(settle)).toEqual({ code: 0, stdout: `${key} is ok now.\n`, stderr: '' });
    });

    test.each([
      ['ledger', 'list'],
      ['ledger', 'show', 'abcdef'],
      ['ledger', 'settle', '--by', 'ann', '--why', 'seen', 'abcdef', 'happened'],
      ['ledger', 'purge', '--older-than', '1d'],
    ])(
      '%s %s says that there is no ledger where there is none, and makes none',
      async (...words) => {
        const url = new URL(cluster.url);
        url.searchParams.set('schema', 'nothing_here');
        const at = words.indexOf('abcdef');
        const args = at < 0 ? [...words, url.href] : words.toSpliced(at, 0, url.href);
        const { code, stdout, stderr } = await runCli(args);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain('There is no ledger in the schema nothing_here of this database.');
        const pool = new pg.Pool({ connectionString: cluster.url });
        const { rows } = await pool.query("SELECT to_regnamespace('nothing_here') AS made");
        await pool.end();
        expect(rows).toEqual([{ made: null }]);
      },
    );

    test('says what is wrong where the database is not there', async () => {
      const { code, stderr } = await runCli([
        'ledger',
        'list',
        'postgres://nobody@127.0.0.1:1/none',
      ]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/cannot be opened/);
    });
  },
);
