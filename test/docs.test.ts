import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mutants } from '../scripts/simulate/mutants.ts';
import { codes } from '../src/index.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('docs/results.md', () => {
  test('has one row for each code, with its outcome, when it is given and what to do', () => {
    const rows = Object.entries(codes).map(
      ([code, { outcome, when, nextAction }]) =>
        `| \`${code}\` | \`${outcome}\` | ${when} | ${nextAction} |`,
    );
    const [, table = ''] = read('docs/results.md').split('## Codes');
    const written = table.split('\n').filter((line) => /^\| `\w+` \|/.test(line));
    expect(written).toEqual(rows);
  });
});

describe('docs/reports.md', () => {
  test('has one row for each report', () => {
    const [, union = ''] = read('src/runtime/events.ts').split('export type ReportCode =');
    const declared = [...(union.split(';')[0] ?? '').matchAll(/'(\w+)'/g)].map(([, code]) => code);
    const written = [...read('docs/reports.md').matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, code]) => code,
    );
    expect(written.toSorted()).toEqual(declared.toSorted());
    expect(declared.length).toBeGreaterThan(5);
  });
});

describe('docs/guarantees.md', () => {
  test('names only tests and commands that there are', () => {
    const [, table = ''] = read('docs/guarantees.md').split('## How it is tested');
    const names = [...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const paths = names.filter((name) => name.includes('/') && !name.startsWith('forthright'));
    const absent = paths.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)));
    expect(absent).toEqual([]);
    expect(paths.length).toBeGreaterThan(10);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const commands = names.flatMap((name) => /^npm (?:run )?(\w+)$/.exec(name)?.[1] ?? []);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
    expect(commands.length).toBeGreaterThan(2);
  });
});

describe('docs/simulator.md', () => {
  test('has one row for each mutant, and one for each promise', () => {
    const page = read('docs/simulator.md');
    const [, table = ''] = page.split('| without |');
    const rows = [...table.matchAll(/^\| ([^|]+) \| [\d,]+ \| `\w+` \|$/gm)].map(
      ([, name]) => name,
    );
    expect(rows).toEqual(mutants.map(({ name }) => name));
    const [, union = ''] = read('src/testing/simulator/promises.ts').split('type PromiseName =');
    const promises = [...(union.split(';')[0] ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const [before = ''] = page.split('## A seed that fails');
    const held = [...before.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(held).toEqual(promises);
  });
});
