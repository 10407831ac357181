import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, expect, test } from 'vitest';
import { forAnthropic } from '../../src/anthropic/index.ts';
import { createRuntime, memoryLedger, type Runtime } from '../../src/index.ts';
import { forResponses } from '../../src/openai/index.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function empty(): Runtime {
  const runtime = createRuntime({ tools: [], ledger: memoryLedger() }) as unknown as Runtime;
  open.push(runtime);
  return runtime;
}

/** A provider that streams these events, whatever it is asked. */
function streaming(events: readonly { readonly type: string }[]): typeof fetch {
  const body = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');
  const headers = { 'content-type': 'text/event-stream' };
  return async () => new Response(body, { headers });
}

const said = 'I have refunded order 4512.';
const how = { apiKey: 'none', maxRetries: 0 };
const checked = { scope: 's', checkReply: true };

async function seen(stream: AsyncIterable<unknown>): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const event of stream) text += JSON.stringify(event);
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}

test('Anthropic: a stream that breaks off within a text that is held back says why', async () => {
  const fetch = streaming([
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', content: [] },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ] as never);
  const client = new Anthropic({ ...how, fetch });
  const own = forAnthropic(empty(), { client, ...checked });
  const messages = [{ role: 'user' as const, content: 'Go on.' }];
  const asked = { model: 'm', max_tokens: 9, messages, stream: true as const };
  const { text, error } = await seen(await own.client.messages.create(asked));
  expect(String(error)).toContain('Overloaded');
  expect(text).not.toContain(said);
});

test('OpenAI, responses: a stream that breaks off within a text that is held back says why', async () => {
  const item = { type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: [] };
  const fetch = streaming([
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: said },
    { type: 'error', code: 'server_error', message: 'Overloaded', param: null },
  ] as never);
  const client = new OpenAI({ ...how, fetch });
  const own = forResponses(empty(), { client, ...checked });
  const asked = { model: 'm', input: 'Go on.', stream: true as const };
  const { text, error } = await seen(await own.client.responses.create(asked));
  expect(`${text} ${error}`).toContain('Overloaded');
  expect(text).not.toContain(said);
});
