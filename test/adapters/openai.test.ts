import { describe, test } from 'vitest';
import { adapterContract } from '../../src/testing/index.ts';
import { messagesHarness, runToolsHarness } from './openai-chat-harness.ts';
import { responsesHarness } from './openai-responses-harness.ts';

describe.each(['openai 7', 'openai 6'] as const)('the adapter cases by %s', (version) => {
  describe('runTools', () => {
    for (const { name, run } of adapterContract(runToolsHarness(version))) test(name, run);
  });
  describe('runTools in strict mode', () => {
    for (const { name, run } of adapterContract(runToolsHarness(version, true))) test(name, run);
  });
  describe('chat completions, message by message', () => {
    for (const { name, run } of adapterContract(messagesHarness(version))) test(name, run);
  });
  describe('responses', () => {
    for (const { name, run } of adapterContract(responsesHarness(version))) test(name, run);
  });
  describe('responses in strict mode', () => {
    for (const { name, run } of adapterContract(responsesHarness(version, true))) test(name, run);
  });
});
