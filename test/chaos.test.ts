import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findingsOf } from '../chaos/findings.ts';
import type { Place } from '../chaos/store.ts';
import { storm } from '../chaos/storm.ts';
import { noPostgres, startCluster } from './support/postgres-cluster.ts';

const longestMs = 60_000;
const settlingMs = 300_000;
/** Nothing is measured by it: a busy machine takes long to start and to end all that. */
const timeoutMs = 600_000;

/** The short form of `npm run chaos`. */
async function weather(place: Place, seed: number): Promise<void> {
  const aftermath = await storm({ place, seed, intents: 150, atOnce: 48, longestMs, settlingMs });
  expect(findingsOf(aftermath)).toEqual([]);
  expect(aftermath.kills).toBeGreaterThan(0);
  expect(aftermath.pauses).toBeGreaterThan(0);
  expect(aftermath.effects.size).toBeGreaterThan(0);
}

describe('workers that are killed and paused, and a billing server that loses and delays', () => {
  test(
    'over one SQLite file: one effect for what was told done, none for what was told failed, and nothing unknown in the end',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'forthright-chaos-'));
      try {
        await weather({ store: 'sqlite', path: join(folder, 'ledger.db') }, 1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    timeoutMs,
  );

  test.skipIf(noPostgres !== undefined)(
    `over one PostgreSQL (${noPostgres ?? 'as it is here'}): the same`,
    async () => {
      const cluster = startCluster();
      try {
        await weather({ store: 'postgres', url: cluster.url }, 2);
      } finally {
        cluster.stop();
      }
    },
    timeoutMs,
  );
});
