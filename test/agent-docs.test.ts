import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/agent.md'), 'utf8');

/** The first code block that begins so, up to its end. */
function block(beginning: string): string {
  return page.split(beginning)[1]?.split('```')[0] ?? '';
}

/** The names in a union of the source, told by what stands before each. */
function named(path: string, pattern: RegExp): readonly string[] {
  const source = readFileSync(join(root, path), 'utf8');
  return [...source.matchAll(pattern)].map(([, name]) => name ?? '');
}

describe('docs/agent.md', () => {
  it('has a program that runs as printed, and prints what is printed there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-docs-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules', 'forthright'));
      symlinkSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
      writeFileSync(join(folder, 'program.mjs'), block('```ts\n'));
      const printed = execFileSync(process.execPath, ['program.mjs'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect(printed).toBe(block('It prints:\n\n```\n'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  it.each([
    ['turns', 'src/agent/turn.ts', /^ {2}\| \{ readonly kind: '(\w+)'/gm],
    ['endings', 'src/agent/ending.ts', /readonly kind: '(\w+)'/g],
    ['events', 'src/agent/plan.ts', /readonly type: '(\w+)'/g],
    ['statuses', 'src/agent/plan.ts', /^ {2}\| '(\w+)'|readonly status: '(\w+)'/gm],
  ])('names all %s', (_, path, pattern) => {
    const names = named(path, pattern).filter((name) => name !== '');
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) expect(page).toContain(name);
  });
});
