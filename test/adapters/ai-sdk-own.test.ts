import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type ModelMessage, tool as sdkTool } from 'ai';
import { answered, createRuntime, memoryLedger, ok, type Runtime, tool } from 'forthright';
import { runAgent } from 'forthright/agent';
import { aiSdkModel, forAiSdk } from 'forthright/ai-sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { versions } from './ai-sdk-harness.ts';
import { type ChatServer, chatServer } from './chat-server.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function stage(answers: readonly ScriptedAnswer[]): Promise<{
  runtime: Runtime;
  refunds: number[];
  server: ChatServer;
  model: ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
}> {
  const refunds: number[] = [];
  const refund = tool({
    name: 'refund_order',
    description: 'Refund an order.',
    input: z.object({ orderId: z.int() }),
    effect: 'write',
    async run({ orderId }, ctx) {
      await ctx.dispatch(async () => answered(refunds.push(orderId)));
      return ok('Refunded.');
    },
  });
  const runtime = createRuntime({ tools: [refund], ledger: memoryLedger() });
  const server = await chatServer(answers);
  open.push(runtime, server);
  const { baseURL } = server;
  const model = createOpenAICompatible({ name: 'local', baseURL }).chatModel('scripted');
  return { runtime: runtime as unknown as Runtime, refunds, server, model };
}

function refundCall(text: string): ScriptedAnswer {
  return { calls: [{ id: 'call_1', name: 'refund_order', arguments: text }] };
}

const order = '{"orderId":4512}';
const done: ScriptedAnswer = { text: 'That is all.' };

describe('forAiSdk', () => {
  test('shows the host the result of a call that the SDK could not read', async () => {
    const { runtime, model } = await stage([refundCall('{"orderId":45'), done]);
    const own = forAiSdk(runtime, { model, scope: 's' });
    const { steps } = await generateText({ ...own, prompt: 'Go on.', stopWhen: isStepCount(4) });
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({ code: 'invalid_json' });
  });

  test('says so once where its tools are used without its model, and still refuses what was rounded', async () => {
    const { runtime, model, server } = await stage([
      refundCall('{"orderId":9007199254740993}'),
      refundCall('{"orderId":9007199254740993}'),
      done,
    ]);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { tools } = forAiSdk(runtime, { model, scope: 's' });
    await generateText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(4) });
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual([
      'unsafe_number',
      'unsafe_number',
    ]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("leaves the host's own tools and what the SDK says of them alone", async () => {
    const { runtime, model, server } = await stage([
      { calls: [{ id: 'call_1', name: 'mine', arguments: '{"n":1}' }] },
      { calls: [{ id: 'call_2', name: 'mine', arguments: '{"n":' }] },
      done,
    ]);
    const own = forAiSdk(runtime, { model, scope: 's' });
    const mine = sdkTool({
      inputSchema: z.object({ n: z.int() }),
      execute: async ({ n }) => n + 1,
    });
    const tools = { ...own.tools, mine };
    await generateText({ model: own.model, tools, prompt: 'Go on.', stopWhen: isStepCount(4) });
    expect(server.told()[0]).toBe('2');
    expect(server.told()[1]).toContain('InvalidToolInput');
  });

  test('refuses a name in place of a model', async () => {
    const { runtime } = await stage([done]);
    expect(() => forAiSdk(runtime, { model: 'gpt' as never, scope: 's' })).toThrow(TypeError);
  });
});

const ways = (['ai 7', 'ai 6'] as const).flatMap((version) =>
  [false, true].map((isStreamed) => ({ version, isStreamed })),
);

describe.each(ways)('approvals of $version, streaming: $isStreamed', ({ version, isStreamed }) => {
  const { sdk, model: modelOf } = versions[version];
  const prompt: ModelMessage = { role: 'user', content: 'Refund it.' };

  async function asked(answers: readonly ScriptedAnswer[]) {
    const staged = await stage(answers);
    const model = modelOf(staged.server.baseURL);
    const needsApproval = (): boolean => true;
    const own = forAiSdk(staged.runtime, { model, scope: 's', needsApproval });
    const ask = async (messages: ModelMessage[]) => {
      const said = { ...own, messages, stopWhen: sdk.stepCountIs(4) };
      const { content, response } = isStreamed
        ? sdk.streamText(said)
        : await sdk.generateText(said);
      return { content: await content, messages: (await response).messages };
    };
    const first = await ask([prompt]);
    const request = first.content.find(({ type }) => type === 'tool-approval-request');
    const { approvalId = '' } = (request ?? {}) as { approvalId?: string };
    const answer = (approved: boolean): ModelMessage[] => [
      prompt,
      ...first.messages,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] },
    ];
    return { ...staged, ask, answer, approvalId };
  }

  test('a call approved twice has one effect', async () => {
    const { ask, answer, refunds, server } = await asked([refundCall(order), done]);
    expect(refunds).toEqual([]);
    await ask(answer(true));
    expect(JSON.parse(server.told()[0] ?? '')).toMatchObject({ code: 'done' });
    await ask(answer(true));
    expect(JSON.parse(server.told()[0] ?? '')).toMatchObject({ code: 'already_done' });
    expect(refunds).toEqual([4512]);
  });

  test('other arguments than the model wrote are not approved', async () => {
    const { ask, answer, refunds, server } = await asked([refundCall(order), done]);
    await ask(JSON.parse(JSON.stringify(answer(true)).replaceAll('4512', '9999')));
    expect(JSON.parse(server.told()[0] ?? '')).toMatchObject({ code: 'approval_required' });
    expect(refunds).toEqual([]);
  });

  test('a denial is told as ours', async () => {
    const { ask, answer, refunds, server } = await asked([refundCall(order), done]);
    await ask(answer(false));
    expect(JSON.parse(server.told()[0] ?? '')).toMatchObject({ code: 'approval_denied' });
    expect(refunds).toEqual([]);
  });

  test('nobody is asked about a call that cannot run', async () => {
    const { approvalId, server } = await asked([refundCall('{"orderId":1,"orderId":2}'), done]);
    expect(approvalId).toBe('');
    expect(JSON.parse(server.told()[0] ?? '')).toMatchObject({ code: 'duplicate_key' });
  });
});

describe.each([false, true])('aiSdkModel, streaming: %s', (stream) => {
  test('the agent loop runs by it, by the text as it was written', async () => {
    const answers = [
      refundCall('{"orderId":9007199254740993}'),
      refundCall(order),
      { text: 'Order 4512 has been refunded.' },
    ];
    const { runtime, refunds, server, model } = await stage(answers);
    const run = await runAgent({
      model: aiSdkModel(model, { stream }),
      runtime,
      scope: 's',
      user: 'Refund it.',
    });
    expect(run.ending).toEqual({ kind: 'replied' });
    expect(run.text).toBe('Order 4512 has been refunded.');
    expect(refunds).toEqual([4512]);
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['unsafe_number', 'done']);
  });

  test('an answer that was cut off is told apart', async () => {
    const cut = { ...refundCall('{"orderId":45'), isCut: true };
    const { runtime, refunds, model } = await stage([cut, { text: 'All right.' }]);
    const run = await runAgent({
      model: aiSdkModel(model, { stream }),
      runtime,
      scope: 's',
      user: 'Refund it.',
    });
    expect(run.messages.some(({ role }) => role === 'notice')).toBe(true);
    expect(refunds).toEqual([]);
  });
});
