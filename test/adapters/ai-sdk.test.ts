import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { aiSdkHarness } from './ai-sdk-harness.ts';

describe.each(['ai 7', 'ai 6'] as const)('the adapter cases by %s', (version) => {
  for (const { name, run } of adapterContract(aiSdkHarness(version))) test(name, run);
});
