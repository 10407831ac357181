import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { listenForHttp } from './mcp-wire.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the program of docs/mcp.md runs as printed; a client that starts it anew finds the refund done', async () => {
  const refunds: string[] = [];
  const billing = await listenForHttp(async (request, response) => {
    refunds.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcp-docs-'));
  const link = (name: string, target: string): void => {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  };
  link('forthright', root);
  for (const name of ['@modelcontextprotocol/sdk', 'zod', 'better-sqlite3']) {
    link(name, join(root, 'node_modules', name));
  }
  const [, program = ''] = readFileSync(join(root, 'docs/mcp.md'), 'utf8').split('```ts\n');
  writeFileSync(join(folder, 'program.mjs'), program.split('```')[0] ?? '');
  try {
    const codes: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const client = new Client({ name: 'docs', version: '1.0.0' });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: ['--disable-warning=ExperimentalWarning', 'program.mjs'],
          cwd: folder,
          env: { BILLING_URL: `http://127.0.0.1:${billing.port}` },
        }),
      );
      const call = { name: 'refund_order', arguments: { orderId: 4512 } };
      const { structuredContent } = await client.callTool(call);
      codes.push((structuredContent as { code?: string }).code);
      await client.close();
    }
    expect(codes).toEqual(['done', 'already_done']);
    expect(refunds).toEqual(['POST /refunds/4512']);
  } finally {
    await billing.close();
    rmSync(folder, { recursive: true });
  }
});
