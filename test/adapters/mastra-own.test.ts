import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { forMastra, type MastraOptions } from 'forthright/mastra';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { chatModel } from './mastra-harness.ts';
import { done, refundCalls, type Stage, stage } from './own-stage.ts';

const open: Stage[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const memory = { memory: { thread: 't', resource: 'r' } };
const order = '{"orderId":4512}';

async function staged(answers: readonly ScriptedAnswer[]) {
  const one = await stage(answers);
  open.push(one);
  const own = (options: Partial<MastraOptions> = {}) =>
    forMastra(one.runtime, { model: chatModel(one.server.baseURL), ...options });
  return { ...one, own };
}

function agentOf(own: object): Agent {
  const agent = new Agent({ id: 'desk', name: 'desk', instructions: 'Help.', ...own } as never);
  // A suspended run is kept in its storage.
  new Mastra({ agents: { desk: agent }, storage: new InMemoryStore(), logger: false });
  return agent;
}

describe('forMastra', () => {
  test('refuses a name in place of a model, and a run without a thread or scope', async () => {
    const { runtime, own, server } = await staged([done]);
    expect(() => forMastra(runtime, { model: 'openai/gpt' as never })).toThrow(TypeError);
    await expect(agentOf(own()).generate('Go on.')).rejects.toThrow('a write belongs to');
    expect(server.requests).toEqual([]);
    const { text } = await agentOf(own({ scope: 's' })).generate('Go on.');
    expect(text).toBe('That is all.');
  });

  test('the thread of the run is the scope', async () => {
    const { runtime, own } = await staged([refundCalls(order), done]);
    await agentOf(own()).generate('Go on.', memory);
    expect(await runtime.entries({ scope: 't' })).toHaveLength(1);
  });

  test("leaves the host's own tools and what Mastra says of them alone", async () => {
    const call = (id: string, text: string): ScriptedAnswer => ({
      calls: [{ id, name: 'mine', arguments: text }],
    });
    const { own, server } = await staged([call('a', '{"n":1}'), call('b', '{"n":"x"}'), done]);
    const mine = createTool({
      id: 'mine',
      description: 'One more.',
      inputSchema: z.object({ n: z.int() }),
      execute: async ({ n }) => ({ sum: n + 1 }),
    });
    const { tools, ...rest } = own();
    await agentOf({ ...rest, tools: { ...tools, mine } }).generate('Go on.', memory);
    expect(server.told()[0]).toBe('{"sum":2}');
    expect(server.told()[1]).toContain('validation failed');
  });

  test('says so once where its tools are used without its model, and still refuses what was rounded', async () => {
    const rounded = '{"orderId":9007199254740993}';
    const { own, server, codes } = await staged([refundCalls(rounded), refundCalls(rounded), done]);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { tools } = own();
    await agentOf({ model: chatModel(server.baseURL), tools }).generate('Go on.', memory);
    expect(codes()).toEqual(['unsafe_number', 'unsafe_number']);
    expect(warn.mock.calls.filter(([said]) => /forthright\/mastra/.test(said))).toHaveLength(1);
    warn.mockRestore();
  });

  test('parallel calls keep to the lanes and the cap', async () => {
    const many = refundCalls(...[1, 2, 3, 4].map((orderId) => JSON.stringify({ orderId })));
    const apart = await staged([many, done]);
    await agentOf(apart.own()).generate('Go on.', memory);
    expect(apart.refunds).toHaveLength(4);
    expect(apart.most()).toBe(2);
    const same = refundCalls(...[101, 102, 103].map((orderId) => JSON.stringify({ orderId })));
    const together = await staged([same, done]);
    await agentOf(together.own()).generate('Go on.', memory);
    expect(together.refunds).toEqual([101, 102, 103]);
    expect(together.most()).toBe(1);
  });
});

describe.each([false, true])('approvals of Mastra, streaming: %s', (isStreamed) => {
  async function waiting(answers: readonly ScriptedAnswer[]) {
    const one = await staged(answers);
    const agent = agentOf(one.own({ needsApproval: () => true }));
    const first = isStreamed
      ? await agent.stream('Go on.', memory)
      : await agent.generate('Go on.', memory);
    if ('consumeStream' in first) await first.consumeStream();
    const { runId } = first;
    const decide = async (word: 'approveToolCall' | 'declineToolCall'): Promise<unknown> => {
      const toolCallId = answers[0]?.calls?.[0]?.id;
      const options = { runId: await runId, toolCallId } as never;
      if (!isStreamed) return agent[`${word}Generate`](options);
      return (await agent[word](options)).consumeStream();
    };
    return { ...one, decide };
  }

  test('a call runs once it is approved, and once only, however often it is', async () => {
    const { decide, refunds, codes } = await waiting([refundCalls(order), done]);
    expect(refunds).toEqual([]);
    await decide('approveToolCall');
    expect(codes()).toEqual(['done']);
    await Promise.allSettled([decide('approveToolCall'), decide('approveToolCall')]);
    expect(refunds).toEqual([4512]);
  });

  test('a call that is approved twice at once has one effect', async () => {
    const { decide, refunds } = await waiting([refundCalls(order), done]);
    await Promise.allSettled([decide('approveToolCall'), decide('approveToolCall')]);
    expect(refunds).toEqual([4512]);
  });

  test('what is declined does not run', async () => {
    const { decide, refunds, server } = await waiting([refundCalls(order), done]);
    await decide('declineToolCall');
    expect(server.told()).toEqual(['Tool call was not approved by the user']);
    expect(refunds).toEqual([]);
  });

  test('nobody is asked about a call that cannot run', async () => {
    const { codes } = await waiting([refundCalls('{"orderId":'), done]);
    expect(codes()).toEqual(['invalid_json']);
  });

  test('what a person approved is refused where the model wrote something else', async () => {
    const { decide, refunds, codes } = await waiting([
      refundCalls('{"orderId":1,"orderId":2}'),
      done,
    ]);
    await decide('approveToolCall');
    expect(codes()).toEqual(['duplicate_key']);
    expect(refunds).toEqual([]);
  });
});
