import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chatServer } from './chat-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the program of docs/ai-sdk.md runs as printed, with one refund', async () => {
  const refunds: string[] = [];
  const billing = createServer((request, response) => {
    refunds.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => billing.listen(0, '127.0.0.1', resolve));
  const call = { name: 'refund_order', arguments: '{"orderId":4512}' };
  const server = await chatServer([
    { calls: [{ id: 'call_1', ...call }] },
    { calls: [{ id: 'call_2', ...call }] },
    { text: 'Order 4512 has been refunded.' },
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'ai-sdk-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules', '@ai-sdk'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules', 'forthright'));
    for (const name of ['ai', 'zod', '@ai-sdk/openai-compatible']) {
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
    const [, program = ''] = read('docs/ai-sdk.md').split('```ts\n');
    writeFileSync(join(folder, 'program.mjs'), program.split('```')[0] ?? '');
    const { port } = billing.address() as AddressInfo;
    const printed = await run(folder, {
      BILLING_URL: `http://127.0.0.1:${port}`,
      MODEL_URL: server.baseURL,
    });
    expect(printed).toBe('Order 4512 has been refunded.\n');
    expect(refunds).toEqual(['POST /refunds/4512']);
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual(['done', 'already_done']);
  } finally {
    billing.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

function run(cwd: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['program.mjs'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  return new Promise((resolve) => child.on('close', () => resolve(printed)));
}
