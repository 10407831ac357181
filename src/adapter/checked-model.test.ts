import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answered } from '../call/evidence.ts';
import { ok } from '../call/result.ts';
import { tool } from '../decode/define-tool.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { createRuntime } from '../runtime/create-runtime.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { runAsWritten } from './as-written.ts';
import { CallTexts } from './call-texts.ts';
import { checkedModel } from './checked-model.ts';
import type { AnyLanguageModel, Part, Streamed } from './protocol.ts';

const refund = tool({
  name: 'refund_order',
  description: 'Refund an order.',
  input: z.object({ orderId: z.int() }),
  effect: 'write',
  async run({ orderId }, ctx) {
    await ctx.dispatch(async () => answered(orderId));
    return ok('Refunded.');
  },
});

/** What is seen of the parts that a model streams, its text held against a record without any write. */
async function seen(parts: readonly Part[]): Promise<readonly Part[]> {
  const runtime = createRuntime({ tools: [refund], ledger: memoryLedger() }) as unknown as Runtime;
  const options = { scope: 's', checkReply: true };
  const joined = { runtime, options, texts: new CallTexts(runtime, 's') };
  const stream = new ReadableStream<Part>({
    start(out) {
      for (const part of parts) out.enqueue(part);
      out.close();
    },
  });
  const model: AnyLanguageModel = {
    specificationVersion: 'v3',
    provider: 'local',
    modelId: 'scripted',
    doGenerate: () => Promise.reject(new Error('it only streams')),
    doStream: () => Promise.resolve({ stream }),
  };
  const asked = { prompt: [], tools: [{ name: 'refund_order' }] };
  const answer = await checkedModel(model, () => joined).doStream(asked as never);
  const all: Part[] = [];
  for await (const part of (answer as Streamed).stream as unknown as AsyncIterable<Part>) {
    all.push(part);
  }
  await runtime.close();
  return all;
}

const text = (id: string, ...deltas: readonly string[]): readonly Part[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const finish: Part = { type: 'finish', finishReason: 'stop' };
const said = (parts: readonly Part[]): string => parts.map(({ delta = '' }) => delta).join('');
const ends = (parts: readonly Part[]): readonly unknown[] =>
  parts.filter(({ type }) => type === 'text-end').map(({ id }) => id);

const provider = { toolCallId: 'w', toolName: 'web_search', providerExecuted: true };
const looked: readonly Part[] = [
  { type: 'tool-input-start', id: 'w', ...provider },
  { type: 'tool-input-delta', id: 'w', delta: '' },
  { type: 'tool-input-end', id: 'w' },
  { type: 'tool-call', ...provider, input: '{}' },
  { type: 'tool-result', ...provider },
];

describe('a streamed answer', () => {
  it('says all of its text where the provider looks something up in between', async () => {
    const parts = await seen([
      ...text('1', 'Let me look. '),
      ...looked,
      ...text('2', 'The shop ', 'is open.'),
      finish,
    ]);
    expect(said(parts)).toBe('Let me look. The shop is open.');
    expect(ends(parts)).toEqual(['1', '2']);
  });

  it('is held against the record after that too', async () => {
    const parts = await seen([
      ...text('1', 'Let me look. '),
      ...looked,
      ...text('2', 'I have refunded ', 'order 4512.'),
      finish,
    ]);
    expect(said(parts)).not.toContain('I have refunded');
    expect(said(parts)).toContain('4512');
    expect(ends(parts)).toEqual(['1', '2']);
  });

  it('says what stands behind a call as it is', async () => {
    const call: Part = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'refund_order',
      input: '{"orderId":1}',
    };
    const parts = await seen([...text('1', 'One moment.'), call, ...text('2', 'So.'), finish]);
    expect(said(parts)).toBe('One moment.So.');
    expect(ends(parts)).toEqual(['1', '2']);
  });
});

describe('an answer that was cut off in a call', () => {
  it('does not run what the provider made of it', async () => {
    const runtime = createRuntime({ tools: [refund], ledger: memoryLedger() });
    const own = runtime as unknown as Runtime;
    const joined = { runtime: own, options: { scope: 's' }, texts: new CallTexts(own, 's') };
    const call = { type: 'tool-call', toolName: 'refund_order', input: '{"orderId":45}' };
    const content = ['a', 'b'].map((toolCallId) => ({ ...call, toolCallId }));
    const model: AnyLanguageModel = {
      specificationVersion: 'v3',
      provider: 'local',
      modelId: 'scripted',
      doGenerate: () => Promise.resolve({ content, finishReason: 'length' }),
      doStream: () => Promise.reject(new Error('it does not stream')),
    };
    await checkedModel(model, () => joined).doGenerate({ prompt: [] } as never);
    const input = { orderId: 45 };
    const results = ['a', 'b'].map((callId) =>
      runAsWritten(joined, { name: 'refund_order', callId, input }),
    );
    const codes = (await Promise.all(results)).map(({ code }) => code);
    expect(codes).toEqual(['done', 'invalid_json']);
    await runtime.close();
  });
});
