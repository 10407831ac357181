import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRuntime, memoryLedger, ok, type Runtime, tool } from '../../src/index.ts';
import { forChat, forResponses } from '../../src/openai/index.ts';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { type ChatServer, chatServer } from './chat-server.ts';
import { countedRefunds, refunds } from './counted-refunds.ts';
import { openAI } from './openai-chat-harness.ts';
import { type ResponsesServer, responsesServer } from './responses-server.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Desk {
  readonly runtime: Runtime;
  readonly ranWith: unknown[];
  /** The most refunds that ran at the same time. */
  most(): number;
}

function desk(maxConcurrent = 16): Desk {
  const { refund, ranWith, most } = countedRefunds();
  const free = tool({
    name: 'tag_order',
    description: 'Tag an order.',
    input: z.object({ tags: z.record(z.string(), z.string()) }),
    effect: 'read',
    run: () => ok('Tagged.'),
  });
  const runtime = createRuntime({
    tools: [refund, free],
    ledger: memoryLedger(),
    maxConcurrent,
    checkWrite: false,
  });
  open.push(runtime);
  return { runtime: runtime as unknown as Runtime, ranWith, most };
}

async function chat(answers: readonly ScriptedAnswer[]): Promise<ChatServer> {
  const server = await chatServer(answers);
  open.push(server);
  return server;
}

async function responses(answers: readonly ScriptedAnswer[]): Promise<ResponsesServer> {
  const server = await responsesServer(answers);
  open.push(server);
  return server;
}

const done: ScriptedAnswer = { text: 'That is all.' };
const prompt = { role: 'user' as const, content: 'Go on.' };
const codes = ({ told }: { told(): readonly string[] }): readonly string[] =>
  told().map((text) => JSON.parse(text).code);

describe('forChat', () => {
  const asked = { model: 'scripted', messages: [prompt] };

  test('calls side by side obey the lane of what they write to', async () => {
    const { runtime, ranWith, most } = desk();
    const server = await chat([
      refunds('{"orderId":1,"part":1}', '{"orderId":1,"part":2}', '{"orderId":1,"part":3}'),
      done,
    ]);
    const { client, tools } = forChat(runtime, {
      client: openAI('openai 7', server.baseURL),
      scope: 's',
    });
    await client.chat.completions.runTools({ ...asked, tools }).done();
    expect(codes(server)).toEqual(['done', 'done', 'done']);
    expect(ranWith).toEqual([1, 2, 3].map((part) => ({ orderId: 1, part })));
    expect(most()).toBe(1);
  });

  test('calls side by side obey the cap, in other lanes too', async () => {
    const { runtime, most } = desk(2);
    const texts = [1, 2, 3, 4, 5].map((orderId) => JSON.stringify({ orderId }));
    const server = await chat([refunds(...texts), done]);
    const { client, tools } = forChat(runtime, {
      client: openAI('openai 7', server.baseURL),
      scope: 's',
    });
    await client.chat.completions.runTools({ ...asked, tools }).done();
    expect(codes(server)).toEqual(Array(5).fill('done'));
    expect(most()).toBe(2);
  });

  test('strict mode is said on the wire, where a tool has such a form, and taken back', async () => {
    const { runtime, ranWith } = desk();
    const server = await chat([refunds('{"orderId":1,"part":null}'), done]);
    const client = openAI('openai 7', server.baseURL);
    const own = forChat(runtime, { client, scope: 's', strict: true });
    await own.client.chat.completions.runTools({ ...asked, tools: own.tools }).done();
    const { tools } = server.requests[0] as never as {
      tools: { function: { name: string; strict?: boolean; parameters: { required: string[] } } }[];
    };
    expect(tools.map(({ function: { name, strict } }) => [name, strict])).toEqual([
      ['refund_order', true],
      ['tag_order', undefined],
    ]);
    expect(tools[0]?.function.parameters.required).toEqual(['orderId', 'part']);
    expect(ranWith).toEqual([{ orderId: 1 }]);
  });

  test('leaves the calls of the host’s own tools to the host', async () => {
    const { runtime } = desk();
    const mine = { id: 'call_9', name: 'mine', arguments: '{"n":' };
    const cut = { ...refunds('{"orderId":1}'), isCut: true };
    const server = await chat([{ ...cut, calls: [...(cut.calls ?? []), mine] }, done]);
    const client = openAI('openai 7', server.baseURL);
    const own = forChat(runtime, { client, scope: 's' });
    const tools = [...own.tools, { type: 'function' as const, function: { name: 'mine' } }];
    const { choices } = await own.client.chat.completions.create({ ...asked, tools });
    expect(choices[0]?.finish_reason).toBe('length');
    const message = choices[0]?.message ?? {};
    const told = await own.answer(message);
    expect(told.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_0']);
    const host = { role: 'tool' as const, tool_call_id: 'call_9', content: 'Mine.' };
    const messages = [prompt, message as OpenAI.ChatCompletionMessage, ...told, host];
    await own.client.chat.completions.create({ ...asked, messages, tools });
    expect(server.told()[1]).toBe('Mine.');
  });

  test.each([false, true])('calls under one id stand apart, streaming: %s', async (stream) => {
    const { runtime } = desk();
    const twice = refunds('{"orderId":1}', '{"orderId":2}').calls ?? [];
    const calls = twice.map((call) => ({ ...call, id: 'call_1' }));
    const server = await chat([{ calls }, done]);
    const client = openAI('openai 7', server.baseURL);
    const own = forChat(runtime, { client, scope: 's' });
    const { tools } = own;
    await own.client.chat.completions.runTools({ ...asked, tools, stream: stream as true }).done();
    const ids = server.requests.at(-1)?.messages.flatMap(({ tool_call_id: id }) => id ?? []);
    expect(ids).toEqual(['call_1', 'call_1_2']);
  });

  test('an answer that is an error stays one', async () => {
    const { runtime } = desk();
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: 'http://127.0.0.1/v1',
      maxRetries: 0,
      fetch: async () => Response.json({ error: { message: 'too many' } }, { status: 429 }),
    });
    const own = forChat(runtime, { client, scope: 's', checkReply: true });
    await expect(own.client.chat.completions.create(asked)).rejects.toThrow('429 too many');
  });

  test('refuses what is no client', () => {
    expect(() => forChat(desk().runtime, { client: 'gpt' as never, scope: 's' })).toThrow(
      /forChat: client/,
    );
  });
});

describe('forResponses', () => {
  const asked = { model: 'scripted', input: [prompt] };

  test('the scope is the conversation of the request, whoever asks', async () => {
    const { runtime, ranWith } = desk();
    const server = await responses([refunds('{"orderId":1}')]);
    const results: string[] = [];
    for (const conversation of ['conv_1', { id: 'conv_1' }, 'conv_2']) {
      const client = openAI('openai 7', server.baseURL);
      const own = forResponses(runtime, { client });
      const { tools } = own;
      const response = await own.client.responses.create({ ...asked, conversation, tools });
      const [told] = await own.answer(response);
      results.push(JSON.parse(String(told?.output)).code);
    }
    expect(results).toEqual(['done', 'already_done', 'done']);
    expect(ranWith).toHaveLength(2);
  });

  test('without a scope nothing runs', async () => {
    const { runtime, ranWith } = desk();
    const server = await responses([refunds('{"orderId":1}')]);
    const client = openAI('openai 7', server.baseURL);
    const own = forResponses(runtime, { client });
    const response = await own.client.responses.create({ ...asked, tools: own.tools });
    await expect(own.answer(response)).rejects.toThrow(/no scope is known/);
    expect(ranWith).toEqual([]);
  });

  test('the events of a corrected message say one thing', async () => {
    const { runtime } = desk();
    const server = await responses([{ text: 'I have refunded order 4512.' }]);
    const client = openAI('openai 7', server.baseURL);
    const own = forResponses(runtime, { client, scope: 's', checkReply: true });
    const stream = await own.client.responses.create({ ...asked, stream: true });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(JSON.stringify(events)).not.toContain('I have refunded');
    const said = events.flatMap((event) => {
      if (event.type === 'response.output_text.delta') return [event.delta];
      if (event.type === 'response.output_text.done') return [event.text];
      if (event.type !== 'response.completed') return [];
      const [item] = event.response.output;
      return item?.type === 'message' && item.content[0]?.type === 'output_text'
        ? [item.content[0].text]
        : [];
    });
    expect(said).toHaveLength(3);
    expect(new Set(said).size).toBe(1);
  });
});
