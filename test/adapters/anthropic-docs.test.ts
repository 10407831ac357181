import { expect, test } from 'vitest';
import { runProgram } from './docs-program.ts';
import { messagesServer } from './messages-server.ts';

test('the program of docs/anthropic.md runs as printed, with one refund', async () => {
  const call = { name: 'refund_order', arguments: '{"orderId":4512}' };
  const server = await messagesServer([
    { calls: [{ id: 'call_1', ...call }] },
    { calls: [{ id: 'call_2', ...call }] },
    { text: 'Order 4512 has been refunded.' },
  ]);
  try {
    const env = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: server.baseURL };
    const packages = ['@anthropic-ai/sdk', 'zod'];
    expect(await runProgram('docs/anthropic.md', { packages, env })).toEqual({
      printed: 'Order 4512 has been refunded.\n',
      refunds: ['POST /refunds/4512'],
    });
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['done', 'already_done']);
  } finally {
    await server.close();
  }
});
