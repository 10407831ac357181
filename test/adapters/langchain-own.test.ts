import { tool } from '@langchain/core/tools';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { forLangChain, type LangChainOptions } from 'forthright/langchain';
import { AIMessage, createAgent, humanInTheLoopMiddleware, ToolMessage } from 'langchain';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { chatModel } from './langchain-harness.ts';
import { done, refundCalls, type Stage, stage } from './own-stage.ts';
import { responsesServer } from './responses-server.ts';

const open: Stage[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function staged(answers: readonly ScriptedAnswer[], ledger?: Stage['ledger']) {
  const one = await stage(answers, ledger);
  open.push(one);
  const own = (options: Partial<LangChainOptions> = {}) =>
    forLangChain(one.runtime, { model: chatModel(one.server.baseURL), ...options });
  return { ...one, own };
}

const input = { messages: [{ role: 'user', content: 'Go on.' }] };
const thread = { configurable: { thread_id: 't' } };
const order = '{"orderId":4512}';

/** As Anthropic's model answers that ran out of tokens: the arguments are a value already. */
class CutModel extends FakeListChatModel {
  constructor() {
    super({ responses: ['.'] });
  }

  override bindTools(): never {
    return this as never;
  }

  override async _generate(): ReturnType<FakeListChatModel['_generate']> {
    const call = { id: 'c', name: 'refund_order', args: { orderId: 45 } };
    const response_metadata = { stop_reason: 'max_tokens' };
    const message = new AIMessage({ content: '', tool_calls: [call], response_metadata });
    return { generations: [{ text: '', message }] };
  }
}

describe('forLangChain', () => {
  test('refuses a name in place of a model, and a run without a thread or scope', async () => {
    const { runtime, own } = await staged([done]);
    expect(() => forLangChain(runtime, { model: 'gpt' as never })).toThrow(TypeError);
    await expect(createAgent(own()).invoke(input)).rejects.toThrow('thread_id');
    const { messages } = await createAgent(own({ scope: 's' })).invoke(input);
    expect(messages.at(-1)?.text).toBe('That is all.');
  });

  test('the thread of the run is the scope', async () => {
    const { runtime, own } = await staged([refundCalls(order), done]);
    await createAgent(own()).invoke(input, thread);
    expect(await runtime.entries({ scope: 't' })).toHaveLength(1);
  });

  test('the host has the result itself as the artifact of the message', async () => {
    const { own } = await staged([refundCalls('{"orderId":45'), done]);
    const { messages } = await createAgent(own()).invoke(input, thread);
    const { artifact } = messages.at(-2) as ToolMessage;
    expect(artifact).toMatchObject({ outcome: 'failed', code: 'invalid_json' });
  });

  test("leaves the host's own tools and what LangChain says of them alone", async () => {
    const mine = tool(async ({ n }) => `${n + 1}`, {
      name: 'mine',
      description: 'One more.',
      schema: z.object({ n: z.int() }),
    });
    const call = (text: string): ScriptedAnswer => ({
      calls: [{ id: 'call_1', name: 'mine', arguments: text }],
    });
    const { own, server } = await staged([call('{"n":1}'), call('{"n":"x"}'), done]);
    const { model, tools } = own();
    const all = [...tools, mine] as never;
    await createAgent({ model, tools: all }).invoke(input, thread);
    expect(server.told()[0]).toBe('2');
    expect(server.told()[1]).toContain('did not match expected schema');
  });

  test('does not run what a provider made of half a call', async () => {
    const { own, refunds } = await staged([done]);
    const { model, tools } = own({ scope: 's', model: new CutModel() });
    const said = await model.bindTools?.(tools).invoke('Go on.');
    const [told] = await new ToolNode(tools).invoke([said]);
    expect(JSON.parse(told.content).code).toBe('invalid_json');
    expect(refunds).toEqual([]);
  });

  test("leaves what the host's middleware said of a call in another process", async () => {
    const { own, server } = await staged([done]);
    const call = { type: 'tool_call' as const, id: 'c', name: 'refund_order' };
    const text = 'It took too long; it may have happened.';
    const made = new AIMessage({ content: '', tool_calls: [{ ...call, args: { orderId: 4512 } }] });
    const told = { content: text, tool_call_id: 'c', name: call.name, status: 'error' as const };
    const messages = [...input.messages, made, new ToolMessage(told)];
    await createAgent(own()).invoke({ messages } as never, thread);
    expect(server.told()).toEqual([text]);
  });

  test('says so once where its tools are used without the text, and still refuses what was rounded', async () => {
    const { own } = await staged([done]);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const call = {
      type: 'tool_call',
      id: 'call_1',
      name: 'refund_order',
      args: JSON.parse('{"orderId":9007199254740993}'),
    };
    for (let time = 0; time < 2; time += 1) {
      const said: ToolMessage | undefined = await own().tools[0]?.invoke(call, thread);
      expect(said?.artifact).toMatchObject({ code: 'unsafe_number' });
    }
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test.each([false, true])(
    'the Responses API is read by its text too, streaming: %s',
    async (streaming) => {
      const { runtime } = await staged([done]);
      const server = await responsesServer([refundCalls('{"orderId":1,"orderId":2}'), done]);
      const model = new ChatOpenAI({
        model: 'scripted',
        apiKey: 'none',
        configuration: { baseURL: server.baseURL },
        useResponsesApi: true,
        streaming,
      });
      const { model: own, tools } = forLangChain(runtime, { model, scope: 's' });
      const asked = own.bindTools?.(tools) ?? own;
      const answer = await asked.invoke('Go on.');
      const said: ToolMessage = await tools[0]?.invoke(answer.tool_calls?.[0] as never);
      await server.close();
      expect(said.artifact).toMatchObject({ code: 'duplicate_key' });
    },
  );

  test('a stream shows each sentence as soon as nothing contradicts it, and not what is false', async () => {
    const said = 'Thank you for waiting, dear customer. I have refunded order 4512.';
    const { own } = await staged([{ text: said }]);
    const pieces: string[] = [];
    const stream = await own({ checkReply: true, scope: 's' }).model.stream('Go on.');
    for await (const { text } of stream) if (text !== '') pieces.push(text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces[0]).toMatch(/^Thank you/);
    expect(pieces.join('')).not.toContain('I have refunded');
  });

  test('nobody who listens hears the claim that was corrected', async () => {
    const { own } = await staged([{ text: 'I have refunded order 4512.' }]);
    const agent = createAgent(own({ checkReply: true }));
    const heard: string[] = [];
    for await (const event of agent.streamEvents(input, { ...thread, version: 'v2' })) {
      heard.push(JSON.stringify(event.data));
    }
    expect(heard.join()).not.toContain('I have refunded');
  });
});

describe.each(['createAgent', 'ToolNode'] as const)('by %s', (kind) => {
  type Own = ReturnType<typeof forLangChain>;

  function graphOf(own: Own, checkpointer: MemorySaver) {
    if (kind === 'createAgent') return createAgent({ ...own, checkpointer }).graph;
    const bound = own.model.bindTools?.(own.tools) ?? own.model;
    return new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
      .addNode('tools', new ToolNode(own.tools))
      .addEdge('__start__', 'model')
      .addConditionalEdges('model', toolsCondition)
      .addEdge('tools', 'model')
      .compile({ checkpointer });
  }

  type Waiting = { __interrupt__?: readonly { readonly value: { readonly arguments: string } }[] };

  async function waiting(answers: readonly ScriptedAnswer[]) {
    const one = await staged(answers);
    const graph = graphOf(one.own({ needsApproval: () => true }), new MemorySaver());
    const asked = (await graph.invoke(input as never, thread)) as unknown as Waiting;
    const before = await graph.getState(thread);
    const resume = (value: unknown, config: object = thread) =>
      graph.invoke(new Command({ resume: value }) as never, config);
    return { ...one, request: asked.__interrupt__?.[0]?.value, resume, before };
  }

  test('parallel calls keep to the lanes and the cap', async () => {
    const many = refundCalls(...[1, 2, 3, 4].map((orderId) => JSON.stringify({ orderId })));
    const apart = await staged([many, done]);
    await graphOf(apart.own(), new MemorySaver()).invoke(input as never, thread);
    expect(apart.refunds).toHaveLength(4);
    expect(apart.most()).toBe(2);
    const same = refundCalls(...[101, 102, 103].map((orderId) => JSON.stringify({ orderId })));
    const together = await staged([same, done]);
    await graphOf(together.own(), new MemorySaver()).invoke(input as never, thread);
    expect(together.refunds).toEqual([101, 102, 103]);
    expect(together.most()).toBe(1);
  });

  test('a call that waits runs once it is approved, and once only, however often it is resumed', async () => {
    const { request, resume, before, refunds, codes } = await waiting([refundCalls(order), done]);
    expect(refunds).toEqual([]);
    expect(request?.arguments).toBe(order);
    await resume({ ...request, approved: true });
    expect(codes()).toEqual(['done']);
    await resume({ ...request, approved: true });
    await resume({ ...request, approved: true }, before.config);
    expect(codes()).toEqual(['already_done']);
    expect(refunds).toEqual([4512]);
  });

  test('an approval counts for the arguments that were seen', async () => {
    const other = await waiting([refundCalls('{"orderId":1}'), done]);
    const { resume, refunds, codes } = await waiting([refundCalls(order), done]);
    await resume({ ...other.request, approved: true });
    expect(codes()).toEqual(['approval_required']);
    expect(refunds).toEqual([]);
  });

  test('a denial is told as ours', async () => {
    const { request, resume, refunds, codes } = await waiting([refundCalls(order), done]);
    await resume({ ...request, approved: false, reason: 'too much' });
    expect(codes()).toEqual(['approval_denied']);
    expect(refunds).toEqual([]);
  });

  test('nobody is asked about a call that cannot run', async () => {
    const { request, codes } = await waiting([refundCalls('{"orderId":1,"orderId":2}'), done]);
    expect(request).toBeUndefined();
    expect(codes()).toEqual(['duplicate_key']);
  });

  test('a thread that goes on in another process runs by what the model wrote', async () => {
    const twice = '{"orderId":1,"orderId":2}';
    const first = await staged([refundCalls(twice), done]);
    const saver = new MemorySaver();
    const stop = { interruptBefore: ['tools'] } as never;
    await graphOf(first.own(), saver).invoke(input as never, { ...thread, ...(stop as object) });
    const second = await staged([done], first.ledger);
    await graphOf(second.own(), saver).invoke(null as never, thread);
    expect(second.codes()).toEqual(['duplicate_key']);
    expect(second.refunds).toEqual([]);
  });
});

describe('humanInTheLoopMiddleware', () => {
  async function reviewed(answers: readonly ScriptedAnswer[]) {
    const one = await staged(answers);
    const review = humanInTheLoopMiddleware({
      interruptOn: { refund_order: { allowedDecisions: ['approve', 'edit', 'reject'] } },
    } as never);
    const middleware = [review] as never;
    const { graph } = createAgent({ ...one.own(), middleware, checkpointer: new MemorySaver() });
    await graph.invoke(input as never, thread);
    const before = await graph.getState(thread);
    const decide = (decision: object, config: object = thread) =>
      graph.invoke(new Command({ resume: { decisions: [decision] } }) as never, config);
    return { ...one, decide, before };
  }

  test('what is approved twice has one effect', async () => {
    const { decide, before, refunds, codes } = await reviewed([refundCalls(order), done]);
    expect(refunds).toEqual([]);
    await decide({ type: 'approve' });
    expect(codes()).toEqual(['done']);
    await decide({ type: 'approve' }, before.config);
    expect(codes()).toEqual(['already_done']);
    expect(refunds).toEqual([4512]);
  });

  test('what is approved runs by the text that the model wrote', async () => {
    const { decide, refunds, codes } = await reviewed([
      refundCalls('{"orderId":1,"orderId":2}'),
      done,
    ]);
    await decide({ type: 'approve' });
    expect(codes()).toEqual(['duplicate_key']);
    expect(refunds).toEqual([]);
  });

  test('what is edited runs as it was edited, decoded like any call', async () => {
    const edit = (args: object) => ({ type: 'edit', editedAction: { name: 'refund_order', args } });
    const good = await reviewed([refundCalls('{"orderId":45'), done]);
    await good.decide(edit({ orderId: 45 }));
    expect(good.refunds).toEqual([45]);
    const bad = await reviewed([refundCalls(order), done]);
    await bad.decide(edit({ orderId: 'x' }));
    expect(bad.codes()).toEqual(['invalid_argument_shape']);
    expect(bad.refunds).toEqual([]);
  });

  test('what is rejected is told in the words of the reviewer', async () => {
    const { decide, server, refunds } = await reviewed([refundCalls(order), done]);
    await decide({ type: 'reject', message: 'Ask the customer first.' });
    expect(server.told()).toEqual(['Ask the customer first.']);
    expect(refunds).toEqual([]);
  });
});
