import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startDownstream } from '../../src/testing/downstream.ts';
import { noPostgres, startCluster } from '../support/postgres-cluster.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(cwd: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['program.mjs'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  return new Promise((resolve) => child.on('close', () => resolve(printed)));
}

describe.skipIf(noPostgres !== undefined)(`docs/ledgers.md (${noPostgres ?? 'PostgreSQL'})`, () => {
  test('its program runs as printed: of three processes at once one refunds, and a later one says so', async () => {
    const cluster = startCluster();
    const billing = await startDownstream();
    const folder = mkdtempSync(join(tmpdir(), 'ledgers-docs-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules', 'forthright'));
      symlinkSync(join(root, 'node_modules', 'pg'), join(folder, 'node_modules', 'pg'));
      const page = readFileSync(join(root, 'docs/ledgers.md'), 'utf8');
      const [, program = ''] = page.split('```ts\n');
      writeFileSync(join(folder, 'program.mjs'), program.split('```')[0] ?? '');
      const env = { BILLING_URL: billing.url, DATABASE_URL: cluster.url };
      const atOnce = await Promise.all([1, 2, 3].map(() => run(folder, env)));
      expect(atOnce.filter((printed) => printed === 'ok\n')).toHaveLength(1);
      expect(await run(folder, env)).toBe('already_done\n');
      expect(billing.effects).toBe(1);
    } finally {
      await billing.close();
      cluster.stop();
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
