import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chatServer } from './chat-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The desk by the model of a server; the customer says the text. */
function start(env: Readonly<Record<string, string>>, text: string): Promise<Ended> {
  const words = ['--disable-warning=ExperimentalWarning', '--import', 'tsx'];
  const child = spawn(process.execPath, [...words, 'examples/support-desk/main.ts', '--model'], {
    cwd: root,
    env: { ...process.env, ...env },
    timeout: 25_000,
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  child.stdin.end(`${text}\n`);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

test('npm start -- --model lets the model of a server run the desk, streaming', async () => {
  const refund = {
    name: 'refund_order',
    arguments: '{"orderId":4512,"amountCents":2000,"reason":"late"}',
  };
  const server = await chatServer([
    { calls: [{ id: 'call_1', name: 'get_order', arguments: '{"orderId":45' }] },
    { calls: [{ id: 'call_2', ...refund }] },
    { calls: [{ id: 'call_3', ...refund }] },
    { text: 'That is all.' },
  ]);
  try {
    const env = { MODEL_URL: server.baseURL, MODEL_NAME: 'scripted' };
    const { code, out, err } = await start(env, 'Please refund 20 on order 4512.');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('That is all.');
    expect(server.told().map((text) => JSON.parse(text).code)).toEqual([
      'invalid_json',
      'done',
      'already_done',
    ]);
  } finally {
    await server.close();
  }
});

test('npm start -- --model says what it needs', async () => {
  const { code, err } = await start({ MODEL_URL: '', MODEL_NAME: '' }, 'Hello.');
  expect(code).toBe(2);
  expect(err).toContain('MODEL_URL');
});
