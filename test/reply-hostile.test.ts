import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./support/hostile-child.ts', import.meta.url));
const boundMs = 300_000;
/** Four times the text takes about four times as long; quadratic reading takes sixteen times. */
const mostGrowth = 8;
/** What a collection of garbage or a compilation in the middle may add. */
const slackMs = 500;

type Row = readonly [shape: string, way: string, shortMs: number, longMs: number];

test(
  'hostile text up to a megabyte is read in time linear in it, whole and as a stream',
  async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: boundMs - 10_000,
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    const rows = printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    expect({ code, rows: rows.length }).toEqual({ code: 0, rows: 40 });
    const superlinear = rows.filter(([, , short, long]) => long > mostGrowth * short + slackMs);
    expect(superlinear).toEqual([]);
  },
  boundMs,
);
