import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { messagesHarness, toolRunnerHarness } from './anthropic-harness.ts';

describe('the adapter cases by @anthropic-ai/sdk', () => {
  describe('the tool runner', () => {
    for (const { name, run } of adapterContract(toolRunnerHarness)) test(name, run);
  });
  describe('message by message', () => {
    for (const { name, run } of adapterContract(messagesHarness)) test(name, run);
  });
});
