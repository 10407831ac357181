import { readFileSync, writeFileSync } from 'node:fs';
import {
  frameworkSection,
  sectionsOf,
  sentTable,
  withSections,
} from '../test/adapters/case-table.ts';
import { frameworks } from '../test/adapters/frameworks.ts';

// Writes the sections of docs/frameworks.md anew, or only those of the frameworks that are named:
// npx tsx scripts/adapter-table.ts ['AI SDK 7' …]
const page = new URL('../docs/frameworks.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const named = process.argv.slice(2);
const sections = [sentTable()];
for (const framework of frameworks) {
  const { title } = framework;
  const present = sectionsOf(text).find((section) => section.startsWith(`### ${title}\n`));
  const isLeft = present !== undefined && named.length > 0 && !named.includes(title);
  sections.push(isLeft ? present : await frameworkSection(framework));
}
writeFileSync(page, withSections(text, sections));
