import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compilePattern, isSafeForNames } from './pattern.ts';
import { parseRegex } from './regex-parse.ts';
import { compileRegex, runRegex } from './regex-run.ts';

// Property tests on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function compiled(pattern: string): RegExp {
  const step = compilePattern(pattern);
  if (!step.ok) throw new Error(step.error);
  return step.value;
}

/** The same, whatever the pattern, by the linear engine alone. */
function linear(pattern: string, text: string): boolean {
  const node = parseRegex(pattern, 'u');
  const program = node && compileRegex(node);
  if (program === undefined) throw new Error(`not linear: ${pattern}`);
  return runRegex(program, [...text]);
}

describe('a pattern that a backtracking engine would not finish', () => {
  it.each([
    ['^(a+)+$', 'a', '!'],
    ['^(a|aa)+$', 'a', '!'],
    ['(x+x+)+y', 'x', ''],
    ['^([a-zA-Z0-9]+\\s?)*$', 'a', '!'],
    ['^(\\w+\\.?)*@$', 'a.', ''],
    ['^\\s*(.*?)\\s*$x', ' ', ''],
    ['a*a*a*a*a*a*a*b', 'a', ''],
    ['^(?=(a+)+$)b', 'a', '!'],
    ['(?:a?){8}(?:a?){8}a{100}b', 'a', ''],
  ])('%s is told of a long text all the same', (pattern, unit, end) => {
    const text = unit.repeat(20_000 / unit.length) + end;
    expect(compiled(pattern).test(text)).toBe(false);
  });

  it('still matches what it matches', () => {
    expect(compiled('^(a+)+$').test('a'.repeat(20_000))).toBe(true);
    expect(compiled('^(\\w+\\.?)*@$').test(`${'a.'.repeat(5000)}@`)).toBe(true);
  });

  it('with a back reference holds for short texts, and for no long one', () => {
    const twice = compiled('^(\\w+) \\1$');
    expect(twice.test('again again')).toBe(true);
    expect(twice.test('again never')).toBe(false);
    expect(twice.test(`${'a'.repeat(150)} ${'a'.repeat(150)}`)).toBe(false);
  });
});

describe('the linear engine', () => {
  it.each([
    ['^abc$', ['abc', 'abcd', 'xabc', '']],
    ['b+', ['abba', 'aca', '']],
    ['^(?:a|bc|)d?$', ['a', 'bc', 'bcd', '', 'd', 'ad', 'b']],
    ['^a{2,4}$', ['a', 'aa', 'aaaa', 'aaaaa']],
    ['^a{3}$', ['aa', 'aaa', 'aaaa']],
    ['^a{2,}b*?$', ['a', 'aa', 'aaaabb']],
    ['^[\\]a\\-z]+$', [']a-z', 'b', '']],
    ['^[^\\s"]+$', ['ab', 'a b', '"']],
    ['^.$', ['a', '\n', '😀', 'ab']],
    ['^\\p{Lu}\\u{1F600}\\u0041\\x42\\t$', ['É😀AB\t', 'é😀AB\t']],
    ['^\\ud83d\\ude00$', ['😀', '😁']],
    ['\\bcat\\b', ['a cat', 'cats', 'cat', 'bobcat']],
    ['a\\Bb', ['ab', 'a b']],
    ['^(?=.*\\d)(?=.*[a-z]).{4,}$', ['a1bc', 'abcd', '1234', 'a1']],
    ['^(?!.*W)P', ['P1D', 'P1W', 'x']],
    ['^(?<year>\\d{4})-(?<rest>.+)$', ['2024-x', '24-x']],
    ['^(?:)*$', ['', 'a']],
    ['(?:a*)*b', ['aaab', 'aaa']],
    ['^$|^x$', ['', 'x', 'y']],
    ['[]', ['', 'a']],
    ['^[^]$', ['a', '\n', '']],
  ])('agrees with the engine on %s', (pattern, texts) => {
    for (const text of texts) {
      expect([text, linear(pattern, text)]).toEqual([text, new RegExp(pattern, 'u').test(text)]);
    }
  });

  it('agrees with the engine on any expression and text', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '^',
      '$',
      '\\b',
      '\\B',
    );
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        atom,
        fc.tuple(tie('node'), tie('node')).map(([left, right]) => left + right),
        fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(?:${left}|${right})`),
        fc
          .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'))
          .map(([inner, times]) => `(?:${inner})${times}`),
        tie('node').map((inner) => `(?=${inner})`),
        tie('node').map((inner) => `(?!${inner})`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(node, text, (pattern, given) => {
        expect(linear(pattern, given)).toBe(new RegExp(pattern, 'u').test(given));
      }),
      { numRuns: 3000 },
    );
  });

  it('spends a bounded number of steps', () => {
    const node = parseRegex('(?=a*b)x', 'u');
    const program = node && compileRegex(node);
    expect(program && runRegex(program, [...'a'.repeat(20_000)], 1_000_000)).toBe(false);
  });
});

describe('a pattern', () => {
  it('that is no regular expression is refused', () => {
    expect(compilePattern('[').ok).toBe(false);
    expect(compilePattern('(?<=').ok).toBe(false);
  });

  it('that is only valid without Unicode is taken as it was meant', () => {
    expect(compiled('^[\\w-.]+\\@x$').test('a-.@x')).toBe(true);
    expect(compiled('^a{,2}\\-$').test('a{,2}-')).toBe(true);
  });

  it('for names must be one that the engine is quick with', () => {
    expect(isSafeForNames('^x-')).toBe(true);
    expect(isSafeForNames('^[a-z]+$')).toBe(true);
    expect(isSafeForNames('^(a+)+$')).toBe(false);
    expect(isSafeForNames('^(.)\\1')).toBe(false);
  });
});
