import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { agentsHarness } from './openai-agents-harness.ts';

describe.each(['chat completions', 'responses'] as const)('the adapter cases by %s', (protocol) => {
  describe('@openai/agents', () => {
    for (const { name, run } of adapterContract(agentsHarness(protocol))) test(name, run);
  });
  describe('@openai/agents in strict mode', () => {
    for (const { name, run } of adapterContract(agentsHarness(protocol, true))) test(name, run);
  });
});
