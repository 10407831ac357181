import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findingKinds } from '../src/testing/verify-tool/findings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');

describe('docs/testing.md', () => {
  test('its program runs as printed, and prints what the page says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'testing-docs-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules', 'forthright'));
      symlinkSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
      const [, program = ''] = page.split('```ts\n');
      writeFileSync(join(folder, 'program.mjs'), program.split('```')[0] ?? '');
      const printed = execFileSync(process.execPath, ['program.mjs'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 25_000,
      });
      const [, output = ''] = page.split('It prints:\n\n```\n');
      expect(printed).toBe(output.split('```')[0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('has a row for each finding, with what is wrong and how to mend it', () => {
    const rows = Object.entries(findingKinds).map(
      ([code, { what, mend, severity }]) =>
        `| \`${code}\`${severity === 'advice' ? ' (advice)' : ''} | ${what} | ${mend} |`,
    );
    const [, table = ''] = page.split('### What it finds');
    expect(table.split('\n').filter((line) => /^\| `\w+`/.test(line))).toEqual(rows);
  });
});
