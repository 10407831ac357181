import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../src/ledger/entry.ts';
import { sqliteLedger } from '../src/sqlite/index.ts';
import { unknownWrite } from './support/console-page.ts';
import { runCli, startCli } from './support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'forthright-console-'));
const path = join(folder, 'ledger.db');
const own = { 'content-type': 'application/json', 'x-forthright-console': 'page' };
let entry: Entry;

beforeAll(async () => {
  const ledger = sqliteLedger(path);
  entry = await unknownWrite(ledger, 'a');
  await unknownWrite(ledger, 'b', { lane: 'order:4513' });
  await ledger.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('forthright console', () => {
  const children: ChildProcessWithoutNullStreams[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await stop(child);
  });

  async function start(...args: readonly string[]) {
    const child = startCli(['console', '--ledger', path, ...args]);
    children.push(child);
    let printed = '';
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        printed += String(chunk);
        if (printed.endsWith('\n')) resolve();
      });
      child.on('close', () => reject(new Error(`It ended: ${errors}`)));
    });
    const address = /^Console: (http:\S+)\n$/.exec(printed)?.[1] ?? '';
    return { child, address, url: address.split('?')[0] ?? '' };
  }

  /** Opens the printed address as a browser does; resolves to the cookie that it gave. */
  async function enter(address: string): Promise<string> {
    const answer = await fetch(address, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  test('prints an address that opens one session, once', async () => {
    const { child, address, url } = await start();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url}api/me`)).status).toBe(401);
    const cookie = await enter(address);
    const me = await fetch(`${url}api/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({ operator: null, readOnly: false, hasRuntime: false });
    expect(await enter(address)).toBe('');
    expect(await stop(child)).toBe(0);
  });

  test('answers to its own address only', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `evil.example:${port}` };
      request({ host: '127.0.0.1', port, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
    expect((await fetch(url.replace('127.0.0.1', 'localhost'))).status).toBe(200);
  });

  test('settles what is unknown, in the name that is given', async () => {
    const { address, url } = await start();
    const cookie = await enter(address);
    const { key, state, token, generation } = entry;
    const seen = { state, token, generation };
    const verdict = { key, verdict: 'happened', why: 'seen', by: 'ann', seen };
    const body = JSON.stringify(verdict);
    const unsigned = await fetch(`${url}api/settle`, { method: 'POST', headers: own, body });
    expect(unsigned.status).toBe(401);
    const settled = await fetch(`${url}api/settle`, {
      method: 'POST',
      headers: { ...own, cookie },
      body,
    });
    expect(await settled.json()).toMatchObject({
      kind: 'settled',
      entry: { verdict: { by: 'ann' } },
    });
    const { stdout } = await runCli(['ledger', 'show', path, key]);
    expect(stdout).toMatch(/^state +ok$/m);
  });

  test('behind a proxy: whoever its header names, and nobody else', async () => {
    const { address, url } = await start('--auth', 'X-Forwarded-User', '--read-only');
    expect(address).not.toContain('token');
    expect((await fetch(`${url}api/me`)).status).toBe(401);
    const me = await fetch(`${url}api/me`, { headers: { 'x-forwarded-user': 'bob' } });
    expect(await me.json()).toMatchObject({ operator: 'bob', readOnly: true });
  });

  test('hides what it is told to, and asks through the tools of a module', async () => {
    const tools = join(folder, 'tools.mjs');
    writeFileSync(
      tools,
      `import { tool, ok, happened } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
      const number = { type: 'number' };
      export const tools = [tool({
        name: 'refund_order', description: 'Refunds.', effect: 'write',
        input: { type: 'object', properties: { orderId: number, amountCents: number, reason: { type: 'string' } } },
        run: () => ok('done'), reconcile: () => happened({ id: 're_1' }),
      })];`,
    );
    const { address, url } = await start('--redact', 'reason', '--tools', tools);
    const headers = { ...own, cookie: await enter(address) };
    const found = await (await fetch(`${url}api/entries?outcome=unknown`, { headers })).json();
    const [{ key }] = (found as { rows: [{ key: string }] }).rows;
    const view = await (await fetch(`${url}api/entry?key=${key}`, { headers })).json();
    expect(view).toMatchObject({
      canAsk: true,
      arguments: { value: { orderId: 4512, reason: '•••' } },
    });
    const body = JSON.stringify({ key });
    const asked = await fetch(`${url}api/ask`, { method: 'POST', headers, body });
    expect(await asked.json()).toMatchObject({ kind: 'settled', entry: { standing: 'ok' } });
  });

  test.each([
    [[], '--ledger is missing'],
    [['--ledger', join(folder, 'none.db')], 'There is no ledger'],
    [['--ledger', path, '--host', '0.0.0.0'], '--host needs --auth'],
    [['--ledger', path, '--auth', 'a b'], '--auth takes the name of a header'],
    [['--ledger', path, '--port', '65536'], '--port takes a whole number'],
    [['--ledger', path, 'more'], 'Unexpected argument'],
    [['--ledger', path, '--tools', join(folder, 'none.mjs')], 'cannot be loaded'],
  ])('%j is refused with exit code 2', async (args, words) => {
    const { code, stderr } = await runCli(['console', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test('a port that is taken is refused', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const { code, stderr } = await runCli(['console', '--ledger', path, '--port', port]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot listen')]);
  });
});

async function stop(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  return new Promise((resolve) => child.once('close', resolve));
}
