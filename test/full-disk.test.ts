import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { answered, type Ledger, ok, type Result, tool } from '../src/index.ts';
import { postgresLedger } from '../src/postgres/index.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';
import { noPostgres, startCluster } from './support/postgres-cluster.ts';
import { desk } from './support/refunds.ts';
import { type SmallDisk, smallDisk, whyNoSmallDisk } from './support/small-disk.ts';

/** Text that no compression makes small. */
function noise(length: number): string {
  let seed = 1;
  const next = (): string => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed.toString(36);
  };
  let text = '';
  while (text.length < length) text += next();
  return text.slice(0, length);
}

const long = noise(60_000);

/** Sends what it is asked to; `whileSending` happens between its mark and its answer. */
function parcelTool(sent: string[], whileSending: () => void) {
  return tool({
    name: 'send_parcel',
    description: 'Sends a parcel.',
    effect: 'write',
    input: {
      type: 'object',
      properties: { name: { type: 'string' }, letter: { type: 'string' } },
      required: ['name'],
    },
    lane: ({ name }) => `parcel:${String(name)}`,
    async run({ name }, ctx) {
      await ctx.dispatch(async () => {
        sent.push(String(name));
        whileSending();
        return answered(null);
      });
      return ok('Sent.', { answer: long });
    },
  });
}

async function playFullDisk(ledger: Ledger, disk: SmallDisk): Promise<void> {
  const sent: string[] = [];
  let whileSending = (): void => undefined;
  const its = parcelTool(sent, () => whileSending());
  const { runtime, reports } = desk([its], { ledger });
  const send = async (args: object): Promise<Result> =>
    (await runtime.call({ name: its.name, arguments: JSON.stringify(args), scope: 'c' })).result;
  expect(await send({ name: 'first' })).toMatchObject({ outcome: 'ok' });

  // After the send: what is certain is told, and recorded once there is room.
  whileSending = () => disk.fill();
  const told = await send({ name: 'second' });
  expect(told).toMatchObject({ outcome: 'ok', warnings: [{ code: 'record_pending' }] });
  expect(reports()).toContain('ledger_failed');
  whileSending = () => undefined;

  // Before it: nothing is sent, of a new write or of the one that is not recorded yet.
  const refused = await send({ name: 'third', letter: long });
  expect(refused).toMatchObject({ outcome: 'failed', code: 'ledger_unavailable' });
  expect((await send({ name: 'second' })).outcome).not.toBe('ok');
  expect(sent).toEqual(['first', 'second']);

  disk.makeRoom();
  await untilOk(ledger, 'parcel:second');
  const again = await send({ name: 'second' });
  expect(again).toMatchObject({ outcome: 'already_done', data: { answer: long } });
  expect(await send({ name: 'third', letter: long })).toMatchObject({ outcome: 'ok' });
  expect(sent).toEqual(['first', 'second', 'third']);
  await runtime.close();
}

async function untilOk(ledger: Ledger, lane: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const [entry] = await ledger.list({ lane });
    if (entry?.state === 'ok') return;
    await sleep(50);
  }
  throw new Error(`${lane} is not ok after all`);
}

const noSmallDisk = whyNoSmallDisk();

const because = (why: string | undefined): string => (why === undefined ? '' : ` (${why})`);

describe('a full disk: before the send nothing is sent; after it nothing is lost', () => {
  test.skipIf(noSmallDisk !== undefined)(
    `SQLite${because(noSmallDisk)}`,
    async () => {
      const disk = smallDisk(4);
      try {
        const ledger = sqliteLedger(join(disk.folder, 'ledger.db'));
        await playFullDisk(ledger, disk);
        await ledger.close();
      } finally {
        disk.remove();
      }
    },
    60_000,
  );

  const noTablespace =
    noSmallDisk ??
    noPostgres ??
    (process.env.FORTHRIGHT_POSTGRES_URL && 'a developer’s PostgreSQL is not filled');

  test.skipIf(noTablespace !== undefined)(
    `PostgreSQL${because(noTablespace)}`,
    async () => {
      const disk = smallDisk(4);
      const cluster = startCluster();
      const pool = new pg.Pool({ connectionString: cluster.url });
      try {
        const folder = join(disk.folder, 'tables');
        mkdirSync(folder);
        chmodSync(folder, 0o700);
        const user = cluster.own?.user;
        if (user !== undefined) chownSync(folder, user.uid, user.gid);
        await pool.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
        await pool.query("ALTER DATABASE postgres SET default_tablespace = 'small'");
        const ledger = postgresLedger(cluster.url);
        await playFullDisk(ledger, disk);
        await ledger.close();
      } finally {
        await pool.end();
        cluster.stop();
        disk.remove();
      }
    },
    120_000,
  );
});
