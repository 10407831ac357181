import { Agent, tool as agentTool, MemorySession, RunState } from '@openai/agents';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answered, createRuntime, memoryLedger, ok, type Runtime, tool } from '../../src/index.ts';
import { type AgentsOptions, type ForAgents, forAgents } from '../../src/openai-agents/index.ts';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { type ChatServer, chatServer } from './chat-server.ts';
import { countedRefunds, refunds } from './counted-refunds.ts';
import { chatModel, responsesModel, runner } from './openai-agents-harness.ts';
import { type ResponsesServer, responsesServer } from './responses-server.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Stage {
  readonly runtime: Runtime;
  readonly server: ChatServer;
  readonly ranWith: unknown[];
  most(): number;
  own(options: Partial<AgentsOptions>): ForAgents;
}

async function stage(answers: readonly ScriptedAnswer[]): Promise<Stage> {
  const { refund, ranWith, most } = countedRefunds();
  const runtime = createRuntime({ tools: [refund], ledger: memoryLedger(), maxConcurrent: 2 });
  const server = await chatServer(answers);
  open.push(runtime, server);
  return {
    runtime: runtime as unknown as Runtime,
    server,
    ranWith,
    most,
    own: (options) =>
      forAgents(runtime as unknown as Runtime, { model: chatModel(server.baseURL), ...options }),
  };
}

function agentOf({ model, tools }: ForAgents): Agent {
  return new Agent({ name: 'Support', model, tools });
}

const done: ScriptedAnswer = { text: 'That is all.' };
const codes = ({ told }: { told(): readonly string[] }): readonly string[] =>
  told().map((text) => JSON.parse(text).code);

describe('forAgents', () => {
  test('calls side by side obey the lane of what they write to', async () => {
    const { own, server, ranWith, most } = await stage([
      refunds('{"orderId":1,"part":1}', '{"orderId":1,"part":2}', '{"orderId":1,"part":3}'),
      done,
    ]);
    const agents = own({ scope: 's' });
    await runner.run(agentOf(agents), 'Go on.', agents.runOptions);
    expect(codes(server)).toEqual(['done', 'done', 'done']);
    expect(ranWith).toEqual([1, 2, 3].map((part) => ({ orderId: 1, part })));
    expect(most()).toBe(1);
  });

  test('calls side by side obey the cap, in other lanes too', async () => {
    const texts = [1, 2, 3, 4, 5].map((orderId) => JSON.stringify({ orderId }));
    const { own, server, most } = await stage([refunds(...texts), done]);
    const agents = own({ scope: 's' });
    await runner.run(agentOf(agents), 'Go on.', agents.runOptions);
    expect(codes(server)).toEqual(Array(5).fill('done'));
    expect(most()).toBe(2);
  });

  test('the scope is the session of the runs', async () => {
    const { own, server, ranWith } = await stage([
      refunds('{"orderId":1}'),
      done,
      refunds('{"orderId":1}'),
      done,
      refunds('{"orderId":1}'),
      done,
    ]);
    for (const sessionId of ['a', 'a', 'b']) {
      const agents = own({ session: new MemorySession({ sessionId }) });
      await runner.run(agentOf(agents), 'Go on.', agents.runOptions);
    }
    expect(ranWith).toHaveLength(2);
    expect(codes(server)).toEqual(['done']);
  });

  test('the scope is the conversation of the runs, where there is one', async () => {
    const { runtime, ranWith } = await stage([]);
    const server: ResponsesServer = await responsesServer([
      refunds('{"orderId":1}'),
      done,
      refunds('{"orderId":1}'),
      done,
    ]);
    open.push(server);
    for (const conversationId of ['conv_1', 'conv_1']) {
      const model = responsesModel(server.baseURL);
      const agents = forAgents(runtime, { model, conversationId });
      await runner.run(agentOf(agents), 'Go on.', agents.runOptions);
      expect(server.requests.at(-1)?.conversation).toBe('conv_1');
    }
    expect(ranWith).toHaveLength(1);
  });

  test('the context of a run reaches the tools', async () => {
    const seen: unknown[] = [];
    const whoami = tool({
      name: 'whoami',
      description: 'Who is asking.',
      input: z.object({}),
      effect: 'read',
      run: (_, { context }) => {
        seen.push(context);
        return ok('You.');
      },
    });
    const runtime = createRuntime({ tools: [whoami] });
    const server = await chatServer([
      { calls: [{ id: 'call_1', name: 'whoami', arguments: '' }] },
      done,
    ]);
    open.push(runtime, server);
    const agents = forAgents(runtime, { model: chatModel(server.baseURL), scope: 's' });
    const context = { customer: 7 };
    await runner.run(agentOf(agents), 'Go on.', { ...agents.runOptions, context });
    expect(seen).toEqual([context]);
  });

  test('a call that the SDK gave up is told by what it came to, or as what may have happened', async () => {
    const { own, server, ranWith } = await stage([refunds('{"orderId":1}'), done]);
    const agents = own({ scope: 's' });
    const agent = agentOf(agents);
    const first = await runner.run(agent, 'Go on.', agents.runOptions);
    const [told] = server.told();
    // As the SDK itself leaves a call behind that it has aborted.
    const given = first.history.map((item) =>
      item.type === 'function_call_result'
        ? {
            ...item,
            status: 'incomplete' as const,
            output: { type: 'text' as const, text: 'aborted' },
          }
        : item,
    );
    await runner.run(agent, given, agents.runOptions);
    expect(server.told()).toEqual([told]);
    const others = own({ scope: 's' });
    await runner.run(agentOf(others), given, others.runOptions);
    expect(codes(server)).toEqual(['sent_no_answer']);
    expect(ranWith).toHaveLength(1);
  });

  test('a call that the SDK gave up is not told by an earlier one of the same id', async () => {
    let [dispatched, release] = [() => {}, () => {}];
    const isDispatched = new Promise<void>((resolve) => {
      dispatched = resolve;
    });
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = tool({
      name: 'refund_order',
      description: 'Refund an order.',
      input: z.object({ orderId: z.int() }),
      effect: 'write',
      async run({ orderId }, ctx) {
        await ctx.dispatch(async () => {
          dispatched();
          await isReleased;
          return answered(orderId);
        });
        return ok('Refunded.');
      },
    });
    const runtime = createRuntime({ tools: [slow], ledger: memoryLedger() });
    const server = await chatServer([refunds('{'), done, refunds('{"orderId":1}'), done]);
    open.push(runtime, server);
    const agents = forAgents(runtime, { model: chatModel(server.baseURL), scope: 's' });
    const agent = agentOf(agents);
    const first = await runner.run(agent, 'Go on.', agents.runOptions);
    const again = [...first.history, { role: 'user' as const, content: 'Again.' }];
    const pending = runner.run(agent, again, agents.runOptions);
    await isDispatched;
    const call = { name: 'refund_order', callId: 'call_0' };
    const given = [
      ...again,
      { type: 'function_call' as const, ...call, arguments: '{"orderId":1}' },
      {
        type: 'function_call_result' as const,
        ...call,
        status: 'incomplete' as const,
        output: { type: 'text' as const, text: 'aborted' },
      },
    ];
    await runner.run(agent, given, agents.runOptions);
    expect(codes(server)).toEqual(['sent_no_answer']);
    release();
    await pending;
  });

  test('the host’s own tools stand beside these', async () => {
    const mine = agentTool({
      name: 'mine',
      description: 'Mine.',
      parameters: z.object({ n: z.number() }),
      execute: ({ n }) => `Mine ${n}.`,
    });
    const call = { id: 'call_9', name: 'mine', arguments: '{"n":1}' };
    const { own, server } = await stage([{ calls: [call] }, done]);
    const agents = own({ scope: 's' });
    const agent = agentOf(agents).clone({ tools: [...agents.tools, mine] });
    await runner.run(agent, 'Go on.', agents.runOptions);
    expect(server.told()).toEqual(['Mine 1.']);
  });

  test('nothing of an answer that is corrected is streamed, in no kind of event', async () => {
    const { own } = await stage([{ text: 'I have refunded order 4512.' }]);
    const agents = own({ scope: 's', checkReply: true });
    const options = { ...agents.runOptions, stream: true as const };
    const result = await runner.run(agentOf(agents), 'Go on.', options);
    let deltas = '';
    const events: unknown[] = [];
    for await (const event of result) {
      events.push(event);
      if (event.type !== 'raw_model_stream_event') continue;
      if (event.data.type === 'output_text_delta') deltas += event.data.delta;
    }
    await result.completed;
    expect(JSON.stringify(events)).not.toMatch(/I have ref/);
    expect(result.finalOutput).toBe(deltas);
  });

  test('refuses what is no model, and runs without a scope', async () => {
    const { own } = await stage([done]);
    expect(() => own({ scope: 's', model: {} as never })).toThrow(/forAgents: model/);
    expect(() => own({})).toThrow(/no scope is known/);
    expect(() => own({ scope: '' })).toThrow(/no scope is known/);
  });
});

describe('approvals of the Agents SDK', () => {
  const needsApproval = (): boolean => true;

  async function asked(text: string) {
    const staged = await stage([refunds(text), done, done, done]);
    const agents = staged.own({ scope: 's', needsApproval });
    const agent = agentOf(agents);
    const { runOptions } = agents;
    const first = await runner.run(agent, 'Refund it.', runOptions);
    const written = first.state.toString();
    const resume = async (approve: boolean, state = written): Promise<void> => {
      const restored = await RunState.fromString(agent, state);
      for (const one of restored.getInterruptions()) {
        if (approve) restored.approve(one);
        else restored.reject(one);
      }
      await runner.run(agent, restored, runOptions);
    };
    return { ...staged, agent, first, written, resume, runOptions };
  }

  test('a call approved twice has one effect', async () => {
    const { first, agent, runOptions, server, ranWith } = await asked('{"orderId":1}');
    const [interruption] = first.interruptions;
    if (interruption === undefined) throw new Error('nobody was asked');
    expect(ranWith).toEqual([]);
    first.state.approve(interruption);
    first.state.approve(interruption);
    await runner.run(agent, first.state, runOptions);
    expect(codes(server)).toEqual(['done']);
    expect(ranWith).toEqual([{ orderId: 1 }]);
  });

  test('a state resumed twice has one effect', async () => {
    const { resume, server, ranWith } = await asked('{"orderId":1}');
    await resume(true);
    expect(codes(server)).toEqual(['done']);
    await resume(true);
    expect(codes(server)).toEqual(['already_done']);
    expect(ranWith).toEqual([{ orderId: 1 }]);
  });

  test('other arguments than the model wrote are not approved', async () => {
    const { resume, written, server, ranWith } = await asked('{"orderId":4512}');
    await resume(true, written.replaceAll('4512', '9999'));
    expect(codes(server)).toEqual(['approval_required']);
    expect(ranWith).toEqual([]);
  });

  test('a denial is told as ours', async () => {
    const { resume, server, ranWith } = await asked('{"orderId":1}');
    await resume(false);
    expect(codes(server)).toEqual(['approval_denied']);
    expect(ranWith).toEqual([]);
  });

  test.each([
    ['{"orderId":1,"orderId":2}', 'duplicate_key'],
    ['{"orderId":', 'invalid_json'],
  ])('nobody is asked about %s', async (text, code) => {
    const { first, server } = await asked(text);
    expect(first.interruptions).toEqual([]);
    expect(codes(server)).toEqual([code]);
  });
});
