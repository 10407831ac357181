import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { langChainHarness } from './langchain-harness.ts';

describe.each(['createAgent', 'ToolNode'] as const)('the adapter cases by %s', (kind) => {
  for (const { name, run } of adapterContract(langChainHarness(kind))) test(name, run);
});
