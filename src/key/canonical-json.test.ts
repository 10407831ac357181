import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../call/json.ts';
import { canonicalize, deepestCanonical } from './canonical-json.ts';

const vectors = new URL('../../../shared/data/rfc8785/', import.meta.url);
const absent = !existsSync(vectors);

describe.skipIf(absent)('the RFC 8785 vectors (needs ../shared/data/rfc8785)', () => {
  const names = absent ? [] : readdirSync(new URL('input/', vectors));

  it.each(names)('%s', (name) => {
    const input: JsonValue = JSON.parse(readFileSync(new URL(`input/${name}`, vectors), 'utf8'));
    const hex = readFileSync(new URL(`outhex/${name.replace('.json', '.txt')}`, vectors), 'utf8');
    const expected = readFileSync(new URL(`output/${name}`, vectors), 'utf8');
    expect(canonicalize(input)).toBe(expected);
    expect(Buffer.from(canonicalize(input)).toString('hex')).toBe(hex.replaceAll(/\s/g, ''));
  });
});

/** RFC 8785, appendix B: the IEEE 754 bits of a double, and how it is written. */
const numbers = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

describe('canonicalize', () => {
  it.each(numbers)('writes the double %s as %s', (bits, text) => {
    expect(canonicalize(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each([
    ['-0', '0'],
    ['4.50', '4.5'],
    ['2e-3', '0.002'],
    ['1e-7', '1e-7'],
    ['1E30', '1e+30'],
    ['0.000000000000000000000000001', '1e-27'],
    ['100', '100'],
  ])('writes the number %s as %s', (written, text) => {
    expect(canonicalize(JSON.parse(written))).toBe(text);
  });

  it('escapes what must be escaped and nothing else', () => {
    const controls = '\b\t\n\f\r\u0000\u001f';
    expect(canonicalize(controls)).toBe('"\\b\\t\\n\\f\\r\\u0000\\u001f"');
    expect(canonicalize('"\\')).toBe('"\\"\\\\"');
    for (const text of [' !#[]^~\u007f\u0080ö€', '\u2028\u2029', '\ud7ff\ue000\uffff', '😂']) {
      expect(canonicalize(text)).toBe(`"${text}"`);
    }
  });

  it('sorts keys by UTF-16 unit, not by code point or by language', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '😀', '\u0080', 'ö', '10', '2', 'B', 'a'];
    const text = canonicalize(Object.fromEntries(keys.map((key) => [key, 0])));
    const order = ['\r', '1', '10', '2', 'B', 'a', '\u0080', 'ö', '\u20ac', '😀', '\ufb33'];
    expect(text).toBe(`{${order.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`);
  });

  it('sorts many keys as it sorts few', () => {
    const keys = Array.from({ length: 500 }, (_, index) => `k${(index * 7919) % 500}`);
    const object = Object.fromEntries(keys.map((key) => [key, key]));
    expect(Object.keys(JSON.parse(canonicalize(object)))).toEqual([...keys].sort());
  });

  it('sorts very many keys in the worst order without stalling', () => {
    const keys = Array.from({ length: 300_000 }, (_, index) => `k${1_000_000 - index}`);
    const text = canonicalize(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(text.slice(0, 11)).toBe('{"k1000000"');
  });

  it('writes the empty, the nested and the null-prototype', () => {
    expect(canonicalize({})).toBe('{}');
    expect(canonicalize([])).toBe('[]');
    expect(canonicalize([[], {}, [{ b: null, a: [true, false] }]])).toBe(
      '[[],{},[{"a":[true,false],"b":null}]]',
    );
    expect(canonicalize(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });

  it('keeps an own key named __proto__', () => {
    expect(canonicalize(JSON.parse('{"a":1,"__proto__":{"b":2}}'))).toBe(
      '{"__proto__":{"b":2},"a":1}',
    );
  });
});

describe('what has no canonical form is refused, by its place', () => {
  const circular: { self?: object } = {};
  circular.self = circular;

  it.each<[string, unknown, RegExp]>([
    ['NaN', { a: [1, Number.NaN] }, /NaN .*at \/a\/1$/],
    ['Infinity', Number.POSITIVE_INFINITY, /Infinity .*at the top$/],
    ['-Infinity', [Number.NEGATIVE_INFINITY], /-Infinity .*at \/0$/],
    ['half a pair at the end', { a: 'x\ud83d' }, /surrogate .*at \/a$/],
    ['half a pair the wrong way round', { a: '\ude02\ud83d' }, /surrogate .*at \/a$/],
    ['half a pair in a key', { a: { '\ude02': 1 } }, /surrogate .*at \/a\/\ude02$/],
    ['undefined', { a: { 'b/c~d': undefined } }, /undefined .*at \/a\/b~1c~0d$/],
    ['a hole in an array', new Array(2), /undefined .*at \/0$/],
    ['a bigint', { a: 1n }, /a bigint .*at \/a$/],
    ['a function', { toJSON: () => 1 }, /a function .*at \/toJSON$/],
    ['a symbol', [Symbol('s')], /a symbol .*at \/0$/],
    ['a Date', { a: new Date(0) }, /not plain .*at \/a$/],
    ['a Map', { a: new Map([['b', 1]]) }, /not plain .*at \/a$/],
    ['an object of a class', new (class Money {})(), /not plain .*at the top$/],
    ['an object within itself', circular, /in itself, under \/self\/self/],
  ])('%s', (_name, value, message) => {
    expect(() => canonicalize(value as JsonValue)).toThrow(TypeError);
    expect(() => canonicalize(value as JsonValue)).toThrow(message);
  });

  it('what is nested too deep, without running out of stack', () => {
    const nested = (levels: number): JsonValue =>
      Array.from({ length: levels }).reduce<JsonValue>((inner) => [inner], 1);
    expect(canonicalize(nested(deepestCanonical))).toHaveLength(2 * deepestCanonical + 1);
    expect(() => canonicalize(nested(deepestCanonical + 1))).toThrow(/deeper than 1000 levels/);
    expect(() => canonicalize(nested(100_000))).toThrow(/deeper than 1000 levels/);
  });

  it('with a message of bounded length', () => {
    expect(() => canonicalize({ ['k'.repeat(100_000)]: 1n as never })).toThrow(/^.{1,300}$/);
  });
});

describe('canonicalize, of any JSON value', () => {
  const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>;

  it('is stable: its own text, read and written again, is the same', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalize(value);
        expect(canonicalize(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    const keyed = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), json), { maxLength: 80 });
    fc.assert(
      fc.property(keyed, fc.infiniteStream(fc.nat()), (entries, ranks) => {
        const value = Object.fromEntries(entries);
        const shuffled = Object.entries(value)
          .map((entry) => ({ entry, rank: ranks.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ entry }) => entry);
        expect(canonicalize(Object.fromEntries(shuffled))).toBe(canonicalize(value));
      }),
    );
  });
});
