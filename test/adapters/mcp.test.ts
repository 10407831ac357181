import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { mcpHarness } from './mcp-harness.ts';

describe.each(['MCP SDK 1', 'MCP SDK 2'] as const)('the adapter cases by %s', (version) => {
  for (const { name, run } of adapterContract(mcpHarness(version))) test(name, run);
});
