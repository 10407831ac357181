import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { mastraHarness } from './mastra-harness.ts';

describe('the adapter cases by Mastra 1', () => {
  for (const { name, run } of adapterContract(mastraHarness())) test(name, run);
});
