import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { contentOf, histories, playStep } from '../../test/support/histories.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { sqliteLedger } from './sqlite-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-histories-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

test('a history ends alike in memory, in one handle on a file, and in two that take turns', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      let now = 1_700_000_000_000;
      const nowMs = () => now;
      const path = join(folder, `${files++}.db`);
      const model = memoryLedger({ nowMs });
      const one = sqliteLedger({ path: ':memory:', nowMs });
      const two = [sqliteLedger({ path, nowMs }), sqliteLedger({ path, nowMs })] as const;
      for (const [at, step] of history.entries()) {
        now += step.afterMs;
        const turn = two[at % 2 === 0 ? 0 : 1];
        const [expected, ...answers] = await playStep(step, [model, one, turn]);
        for (const answer of answers) expect(answer).toEqual(expected);
      }
      const content = await contentOf(model);
      for (const ledger of [one, ...two]) {
        expect(await contentOf(ledger)).toEqual(content);
        await ledger.close();
      }
    }),
    { numRuns: 30 },
  );
}, 120_000);

test('what is asked at once is answered as if it was asked in turn', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 2, max: 7 }), async (history, size) => {
      let now = 1_700_000_000_000;
      const nowMs = () => now;
      const model = memoryLedger({ nowMs });
      const ledger = sqliteLedger({ path: ':memory:', nowMs });
      for (let at = 0; at < history.length; at += size) {
        const together = history.slice(at, at + size);
        now += together[0]?.afterMs ?? 0;
        const answers = await Promise.all(together.map((step) => playStep(step, [model, ledger])));
        for (const [expected, answer] of answers) expect(answer).toEqual(expected);
      }
      expect(await contentOf(ledger)).toEqual(await contentOf(model));
      await ledger.close();
    }),
    { numRuns: 60 },
  );
}, 120_000);
