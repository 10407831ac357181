import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { frameworkSection, sectionsOf, sentTable } from './case-table.ts';
import { frameworks } from './frameworks.ts';

// Where they differ from what is seen: npx tsx scripts/adapter-table.ts
describe('docs/frameworks.md', () => {
  const page = readFileSync(new URL('../../docs/frameworks.md', import.meta.url), 'utf8');
  const [sent, ...sections] = sectionsOf(page);

  test('has what the models send, and a section for each framework that is tested', () => {
    expect(sent).toBe(sentTable());
    expect(sections.map((section) => section.split('\n')[0])).toEqual(
      frameworks.map(({ title }) => `### ${title}`),
    );
  });

  // Some ninety runs each, with their waits.
  test.each(frameworks)(
    'says what the runs by $title came to',
    { timeout: 120_000 },
    async (each) => {
      expect(sections).toContain(await frameworkSection(each));
    },
  );
});
