import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The first code block that begins so, up to its end. */
function block(beginning: string): string {
  return readme.split(beginning)[1]?.split('```')[0] ?? '';
}

test('the program of the README runs as printed, and prints what is printed there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'forthright'));
    symlinkSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
    writeFileSync(join(folder, 'program.mjs'), block('```ts\n'));
    const printed = execFileSync(process.execPath, ['program.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 30_000,
    });
    expect(printed).toContain('"outcome":"unknown"');
    expect(printed).toBe(block('What comes back:\n\n```\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
