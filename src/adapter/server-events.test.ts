import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../call/json.ts';
import { changedEvents } from './server-events.ts';

async function changed(
  chunks: readonly Uint8Array[],
  change: (event: JsonObject) => readonly JsonObject[],
): Promise<string> {
  const source = new ReadableStream<Uint8Array>({
    start(out) {
      for (const chunk of chunks) out.enqueue(chunk);
      out.close();
    },
  });
  return new Response(changedEvents(source, async (event) => change(event))).text();
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('changedEvents', () => {
  it('reads events however they are cut into chunks', async () => {
    const text =
      'event: a\ndata: {"type":"a","text":"é€😀"}\n\ndata: {"n":1}\r\n\r\ndata: [DONE]\n\n';
    const all = bytes(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(all.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.sort((left, right) => left - right), all.length];
        const chunks = at.slice(1).map((end, index) => all.slice(at[index], end));
        expect(await changed(chunks, (event) => [event])).toBe(
          'event: a\ndata: {"type":"a","text":"é€😀"}\n\ndata: {"n":1}\n\ndata: [DONE]\n\n',
        );
      }),
      { numRuns: 50 },
    );
  });

  it('puts none, one or several events in the place of one', async () => {
    const text = 'event: a\ndata: {"type":"a"}\n\nevent: b\ndata: {"type":"b"}\n\n';
    const change = (event: JsonObject): readonly JsonObject[] =>
      event.type === 'a' ? [] : [{ type: 'c' }, event];
    expect(await changed([bytes(text)], change)).toBe(
      'event: c\ndata: {"type":"c"}\n\nevent: b\ndata: {"type":"b"}\n\n',
    );
  });

  it('joins data on several lines, and leaves comments and pings alone', async () => {
    const text = ': hello\n\nevent: ping\n\ndata: {"n":\ndata: 1}\n\n';
    expect(await changed([bytes(text)], (event) => [event])).toBe(
      ': hello\n\nevent: ping\n\ndata: {"n":1}\n\n',
    );
  });

  it('reads what has no blank line after it, and leaves half an event alone', async () => {
    const change = (): readonly JsonObject[] => [{ n: 2 }];
    expect(await changed([bytes('data: {"n":1}')], change)).toBe('data: {"n":2}\n\n');
    expect(await changed([bytes('data: {"n":')], change)).toBe('data: {"n":');
  });

  it('fails where reading does', async () => {
    const failing = changed([bytes('data: {"n":1}\n\n')], () => {
      throw new Error('the ledger is gone');
    });
    await expect(failing).rejects.toThrow('the ledger is gone');
  });
});
