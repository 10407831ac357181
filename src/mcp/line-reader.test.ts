import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('LineReader', () => {
  test('gives the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => `x${text.replace(/[\r\n]/g, '')}`);
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    void fc.assert(
      fc.property(fc.array(line), cuts, (lines, sizes) => {
        const all = bytes(lines.map((text) => `${text}\n`).join(''));
        const reader = new LineReader();
        const read: string[] = [];
        for (let at = 0, n = 0; at < all.length; n++) {
          const next = at + (sizes[n % sizes.length] ?? 1);
          read.push(...reader.push(all.subarray(at, next)).map(({ text }) => text));
          at = next;
        }
        expect(read).toEqual(lines);
        expect(reader.end()).toEqual([]);
      }),
    );
  });

  test('takes Windows line breaks, leaves blank lines out and gives what the stream ended with', () => {
    const reader = new LineReader();
    expect(reader.push(bytes('a\r\n\n  \nb'))).toEqual([{ text: 'a' }]);
    expect(reader.end()).toEqual([{ text: 'b' }]);
  });

  test('drops what is longer than the limit, keeps its beginning, and reads on', () => {
    const reader = new LineReader(8);
    expect(reader.push(bytes('12345678\n'))).toEqual([{ text: '12345678' }]);
    expect(reader.push(bytes('123456'))).toEqual([]);
    expect(reader.push(bytes('789'))).toEqual([]);
    expect(reader.push(bytes('more\nnext\n'))).toEqual([
      { text: '123456789', problem: 'too_large' },
      { text: 'next' },
    ]);
  });

  test('does not replace what is no UTF-8 in silence', () => {
    const reader = new LineReader();
    const [line] = reader.push(Uint8Array.of(0x22, 0xff, 0x22, 10));
    expect(line).toEqual({ text: '"\ufffd"', problem: 'not_utf8' });
  });

  test('keeps a byte order mark, which is no JSON', () => {
    expect(new LineReader().push(bytes('\ufeff{}\n'))).toEqual([{ text: '\ufeff{}' }]);
  });

  test('copies, since streams use their buffers again', () => {
    const reader = new LineReader();
    const chunk = bytes('abc');
    reader.push(chunk);
    chunk.fill(0);
    expect(reader.push(bytes('\n'))).toEqual([{ text: 'abc' }]);
  });
});
