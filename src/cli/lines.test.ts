import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, linesOf } from './lines.ts';

async function read(chunks: readonly Uint8Array[], limitBytes = 1000): Promise<readonly Line[]> {
  async function* source(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: Line[] = [];
  for await (const line of linesOf(source(), limitBytes)) lines.push(line);
  return lines;
}

const line = (number: number, text: string): Line => ({ kind: 'line', number, text });
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('linesOf', () => {
  it('numbers the lines; the last one needs no end', async () => {
    const expected = [line(1, 'a'), line(2, ''), line(3, 'ö😀')];
    expect(await read([bytes('a\n\nö😀')])).toEqual(expected);
    expect(await read([bytes('a\n\nö😀\n')])).toEqual(expected);
    expect(await read([])).toEqual([]);
  });

  it('does not depend on how the bytes come in', async () => {
    const text = fc.string({ unit: fc.constantFrom('\n', 'a', 'ö', '😀', '\r', '\ufeff') });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(40)), async (whole, cuts) => {
        const all = bytes(whole);
        const places = [...cuts.filter((at) => at < all.length), all.length].sort((a, b) => a - b);
        const chunks = places.map((end, index) => all.subarray(places[index - 1] ?? 0, end));
        const expected = whole.replace(/\n$/, '').split('\n');
        const lines = whole === '' ? [] : expected.map((each, index) => line(index + 1, each));
        expect(await read(chunks)).toEqual(lines);
      }),
    );
  });

  it('passes over what is longer than the limit, and goes on', async () => {
    const chunks = [
      bytes('12345\n1234'),
      bytes('56'),
      bytes('7'.repeat(100)),
      bytes('\nab\n123456'),
    ];
    expect(await read(chunks, 5)).toEqual([
      line(1, '12345'),
      { kind: 'too_long', number: 2, limitBytes: 5 },
      line(3, 'ab'),
      { kind: 'too_long', number: 4, limitBytes: 5 },
    ]);
  });

  it('says which line is not UTF-8, and goes on', async () => {
    const bad = Uint8Array.from([0x61, 0xff, 0x0a]);
    expect(await read([bad, bytes('b')])).toEqual([{ kind: 'not_utf8', number: 1 }, line(2, 'b')]);
  });
});
