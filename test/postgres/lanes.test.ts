import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { answered } from '../../src/index.ts';
import { postgresLedger } from '../../src/postgres/index.ts';
import { noPostgres, startCluster } from '../support/postgres-cluster.ts';
import { type Desk, desk, Remote, refundTool } from '../support/refunds.ts';

describe.skipIf(noPostgres !== undefined)(
  `a lane between processes (${noPostgres ?? 'PostgreSQL'})`,
  () => {
    const cluster = noPostgres === undefined ? startCluster() : undefined;
    const schema = `lanes_${process.pid}`;
    const pools: pg.Pool[] = [];
    afterAll(async () => {
      await pools[0]?.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      for (const pool of pools) await pool.end();
      cluster?.stop();
    });

    /** A process of its own, as far as lanes can tell: a runtime, a ledger and a pool. */
    function processOn(lane: string, remote: Remote): Desk {
      const pool = new pg.Pool({ connectionString: cluster?.url, max: 4 });
      pools.push(pool);
      const ledger = postgresLedger(pool, { schema });
      return desk([refundTool(remote, { lane: () => lane })], { ledger, waitMs: 8_000 });
    }

    test('one that never lets up does not starve another', async () => {
      const remote = new Remote();
      remote.behave = async (_key, commit) => {
        // Long beside the moment between two writes: the other one will not hit on that by chance.
        await sleep(400);
        return answered(commit());
      };
      const [busy, other] = [processOn('order:1', remote), processOn('order:1', remote)];
      let isOver = false;
      const worker = async (_: unknown, first: number): Promise<void> => {
        for (let at = first; !isOver; at += 10) await busy.refund({ orderId: at, amountCents: 1 });
      };
      const workers = Array.from({ length: 4 }, worker);
      const outcomes: string[] = [];
      for (let round = 1; round <= 3; round += 1) {
        const enough = remote.effects.length + 3;
        while (remote.effects.length < enough) await sleep(5);
        const told = await other.refund({ orderId: -round, amountCents: 1 });
        outcomes.push(told.outcome);
      }
      isOver = true;
      await Promise.all(workers);
      expect(outcomes).toEqual(['ok', 'ok', 'ok']);
    }, 120_000);

    test('the writes of each process are sent in the order in which they came', async () => {
      const remote = new Remote();
      const processes = [processOn('order:2', remote), processOn('order:2', remote)];
      const calls = processes.flatMap(({ runtime }, at) =>
        Array.from({ length: 15 }, async (_, i) => {
          const args = JSON.stringify({ orderId: 100 * at + i, amountCents: 2 });
          const call = { name: 'refund_order', arguments: args, scope: 'conversation-1' };
          const { key = '' } = await runtime.call(call);
          return [startOf(key), 100 * at + i] as const;
        }),
      );
      const orderOf = new Map(await Promise.all(calls));
      const sent = remote.effects.map((key) => orderOf.get(startOf(key)) ?? -1);
      expect(sent).toHaveLength(30);
      for (const at of [0, 1]) {
        const own = sent.filter((order) => Math.floor(order / 100) === at);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
        expect(own).toHaveLength(15);
      }
    }, 120_000);
  },
);

/** What a key has in common with what goes over the wire for it. */
function startOf(key: string): string {
  return key.slice(0, 22);
}
