import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { desk, latch, Remote, refundTool, silent } from '../../test/support/refunds.ts';
import { blocked, createRuntime, failed, ok, type Runtime, tool } from '../index.ts';
import {
  type AgentOptions,
  type AgentRun,
  lastResults,
  type Message,
  type Model,
  memoryApprovals,
  type PlanEvent,
  planOf,
  reply,
  runAgent,
  type ScriptedTurn,
  scriptedModel,
  type Turn,
  toolCall,
  toolCalls,
} from './index.ts';

const refund = { orderId: 4512, amountCents: 2000 };
const callRefund = (args: object = refund): Turn =>
  toolCalls(toolCall('refund_order', JSON.stringify(args)));

function setUp(): { remote: Remote; runtime: Runtime } {
  const remote = new Remote();
  return { remote, runtime: desk([refundTool(remote)]).runtime };
}

function run(
  runtime: Runtime,
  script: readonly ScriptedTurn[] | Model,
  more: Partial<AgentOptions> = {},
): Promise<AgentRun> {
  const model = 'next' in script ? script : scriptedModel(script);
  return runAgent({ model, runtime, scope: 'conversation-1', user: 'Refund 4512.', ...more });
}

const roles = (messages: readonly Message[]): string[] => messages.map(({ role }) => role);

describe('a turn that goes well', () => {
  it('runs the call, gives the result back as rendered text, and ends with the reply', async () => {
    const { remote, runtime } = setUp();
    const { ending, text, plan, messages } = await run(runtime, [
      callRefund(),
      (conversation) => reply(`Billing says ${lastResults(conversation)[0]?.summary}`),
    ]);
    expect(ending).toEqual({ kind: 'replied' });
    expect(text).toBe('Billing says Refunded.');
    expect(remote.effects).toHaveLength(1);
    expect(roles(messages)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(plan.steps).toMatchObject([
      {
        id: '1.1',
        tool: 'refund_order',
        effect: 'write',
        status: 'completed',
        input: refund,
        result: { outcome: 'ok', summary: 'Refunded.' },
      },
    ]);
  });

  it('gives the conversation on to the next run', async () => {
    const { runtime } = setUp();
    const first = await run(runtime, [reply('Which order?')]);
    const { messages } = await run(runtime, [reply('Fine.')], {
      messages: first.messages,
      user: 'No, leave it.',
    });
    expect(roles(messages)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('runs the calls of one turn side by side, and keeps their order in what it tells', async () => {
    const { remote, runtime } = setUp();
    const both = latch();
    let running = 0;
    remote.behave = async (_key, commit) => {
      running += 1;
      if (running === 2) both.open();
      await both.opened;
      return { evidence: 'answered', value: commit() };
    };
    const { messages, plan } = await run(runtime, [
      toolCalls(
        toolCall('refund_order', { orderId: 1, amountCents: 1 }),
        toolCall('refund_order', { orderId: 2, amountCents: 1 }),
      ),
      reply('Both are done.'),
    ]);
    expect(plan.steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
    const calls = messages.flatMap((message) =>
      message.role === 'assistant' ? message.calls.map(({ id }) => id) : [],
    );
    const answers = messages.flatMap((message) =>
      message.role === 'tool' ? [message.callId] : [],
    );
    expect(answers).toEqual(calls);
  });

  it('shows the model the tools that there are', async () => {
    const { runtime } = setUp();
    let names: string[] = [];
    await run(runtime, [
      (_, { tools }) => {
        names = tools.map(({ name }) => name);
        return reply('Hello.');
      },
    ]);
    expect(names).toEqual(['refund_order', 'check_write']);
  });
});

describe('calls that are wrong', () => {
  it('go back to be repaired', async () => {
    const { remote, runtime } = setUp();
    const { ending, plan } = await run(runtime, [
      toolCalls(toolCall('refund_order', '{"orderId":"4512","amountCents":2000}')),
      (conversation) => {
        expect(lastResults(conversation)).toMatchObject([
          { outcome: 'failed', code: 'invalid_argument_shape' },
        ]);
        return callRefund();
      },
      reply('Done.'),
    ]);
    expect(ending.kind).toBe('replied');
    expect(plan.steps.map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect(plan.steps[0]).toMatchObject({ input: null, arguments: expect.any(String) });
    expect(remote.effects).toHaveLength(1);
  });

  it('end the turn when they go on being wrong, and it is told by its plan', async () => {
    const { remote, runtime } = setUp();
    const wrong: ScriptedTurn = () => toolCalls(toolCall('refund_order', '{"orderId":45'));
    const { ending, text, plan } = await run(runtime, [wrong, wrong, wrong, callRefund()]);
    expect(ending).toEqual({ kind: 'repeated_failures' });
    expect(plan.steps).toHaveLength(3);
    expect(text).toContain('It could not be done.');
    expect(text).toContain('refund_order:');
    expect(remote.effects).toHaveLength(0);
  });

  it('count anew after something has worked', async () => {
    const { runtime } = setUp();
    const wrong: ScriptedTurn = () => toolCalls(toolCall('cancel_order', '{}'));
    const right = (orderId: number): ScriptedTurn => callRefund({ orderId, amountCents: 1 });
    const { ending } = await run(
      runtime,
      [wrong, right(1), wrong, right(2), wrong, right(3), reply('Done.')],
      { maxRepeatedFailures: 2 },
    );
    expect(ending.kind).toBe('replied');
  });

  it('of a tool that does not exist leave a step without an effect', async () => {
    const { runtime } = setUp();
    const { plan } = await run(runtime, [
      toolCalls(toolCall('cancel_order', '{}')),
      reply('I cannot.'),
    ]);
    expect(plan.steps).toMatchObject([
      { tool: 'cancel_order', effect: null, status: 'failed', result: { code: 'unknown_tool' } },
    ]);
  });

  it('are not run past the number of calls of one turn', async () => {
    const { remote, runtime } = setUp();
    const calls = [1, 2, 3].map((orderId) => toolCall('refund_order', { orderId, amountCents: 1 }));
    const { plan } = await run(runtime, [toolCalls(...calls), reply('Two are done.')], {
      maxCalls: 2,
    });
    expect(remote.effects).toHaveLength(2);
    expect(plan.steps[2]).toMatchObject({ status: 'failed', result: { code: 'overloaded' } });
  });
});

describe('what else a model can produce', () => {
  it('a truncated turn runs nothing, not even its whole calls, and is told so', async () => {
    const { remote, runtime } = setUp();
    const half: Turn = {
      kind: 'truncated',
      text: 'I will refund',
      calls: [
        toolCall('refund_order', refund),
        { id: 'half', name: 'refund_order', arguments: '{"orderId":45' },
      ],
    };
    const { ending, messages, plan } = await run(runtime, [half, reply('Nothing was done.')]);
    expect(ending.kind).toBe('replied');
    expect(remote.effects).toHaveLength(0);
    expect(plan.steps).toEqual([]);
    expect(roles(messages)).toEqual(['user', 'assistant', 'notice', 'assistant']);
    expect(plan.notices[0]).toContain('cut off');
  });

  it.each([
    ['truncated', { kind: 'truncated' }],
    ['empty', { kind: 'empty' }],
    ['empty', { kind: 'reply', text: ' \n' }],
    ['empty', { kind: 'tool_calls', calls: [] }],
  ] as const)('time after time it ends as %s', async (kind, turn) => {
    const { runtime } = setUp();
    const { ending, text } = await run(runtime, [turn, turn, turn, reply('Too late.')]);
    expect(ending).toEqual({ kind });
    expect(text).not.toContain('Too late');
  });

  it('a refusal ends the turn with its reason', async () => {
    const { runtime } = setUp();
    const { ending, text } = await run(runtime, [{ kind: 'refused', reason: 'I may not.' }]);
    expect(ending).toEqual({ kind: 'refused' });
    expect(text).toBe('I may not.');
  });

  it('calls without a call are a reply', async () => {
    const { runtime } = setUp();
    const { text } = await run(runtime, [{ kind: 'tool_calls', calls: [], text: 'Hello.' }]);
    expect(text).toBe('Hello.');
  });

  it.each([
    undefined,
    null,
    'reply',
    { kind: 'shout' },
    { kind: 'tool_calls' },
    { kind: 'tool_calls', calls: [null] },
    { kind: 'tool_calls', calls: [{ id: 'a', name: 'refund_order', arguments: { orderId: 1 } }] },
  ])('%j is no turn: the model failed', async (turn) => {
    const { runtime } = setUp();
    const { ending, cause } = await run(runtime, { next: async () => turn as never });
    expect(ending).toEqual({ kind: 'model_failed' });
    expect(cause).toBeInstanceOf(TypeError);
  });

  it('an exception of its adapter is for the host alone', async () => {
    const { runtime } = setUp();
    const broken: Model = {
      next: () => Promise.reject(new Error('401 for key sk-secret')),
    };
    const done = await run(runtime, broken);
    expect(done.ending).toEqual({ kind: 'model_failed' });
    expect(String(done.cause)).toContain('sk-secret');
    const { cause: _, ...seen } = done;
    expect(JSON.stringify(seen)).not.toContain('sk-secret');
  });

  it('a model that never answers is given up, also where it ignores its signal', async () => {
    const { runtime } = setUp();
    const { ending } = await run(
      runtime,
      { next: () => new Promise(() => undefined) },
      {
        modelMs: 5,
      },
    );
    expect(ending).toEqual({ kind: 'model_failed' });
  });

  it('a model that goes on calling meets the bound on turns', async () => {
    const { remote, runtime } = setUp();
    let orderId = 0;
    const eager: Model = {
      next: async () => {
        orderId += 1;
        return callRefund({ orderId, amountCents: 1 });
      },
    };
    const { ending, text } = await run(runtime, eager, { maxTurns: 4 });
    expect(ending).toEqual({ kind: 'too_many_turns' });
    expect(remote.effects).toHaveLength(4);
    expect(text.match(/refund_order: Refunded\./g)).toHaveLength(4);
  });
});

describe('what the turn says', () => {
  const say = tool({
    name: 'say',
    description: 'Answers as it is told.',
    effect: 'read',
    input: z.object({ how: z.enum(['failed', 'blocked', 'ok']), ticketId: z.string() }),
    askUser: ['ticketId'],
    run: ({ how }) => {
      if (how === 'blocked') return blocked('Billing evidence is missing.');
      return how === 'failed' ? failed('too_old', 'The ticket is too old.') : ok('Said.');
    },
  });
  const runtime = createRuntime({ tools: [say], logger: silent }) as unknown as Runtime;

  it('is the words of the model where it has some, with the open question beside them', async () => {
    const { text, clarification, plan } = await run(runtime, [
      toolCalls(toolCall('say', { how: 'ok' })),
      reply('Which ticket is it?'),
    ]);
    expect(text).toBe('Which ticket is it?');
    expect(clarification).toMatchObject({ parameterName: 'ticketId' });
    expect(plan.steps[0]?.status).toBe('needs_clarification');
  });

  it('has no open question once the model got on without', async () => {
    const { clarification } = await run(runtime, [
      toolCalls(toolCall('say', { how: 'ok' })),
      toolCalls(toolCall('say', { how: 'ok', ticketId: 'TCK-1' })),
      reply('Done.'),
    ]);
    expect(clarification).toBeUndefined();
  });

  it('is the question itself where the model never speaks', async () => {
    const ask: ScriptedTurn = () => toolCalls(toolCall('say', { how: 'ok' }));
    const { text } = await run(runtime, [ask, ask, ask]);
    expect(text).toContain('ticketId');
    expect(text).toContain('?');
  });

  it.each([
    ['failed', 'The ticket is too old.'],
    ['blocked', 'Billing evidence is missing.'],
  ])('names what %s where the model never speaks', async (how, summary) => {
    const call: ScriptedTurn = () => toolCalls(toolCall('say', { how, ticketId: 'TCK-1' }));
    const { text, plan } = await run(runtime, [call, call, call]);
    expect(text).toContain(summary);
    expect(plan.steps[0]?.status).toBe(how);
  });

  it('tells of every write though the model fails after it', async () => {
    const { runtime: refunds } = setUp();
    const { text } = await run(refunds, [callRefund()]);
    expect(text).toBe('The assistant could not be reached.\nrefund_order: Refunded.');
  });

  it('is what the reply check makes of it, also in the conversation', async () => {
    const { runtime: refunds } = setUp();
    const { text, messages } = await run(refunds, [reply('I refunded it.')], {
      checkReply: (said, { scope, plan }) => ({
        reply: `${scope}: ${said} (${plan.steps.length} steps)`,
        findings: [],
      }),
    });
    expect(text).toBe('conversation-1: I refunded it. (0 steps)');
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', text });
  });

  it('is held against the record of the runtime where nothing else is said', async () => {
    const { remote, runtime: refunds } = setUp();
    remote.behave = async () => ({ evidence: 'none', accepted: false, reason: 'no answer' });
    const claim = 'I have refunded 20.00 on order 4512.';
    const { text, findings, plan, messages } = await run(refunds, [callRefund(), reply(claim)]);
    expect(text).not.toContain('have refunded');
    expect(findings).toMatchObject([{ code: 'not_proven', tool: 'refund_order' }]);
    expect(plan).toMatchObject({ text, findings });
    expect(JSON.stringify(messages)).not.toContain('have refunded');
    const unchecked = await run(refunds, [reply(claim)], { checkReply: false });
    expect(unchecked.text).toBe(claim);
  });

  it('is the plan where the reply check fails: unchecked words are not shown', async () => {
    const { runtime: refunds } = setUp();
    const { text, cause } = await run(refunds, [callRefund(), reply('I refunded 9,999.')], {
      checkReply: () => Promise.reject(new Error('the ledger is away')),
    });
    expect(text).toBe('This is what came of it.\nrefund_order: Refunded.');
    expect(String(cause)).toContain('the ledger is away');
  });
});

describe('the user leaves', () => {
  it('before anything: the model is not asked', async () => {
    const { runtime } = setUp();
    const { ending } = await run(runtime, [], { signal: AbortSignal.abort() });
    expect(ending).toEqual({ kind: 'cancelled' });
  });

  it('while the model thinks', async () => {
    const { runtime } = setUp();
    const leave = new AbortController();
    const { ending, cause } = await run(
      runtime,
      {
        next: () => {
          leave.abort();
          return new Promise(() => undefined);
        },
      },
      { signal: leave.signal },
    );
    expect(ending).toEqual({ kind: 'cancelled' });
    expect(cause).toBeUndefined();
  });

  it('while a write is on its way: its answer is waited for and told', async () => {
    const { remote, runtime } = setUp();
    const leave = new AbortController();
    remote.behave = async (_key, commit) => {
      leave.abort();
      return { evidence: 'answered', value: commit() };
    };
    const { ending, plan, text } = await run(runtime, [callRefund(), reply('Not reached.')], {
      signal: leave.signal,
    });
    expect(ending).toEqual({ kind: 'cancelled' });
    expect(plan.steps[0]?.status).toBe('completed');
    expect(text).toBe('It was stopped.\nrefund_order: Refunded.');
  });
});

describe('the turn of the user', () => {
  const repeatable = (remote: Remote) => desk([refundTool(remote, { repeat: true })]).runtime;
  const again = { ...refund, occurrence: 2 };

  it('allows a wanted repeat only in a later turn', async () => {
    const remote = new Remote();
    const runtime = repeatable(remote);
    const first = await run(runtime, [callRefund(), callRefund(again), reply('Once.')], {
      turn: 'message-1',
    });
    expect(first.plan.steps[1]).toMatchObject({ result: { code: 'repeat_not_allowed' } });
    expect(remote.effects).toHaveLength(1);
    await run(runtime, [callRefund(again), reply('Twice.')], { turn: 'message-2' });
    expect(remote.effects).toHaveLength(2);
  });

  it('is none where nobody said anything, so that nothing is repeated', async () => {
    const remote = new Remote();
    const runtime = repeatable(remote);
    await run(runtime, [callRefund(), reply('Once.')]);
    const { plan } = await runAgent({
      model: scriptedModel([callRefund(again), reply('No.')]),
      runtime,
      scope: 'conversation-1',
    });
    expect(plan.turn).toBeNull();
    expect(plan.steps[0]).toMatchObject({ result: { code: 'repeat_not_allowed' } });
    expect(remote.effects).toHaveLength(1);
  });
});

describe('approval', () => {
  const needed = () => true;

  it('holds the call, sends nothing, and ends the turn with what is pending', async () => {
    const { remote, runtime } = setUp();
    const { ending, text, plan, messages } = await run(
      runtime,
      [callRefund({ amountCents: 2000, orderId: 4512 }), reply('Not reached.')],
      { approval: { approvals: memoryApprovals(), needed } },
    );
    expect(ending).toMatchObject({
      kind: 'approval_required',
      pending: [
        {
          tool: 'refund_order',
          scope: 'conversation-1',
          arguments: '{"amountCents":2000,"orderId":4512}',
        },
      ],
    });
    expect(text).toBe('Waiting for approval: refund_order {"amountCents":2000,"orderId":4512}');
    expect(plan.steps).toMatchObject([{ status: 'approval_required', input: refund }]);
    expect(lastResults(messages.slice(0, -1))).toMatchObject([{ code: 'approval_required' }]);
    expect(remote.effects).toHaveLength(0);
    expect(await runtime.entries({})).toEqual([]);
  });

  it('lets the other calls of the turn run', async () => {
    const { remote, runtime } = setUp();
    const { ending, plan } = await run(
      runtime,
      [
        toolCalls(
          toolCall('refund_order', { orderId: 1, amountCents: 9000 }),
          toolCall('refund_order', { orderId: 2, amountCents: 10 }),
        ),
      ],
      {
        approval: {
          approvals: memoryApprovals(),
          needed: ({ args }) => Number(args.amountCents) > 5000,
        },
      },
    );
    expect(ending.kind).toBe('approval_required');
    expect(plan.steps.map(({ status }) => status)).toEqual(['approval_required', 'completed']);
    expect(remote.effects).toHaveLength(1);
  });

  async function held(approvals = memoryApprovals()) {
    const { remote, runtime } = setUp();
    const approval = { approvals, needed };
    const first = await run(runtime, [callRefund()], { approval });
    if (first.ending.kind !== 'approval_required') throw new Error('nothing is pending');
    const [action] = first.ending.pending;
    if (action === undefined) throw new Error('nothing is pending');
    return { remote, runtime, approval, first, action };
  }

  it('granted, runs exactly what was held, once, and the model goes on from its result', async () => {
    const { remote, runtime, approval, first, action } = await held();
    const decisions = [{ id: action.id, verdict: 'granted' }] as const;
    const more = { approval, decisions, messages: first.messages };
    const second = await runAgent({
      model: scriptedModel([
        (conversation) => {
          expect(conversation.at(-1)).toMatchObject({
            role: 'notice',
            text: expect.stringContaining('"outcome":"ok"'),
          });
          return reply('It is refunded.');
        },
      ]),
      runtime,
      scope: 'conversation-1',
      ...more,
    });
    expect(second.plan.steps).toMatchObject([
      { id: '0.1', status: 'completed', arguments: action.arguments, input: refund },
    ]);
    expect(second.ending.kind).toBe('replied');
    expect(remote.effects).toHaveLength(1);

    const third = await runAgent({
      model: scriptedModel([reply('Nothing more.')]),
      runtime,
      scope: 'conversation-1',
      ...more,
    });
    expect(third.plan.steps).toEqual([]);
    expect(third.plan.notices[0]).toContain('not pending');
    expect(remote.effects).toHaveLength(1);
  });

  it('granted twice at the same moment, runs once', async () => {
    const { remote, runtime, approval, action } = await held();
    const decisions = [
      { id: action.id, verdict: 'granted' },
      { id: action.id, verdict: 'granted' },
    ] as const;
    const { plan } = await run(runtime, [reply('Done.')], { approval, decisions });
    expect(plan.steps).toHaveLength(1);
    expect(remote.effects).toHaveLength(1);
  });

  it('denied, runs nothing and tells the model so', async () => {
    const { remote, runtime, approval, action } = await held();
    const { plan } = await run(runtime, [reply('It was not approved.')], {
      approval,
      decisions: [{ id: action.id, verdict: 'denied' }],
    });
    expect(plan.steps).toMatchObject([{ status: 'failed', result: { code: 'approval_denied' } }]);
    expect(plan.notices[0]).toContain('refused');
    expect(remote.effects).toHaveLength(0);
  });

  it('granted for other arguments than were held, runs nothing', async () => {
    const store = memoryApprovals();
    const { remote, runtime, action } = await held(store);
    const forged = {
      approvals: {
        ...store,
        take: async () => ({ ...action, arguments: '{"amountCents":999900,"orderId":4512}' }),
      },
      needed,
    };
    const { plan } = await run(runtime, [reply('No.')], {
      approval: forged,
      decisions: [{ id: action.id, verdict: 'granted' }],
    });
    expect(plan.steps).toEqual([]);
    expect(remote.effects).toHaveLength(0);
  });

  it('is not taken by a run that was cancelled before it began', async () => {
    const { remote, runtime, approval, action } = await held();
    const decisions = [{ id: action.id, verdict: 'granted' }] as const;
    const signal = AbortSignal.abort();
    const left = await run(runtime, [], { approval, decisions, signal });
    expect(left.ending).toEqual({ kind: 'cancelled' });
    expect(remote.effects).toHaveLength(0);
    await run(runtime, [reply('Done.')], { approval, decisions });
    expect(remote.effects).toHaveLength(1);
  });

  it('of another conversation is not one of this, even from a store that hands it out', async () => {
    const { remote, runtime, action } = await held();
    const careless = { ...memoryApprovals(), take: async () => action };
    const { plan } = await runAgent({
      model: scriptedModel([reply('No.')]),
      runtime,
      scope: 'conversation-2',
      approval: { approvals: careless, needed },
      decisions: [{ id: action.id, verdict: 'granted' }],
    });
    expect(plan.steps).toEqual([]);
    expect(remote.effects).toHaveLength(0);
  });

  it('of another conversation is not one of this', async () => {
    const { remote, runtime, approval, action } = await held();
    const { plan } = await runAgent({
      model: scriptedModel([reply('No.')]),
      runtime,
      scope: 'conversation-2',
      approval,
      decisions: [{ id: action.id, verdict: 'granted' }],
    });
    expect(plan.steps).toEqual([]);
    expect(remote.effects).toHaveLength(0);
  });

  it('is asked once for two identical calls, however they are written', async () => {
    const { runtime } = setUp();
    const { ending, plan } = await run(
      runtime,
      [
        toolCalls(
          toolCall('refund_order', '{"orderId":4512,"amountCents":2000}'),
          toolCall('refund_order', '{ "amountCents": 2e3, "orderId": 4512 }'),
        ),
      ],
      { approval: { approvals: memoryApprovals(), needed } },
    );
    expect(ending.kind === 'approval_required' && ending.pending).toHaveLength(1);
    expect(plan.steps).toHaveLength(2);
  });

  it('keeps the ordinal of a repeat', async () => {
    const remote = new Remote();
    const { runtime } = desk([refundTool(remote, { repeat: true })]);
    const { ending } = await run(runtime, [callRefund({ ...refund, occurrence: 2 })], {
      approval: { approvals: memoryApprovals(), needed },
    });
    expect(ending).toMatchObject({
      pending: [{ arguments: '{"amountCents":2000,"occurrence":2,"orderId":4512}' }],
    });
  });

  it('that cannot be asked for lets nothing run', async () => {
    const { remote, runtime } = setUp();
    const { plan, ending } = await run(runtime, [callRefund(), reply('It did not work.')], {
      approval: {
        approvals: memoryApprovals(),
        needed: () => {
          throw new Error('the rules are away');
        },
      },
    });
    expect(plan.steps).toMatchObject([{ status: 'failed', result: { code: 'tool_failed' } }]);
    expect(ending.kind).toBe('replied');
    expect(remote.effects).toHaveLength(0);
  });
});

describe('events', () => {
  it('lead to the plan, whole or replayed with an overlap after a break', async () => {
    const { runtime } = setUp();
    const events: PlanEvent[] = [];
    const { plan } = await run(
      runtime,
      [
        toolCalls(toolCall('refund_order', '{"orderId":45')),
        { kind: 'truncated' },
        toolCalls(toolCall('refund_order', refund), toolCall('refund_order', refund)),
        reply('Done.'),
      ],
      { onEvent: (event) => events.push(event) },
    );
    const sent: PlanEvent[] = JSON.parse(JSON.stringify(events));
    expect(planOf(sent)).toEqual(plan);
    for (let cut = 0; cut <= sent.length; cut += 1) {
      const replayed = [...sent.slice(0, cut), ...sent.slice(Math.max(0, cut - 3))];
      expect(planOf(replayed)).toEqual(plan);
    }
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  });

  it('come while it runs, in the order of what happens', async () => {
    const { remote, runtime } = setUp();
    const types: string[] = [];
    remote.behave = async (_key, commit) => {
      types.push('sent');
      return { evidence: 'answered', value: commit() };
    };
    await run(runtime, [callRefund(), reply('Done.')], {
      onEvent: ({ type }) => types.push(type),
    });
    expect(types).toEqual([
      'turn_started',
      'step_added',
      'step_started',
      'sent',
      'step_ended',
      'turn_ended',
    ]);
  });

  it('harm nobody where a listener throws', async () => {
    const { remote, runtime } = setUp();
    const { ending } = await run(runtime, [callRefund(), reply('Done.')], {
      onEvent: () => {
        throw new Error('the socket is gone');
      },
    });
    expect(ending.kind).toBe('replied');
    expect(remote.effects).toHaveLength(1);
  });
});

describe('options', () => {
  it.each(['maxTurns', 'maxRepeatedFailures', 'maxCalls', 'modelMs'] as const)(
    '%s must be a positive number',
    async (name) => {
      const { runtime } = setUp();
      await expect(run(runtime, [], { [name]: 0 })).rejects.toThrow(name);
      await expect(run(runtime, [], { [name]: Number.NaN })).rejects.toThrow(name);
    },
  );

  it('decisions need to know where actions are pending', async () => {
    const { runtime } = setUp();
    const decisions = [{ id: 'a', verdict: 'granted' }] as const;
    await expect(run(runtime, [], { decisions })).rejects.toThrow('approval');
  });
});
