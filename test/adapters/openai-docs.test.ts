import { expect, test } from 'vitest';
import { chatServer } from './chat-server.ts';
import { runProgram } from './docs-program.ts';
import { responsesServer } from './responses-server.ts';

const packages = ['openai', 'zod'];
const call = { name: 'refund_order', arguments: '{"orderId":4512,"note":null}' };

test('the first program of docs/openai.md runs as printed, with one refund', async () => {
  const server = await chatServer([
    { calls: [{ id: 'call_1', ...call }] },
    { calls: [{ id: 'call_2', ...call, arguments: '{"orderId":4512,"note":"late"}' }] },
    { text: 'Order 4512 has been refunded.' },
  ]);
  try {
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseURL };
    expect(await runProgram('docs/openai.md', { packages, env })).toEqual({
      printed: 'Order 4512 has been refunded.\n',
      refunds: ['POST /refunds/4512'],
    });
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['done', 'already_done']);
  } finally {
    await server.close();
  }
});

test('its program of the Responses API runs as printed, in the conversation of the request', async () => {
  const own = { ...call, arguments: '{"orderId":4512}' };
  const server = await responsesServer([
    { calls: [{ id: 'call_1', ...own }] },
    { calls: [{ id: 'call_2', ...own }] },
    { text: 'I have refunded order 4512.' },
  ]);
  try {
    const env = {
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: server.baseURL,
      CONVERSATION: 'conv_1',
    };
    expect(await runProgram('docs/openai.md', { packages, env, at: 2 })).toEqual({
      printed: 'I have refunded order 4512.\n',
      refunds: ['POST /refunds/4512'],
    });
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['already_done']);
  } finally {
    await server.close();
  }
});
