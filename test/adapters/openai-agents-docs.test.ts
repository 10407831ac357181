import { expect, test } from 'vitest';
import { chatServer } from './chat-server.ts';
import { runProgram } from './docs-program.ts';

test('the program of docs/openai-agents.md runs as printed, with one refund', async () => {
  const call = { name: 'refund_order', arguments: '{"orderId":4512}' };
  const server = await chatServer([
    { calls: [{ id: 'call_1', ...call }] },
    { calls: [{ id: 'call_2', ...call }] },
    { text: 'Order 4512 has been refunded.' },
  ]);
  try {
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseURL };
    const packages = ['@openai/agents', 'openai', 'zod'];
    expect(await runProgram('docs/openai-agents.md', { packages, env })).toEqual({
      printed: 'Order 4512 has been refunded.\n',
      refunds: ['POST /refunds/4512'],
    });
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['done', 'already_done']);
  } finally {
    await server.close();
  }
});
