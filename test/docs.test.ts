import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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
