import { expect, test } from 'vitest';
import { chatServer } from './chat-server.ts';
import { runProgram } from './docs-program.ts';

const call = { name: 'refund_order', arguments: '{"orderId":4512}' };

test.each([
  ['docs/langchain.md', ['@langchain/core', '@langchain/openai', 'langchain', 'zod']],
  ['docs/mastra.md', ['@ai-sdk/openai-compatible', '@mastra/core', 'zod']],
])('the program of %s runs as printed, with one refund', async (page, packages) => {
  const server = await chatServer([
    { calls: [{ id: 'call_1', ...call }] },
    { calls: [{ id: 'call_2', ...call }] },
    { text: 'Order 4512 has been refunded.' },
  ]);
  try {
    expect(await runProgram(page, { packages, env: { MODEL_URL: server.baseURL } })).toEqual({
      printed: 'Order 4512 has been refunded.\n',
      refunds: ['POST /refunds/4512'],
    });
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['done', 'already_done']);
  } finally {
    await server.close();
  }
});
