import { readFileSync, writeFileSync } from 'node:fs';
import { aiSdkHarness } from '../test/adapters/ai-sdk-harness.ts';
import { writtenAnew } from '../test/adapters/case-table.ts';

// Writes the table of docs/frameworks.md anew: npx tsx scripts/adapter-table.ts
const page = new URL('../docs/frameworks.md', import.meta.url);
writeFileSync(page, await writtenAnew(readFileSync(page, 'utf8'), aiSdkHarness('ai 7')));
