import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { memoryLedger } from '../src/ledger/memory-ledger.ts';
import { type Built, builtConsole, unknownWrite } from './support/console-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What any mounted console has to do, by its address. */
async function isConsole(url: string, verdict: object): Promise<void> {
  const moved = await fetch(url.slice(0, -1), { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/console/']);
  const page = await fetch(url);
  expect(page.headers.get('content-type')).toContain('text/html');
  const html = await page.text();
  for (const [, file] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
    const answer = await fetch(`${url}${file}`);
    expect([file, answer.status]).toEqual([file, 200]);
    await answer.arrayBuffer();
  }
  const over = new AbortController();
  const live = await fetch(`${url}api/live`, { signal: over.signal });
  const { value } = (await live.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^retry/);
  over.abort();
  const settled = await fetch(`${url}api/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forthright-console': 'page' },
    body: JSON.stringify(verdict),
  });
  expect(await settled.json()).toMatchObject({ kind: 'settled', entry: { standing: 'ok' } });
  expect((await fetch(`${url}api/nothing`)).status).toBe(404);
}

async function mounted(): Promise<{
  readonly handler: (request: Request) => Promise<Response>;
  readonly listener: ReturnType<Built['nodeListener']>;
  readonly verdict: object;
}> {
  const { consoleHandler, nodeListener } = await builtConsole();
  const ledger = memoryLedger();
  const { key, state, token, generation } = await unknownWrite(ledger, 'a');
  const handler = consoleHandler(ledger, { auth: () => 'ann', base: '/console' });
  const seen = { state, token, generation };
  const verdict = { key, verdict: 'happened', why: 'seen in the books', seen };
  return { handler, listener: nodeListener(handler), verdict };
}

async function at(server: Server, verdict: object): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await isConsole(`http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`, verdict);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('mounted in', () => {
  test('node:http', async () => {
    const { listener, verdict } = await mounted();
    await at(createServer(listener), verdict);
  });

  test('Express', async () => {
    const { listener, verdict } = await mounted();
    await at(createServer(express().use('/console', listener)), verdict);
  });

  test('Express, behind a body parser', async () => {
    const { listener, verdict } = await mounted();
    await at(createServer(express().use(express.json()).use('/console', listener)), verdict);
  });

  test('Hono', async () => {
    const { handler, verdict } = await mounted();
    const { nodeListener } = await builtConsole();
    const app = new Hono();
    app.all('/console/*', (c) => handler(c.req.raw));
    await at(createServer(nodeListener(async (request) => app.fetch(request))), verdict);
  });

  test('a route that takes the request as it is, as Next does', async () => {
    const { handler } = await mounted();
    const routes = { GET: handler, POST: handler };
    const answer = await routes.GET(new Request('https://ops.example.com/console/api/me'));
    expect(await answer.json()).toMatchObject({ operator: 'ann' });
  });
});

test('the page, charts included, is less than 150 kB compressed', () => {
  const folder = join(root, 'dist', 'console', 'static');
  const sizes = readdirSync(folder).map(
    (name) => gzipSync(readFileSync(join(folder, name))).length,
  );
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

test('the program of docs/console.md runs as printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-docs-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'forthright'));
    const [, program = ''] = readFileSync(join(root, 'docs', 'console.md'), 'utf8').split(
      '```ts\n',
    );
    writeFileSync(join(folder, 'program.mjs'), program.split('```')[0] ?? '');
    child = spawn(process.execPath, ['program.mjs'], {
      cwd: folder,
      env: { ...process.env, PORT: `${port}`, BILLING_URL: 'http://127.0.0.1:9' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}/console/`;
    await expect
      .poll(
        () =>
          fetch(url)
            .then(({ status }) => status)
            .catch(() => 0),
        { timeout: 20_000 },
      )
      .toBe(200);
    expect((await fetch(`${url}api/me`)).status).toBe(401);
    const me = await fetch(`${url}api/me`, { headers: { 'x-forwarded-user': 'ann' } });
    expect(await me.json()).toEqual({
      operator: 'ann',
      readOnly: false,
      hasRuntime: true,
      tools: ['refund_order', 'check_write'],
    });
  } finally {
    child?.kill();
    await new Promise((resolve) => child?.once('close', resolve));
    rmSync(folder, { recursive: true });
  }
});

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
