import type Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { forAnthropic } from '../../src/anthropic/index.ts';
import { createRuntime, memoryLedger, type Runtime } from '../../src/index.ts';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { anthropic } from './anthropic-harness.ts';
import { countedRefunds, refunds } from './counted-refunds.ts';
import { type MessagesServer, messagesServer } from './messages-server.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Stage {
  readonly runtime: Runtime;
  readonly client: Anthropic;
  readonly server: MessagesServer;
  readonly ranWith: unknown[];
  most(): number;
}

async function stage(answers: readonly ScriptedAnswer[]): Promise<Stage> {
  const { refund, ranWith, most } = countedRefunds();
  const runtime = createRuntime({ tools: [refund], ledger: memoryLedger(), maxConcurrent: 2 });
  const server = await messagesServer(answers);
  open.push(runtime, server);
  const client = anthropic(server.baseURL);
  return { runtime: runtime as unknown as Runtime, client, server, ranWith, most };
}

const done: ScriptedAnswer = { text: 'That is all.' };
const prompt = { role: 'user' as const, content: 'Go on.' };
const asked = { model: 'scripted', max_tokens: 100, messages: [prompt] };
const codes = ({ told }: { told(): readonly string[] }): readonly string[] =>
  told().map((text) => JSON.parse(text).code);

describe('forAnthropic', () => {
  test('calls side by side obey the lane of what they write to', async () => {
    const { runtime, client, server, ranWith, most } = await stage([
      refunds('{"orderId":1,"part":1}', '{"orderId":1,"part":2}', '{"orderId":1,"part":3}'),
      done,
    ]);
    const own = forAnthropic(runtime, { client, scope: 's' });
    await own.client.beta.messages.toolRunner({ ...asked, tools: own.tools });
    expect(codes(server)).toEqual(['done', 'done', 'done']);
    expect(ranWith).toEqual([1, 2, 3].map((part) => ({ orderId: 1, part })));
    expect(most()).toBe(1);
  });

  test('calls side by side obey the cap, in other lanes too', async () => {
    const texts = [1, 2, 3, 4, 5].map((orderId) => JSON.stringify({ orderId }));
    const { runtime, client, server, most } = await stage([refunds(...texts), done]);
    const own = forAnthropic(runtime, { client, scope: 's' });
    await own.client.beta.messages.toolRunner({ ...asked, tools: own.tools });
    expect(codes(server)).toEqual(Array(5).fill('done'));
    expect(most()).toBe(2);
  });

  test('calls that start while the answer streams run by their text', async () => {
    const { runtime, client, server, ranWith } = await stage([
      refunds('{"orderId":1}', '{"orderId":9007199254740993}', '{"orderId":1,"orderId":2}'),
      done,
    ]);
    const own = forAnthropic(runtime, { client, scope: 's', checkReply: true });
    const { tools } = own;
    const eager = { ...asked, tools, stream: true as const, runToolsEagerly: true };
    for await (const stream of own.client.beta.messages.toolRunner(eager)) await stream.done();
    expect(codes(server)).toEqual(['done', 'unsafe_number', 'duplicate_key']);
    expect(ranWith).toEqual([{ orderId: 1 }]);
  });

  test('half a call is not run, although what the provider made of it is whole', async () => {
    const cut = { ...refunds('{"orderId":45}'), isCut: true };
    const { runtime, client, ranWith } = await stage([cut]);
    const own = forAnthropic(runtime, { client, scope: 's' });
    const message = await own.client.messages.create({ ...asked, tools: own.tools });
    const [told] = await own.answer(message);
    expect(JSON.parse(String(told?.content)).code).toBe('invalid_json');
    expect(ranWith).toEqual([]);
  });

  test('text beside a call is shown as it is, in its order', async () => {
    const text = 'I have refunded order 1.';
    const { runtime, client } = await stage([{ ...refunds('{"orderId":1}'), text }]);
    const own = forAnthropic(runtime, { client, scope: 's', checkReply: true });
    const stream = own.client.messages.stream({ ...asked, tools: own.tools });
    const seen: string[] = [];
    for await (const event of stream) {
      if ('index' in event && event.type !== 'content_block_delta') {
        seen.push(`${event.type} ${event.index}`);
      }
    }
    expect(seen).toEqual([
      'content_block_start 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_stop 1',
    ]);
    expect((await stream.finalMessage()).content[0]).toMatchObject({ type: 'text', text });
  });

  test('leaves the calls of the host’s own tools to the host', async () => {
    const mine = { id: 'call_9', name: 'mine', arguments: '{"n":9007199254740993}' };
    const [call] = refunds('{"orderId":1}').calls ?? [];
    const { runtime, client, server } = await stage([
      { calls: [...(call === undefined ? [] : [call]), mine], isCut: true },
      done,
    ]);
    const own = forAnthropic(runtime, { client, scope: 's' });
    const host = { name: 'mine', input_schema: { type: 'object' as const } };
    const tools = [...own.tools, host];
    const message = await own.client.messages.create({ ...asked, tools });
    expect(message.stop_reason).toBe('max_tokens');
    const told = await own.answer(message);
    expect(told.map(({ tool_use_id }) => tool_use_id)).toEqual(['call_0']);
    const said = { type: 'tool_result' as const, tool_use_id: 'call_9', content: 'Mine.' };
    const messages: Anthropic.MessageParam[] = [
      prompt,
      { role: 'assistant', content: message.content },
      { role: 'user', content: [...told, said] },
    ];
    await own.client.messages.create({ ...asked, messages, tools });
    expect(server.told()[1]).toBe('Mine.');
  });

  test('the words of the SDK in a conversation from elsewhere are said by ours', async () => {
    const { runtime, client, server } = await stage([done]);
    const own = forAnthropic(runtime, { client, scope: 's' });
    const call = { type: 'tool_use' as const, id: 'call_1', name: 'refund', input: {} };
    const content = "Error: Tool 'refund' not found";
    const told = { type: 'tool_result' as const, tool_use_id: 'call_1', content, is_error: true };
    const messages: Anthropic.MessageParam[] = [
      prompt,
      { role: 'assistant', content: [call] },
      { role: 'user', content: [told] },
    ];
    await own.client.messages.create({ ...asked, messages, tools: own.tools });
    expect(codes(server)).toEqual(['unknown_tool']);
  });

  test('says so once where its tools are used without its client, and still refuses what was rounded', async () => {
    const { runtime, client, server } = await stage([
      refunds('{"orderId":9007199254740993}', '{"orderId":9007199254740993}'),
      done,
    ]);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { tools } = forAnthropic(runtime, { client, scope: 's' });
    await client.beta.messages.toolRunner({ ...asked, tools });
    expect(codes(server)).toEqual(['unsafe_number', 'unsafe_number']);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test('refuses what is no client', async () => {
    const { runtime } = await stage([done]);
    expect(() => forAnthropic(runtime, { client: 'claude' as never, scope: 's' })).toThrow(
      /forAnthropic: client/,
    );
  });
});
