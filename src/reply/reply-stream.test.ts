import { describe, expect, test } from 'vitest';
import { checkReply } from './check.ts';
import { checkedText, replyStream } from './reply-stream.ts';
import type { ReplyEntry } from './types.ts';

function refund(outcome: ReplyEntry['outcome']): ReplyEntry {
  return { tool: 'refund_order', input: { orderId: 4512, amountCents: 2000 }, outcome };
}

const reply =
  'Thanks for waiting, Ann. I have refunded $20.00 on order 4512. Is there anything else I can do?';

async function* chunksOf(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function shown(text: string, length: number, entry: ReplyEntry): Promise<string[]> {
  const out: string[] = [];
  const options = { entries: () => [entry], reads: [] };
  for await (const piece of checkedText(chunksOf(text, length), options)) out.push(piece);
  return out;
}

describe.each([1, 2, 7, 30, 1000])('in chunks of %i', (length) => {
  test('a true reply comes through unchanged', async () => {
    expect((await shown(reply, length, refund('ok'))).join('')).toBe(reply);
  });

  test('a false claim is never shown, in no piece of it', async () => {
    const text = (await shown(reply, length, refund('unknown'))).join('');
    expect(text).not.toContain('have refunded');
    expect(text).toMatch(/^Thanks for waiting, Ann\./);
    expect(text).toMatch(/confirmed/);
  });
});

test('a sentence is released as soon as the next one has begun', async () => {
  const transform = replyStream({ entries: () => [refund('ok')], reads: [] });
  const writer = transform.writable.getWriter();
  const reader = transform.readable.getReader();
  void writer.write('Thanks for waiting. I have');
  expect(await reader.read()).toMatchObject({
    value: expect.stringContaining('Thanks for waiting.'),
  });
  void writer.close();
  expect((await reader.read()).value).toBe(' I have');
});

test('what is held back when the source breaks off is not shown', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'Thanks for waiting. I have refunded $20.00 on ord';
    throw new Error('the line went dead');
  }
  const out: string[] = [];
  const reading = async (): Promise<void> => {
    const options = { entries: () => [refund('unknown')], reads: [] };
    for await (const piece of checkedText(broken(), options)) out.push(piece);
  };
  await expect(reading()).rejects.toThrow(/went dead/);
  expect(out.join('')).not.toContain('refunded');
});

test('entries that change meanwhile are asked for anew', async () => {
  let outcome: ReplyEntry['outcome'] = 'unknown';
  async function* source(): AsyncGenerator<string> {
    yield 'One moment. ';
    outcome = 'ok';
    yield reply;
  }
  const out: string[] = [];
  const options = { entries: () => [refund(outcome)], reads: [] };
  for await (const piece of checkedText(source(), options)) out.push(piece);
  expect(out.join('')).toBe(`One moment. ${reply}`);
});

test('a promise that only a question further on makes a proposal is held if that question is not shown', async () => {
  const said =
    'You will receive a refund of $20.00.\n\nDone:\n\n1. Order #W7001: cancelled\n2. Order #W7002: refunded ($20.00)\n\n\n\nPlease confirm (yes or no).\n\nThanks for waiting, Ann.';
  const entries: readonly ReplyEntry[] = [
    { tool: 'refund_order', input: { order_id: '#W7001' }, outcome: 'ok' },
    { tool: 'refund_order', input: [], outcome: 'failed', data: [] },
  ];
  const options = { entries: () => entries, reads: [], language: 'en' };
  const out: string[] = [];
  for await (const piece of checkedText(chunksOf(said, 1), options)) out.push(piece);
  expect(out.join('')).toBe(checkReply(said, entries, { reads: [], language: 'en' }).reply);
  expect(out.join('')).not.toContain('You will receive');
});

test('a record that claims nothing by itself still tells what a denial after it is about', async () => {
  const said =
    'Thanks for waiting, Ann. {"order": "#W7001", "status": "refunded"}\n Nothing was changed. Thanks for waiting, Ann.';
  const entries: readonly ReplyEntry[] = [
    { tool: 'refund_order', input: { order_id: '#W7001', amount: 20 }, outcome: 'ok' },
    { tool: '', input: [], outcome: 'failed', data: [] },
  ];
  const options = { entries: () => entries, reads: [], language: 'en' };
  const out: string[] = [];
  for await (const piece of checkedText(chunksOf(said, 1), options)) out.push(piece);
  expect(out.join('')).toBe(checkReply(said, entries, { reads: [], language: 'en' }).reply);
  expect(out.join('')).not.toContain('Nothing was changed');
});
