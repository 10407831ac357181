import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { carriedIn } from './hand-on.ts';
import { StrictStdioTransport } from './strict-stdio.ts';

interface Stage {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly transport: StrictStdioTransport;
  readonly messages: { method?: string; id?: unknown; params?: never }[];
  /** What the other side reads, line by line. */
  readonly answers: () => unknown[];
}

async function stage(maxBytes?: number): Promise<Stage> {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new StrictStdioTransport({
    input,
    output,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const messages: Stage['messages'] = [];
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  const answers = (): unknown[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { input, output, transport, messages, answers };
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

test('hands the text of a call on, whatever a parser would make of it', async () => {
  const { input, messages } = await stage();
  const text = '{"orderId":9007199254740993,"orderId":1}';
  input.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${text}}}\n`,
  );
  await new Promise((resolve) => setImmediate(resolve));
  const { arguments: args } = (messages[0]?.params ?? {}) as { arguments?: unknown };
  expect(carriedIn(args)).toEqual({ name: 'x', text, isBroken: false });
});

test('nothing that JSON can write is taken for a carried call', () => {
  expect(carriedIn({ forthright: { call: { name: 'x', text: '{}', isBroken: false } } })).toBe(
    undefined,
  );
  expect(carriedIn(undefined)).toBe(undefined);
});

test('answers what is no message and reads on', async () => {
  const { input, messages, answers } = await stage(100);
  input.write(`{"jsonrpc":\n[]\n{"jsonrpc":"2.0","method":"a","id":2,"x":"${'y'.repeat(200)}"}\n`);
  input.write(Buffer.from([0x22, 0xff, 0x22, 10]));
  input.write(ping);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers()).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: 2, error: { code: -32600 } },
    { id: null, error: { code: -32700 } },
  ]);
  expect(messages).toEqual([JSON.parse(ping)]);
});

test('answers a message that the stream ended in, then closes', async () => {
  const { input, transport, answers } = await stage();
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  input.end('{"jsonrpc":"2.0","id":3,"method":"ping"');
  await closed;
  expect(answers()).toMatchObject([{ id: 3, error: { code: -32700 } }]);
  await expect(transport.send({})).rejects.toThrow('closed');
});

test('an answer of a user in which something hides is none', async () => {
  const { input, messages } = await stage();
  const answer = (content: string): string =>
    `{"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":${content}}}\n`;
  input.write(answer('{"orderId":9007199254740993}') + answer('{"a":1,"a":2}') + answer('{"a":1}'));
  const inputs = '{"orderId":{"action":"accept","content":{"orderId":9007199254740993}}}';
  input.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","inputResponses":${inputs}}}\n`,
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(messages).toMatchObject([
    { result: { action: 'cancel' } },
    { result: { action: 'cancel' } },
    { result: { action: 'accept', content: { a: 1 } } },
    { params: { inputResponses: { orderId: { action: 'cancel' } } } },
  ]);
});

test('does not read on while nobody reads its answers', async () => {
  const { input, output, answers } = await stage();
  const line = '{\n';
  let written = 0;
  // Bounded by the buffers of both streams, whatever is sent.
  while (input.write(line.repeat(1_000)) && written < 100) {
    written += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(input.isPaused()).toBe(true);
  answers();
  output.resume();
  await once(input, 'resume');
});

test('is started once, and not a second time', async () => {
  const { transport } = await stage();
  await expect(transport.start()).rejects.toThrow('once');
});
