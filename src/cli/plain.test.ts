import { describe, expect, it } from 'vitest';
import { cut, moment, plain, table } from './plain.ts';

describe('plain', () => {
  it('shows what could steer a terminal or hide text', () => {
    expect(plain('a\u001b[2Jb\r\n\u202e\u0000\u009b')).toBe(
      'a\\u001b[2Jb\\u000d\\u000a\\u202e\\u0000\\u009b',
    );
  });

  it('leaves text as it is', () => {
    expect(plain('order:4512 „ö“ 😀')).toBe('order:4512 „ö“ 😀');
  });
});

describe('cut', () => {
  it('keeps what fits and marks what does not, by whole characters', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abcd', 3)).toBe('ab…');
    expect(cut('😀😀😀😀', 3)).toBe('😀😀…');
  });
});

describe('moment', () => {
  it('is UTC to the second, or the number where it is no time', () => {
    expect(moment(1_700_000_000_999)).toBe('2023-11-14T22:13:20Z');
    expect(moment(Number.POSITIVE_INFINITY)).toBe('Infinity');
  });
});

describe('table', () => {
  it('makes each column as wide as it must be, with nothing after the last', () => {
    expect(
      table(
        ['A', 'LONG'],
        [
          ['xyz', '1'],
          ['', '22222'],
        ],
      ),
    ).toBe('A    LONG\nxyz  1\n     22222\n');
  });
});
