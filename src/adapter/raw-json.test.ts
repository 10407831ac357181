import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemTexts, memberTexts } from './raw-json.ts';

describe('raw JSON', () => {
  it('has each number, name and space as it is written', () => {
    const text =
      '{ "a" : 9007199254740993 , "b,": {"x":1, "x":2}, "\\u0063":[ "]}" ,{}], "__proto__":{"a":1} }';
    expect([...memberTexts(text)]).toEqual([
      ['a', '9007199254740993'],
      ['b,', '{"x":1, "x":2}'],
      ['c', '[ "]}" ,{}]'],
      ['__proto__', '{"a":1}'],
    ]);
    expect(itemTexts('[ "]}" ,{}, "\\\\", "\\""]')).toEqual(['"]}"', '{}', '"\\\\"', '"\\""']);
    expect(itemTexts(' [ ] ')).toEqual([]);
    expect(memberTexts('{}').size).toBe(0);
  });

  it('takes the last of two equal names, as parsers do', () => {
    expect(memberTexts('{"a":1,"\\u0061":2}').get('a')).toBe('2');
  });

  it('says of any JSON what it is made of', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (value, indent) => {
        const texts = memberTexts(JSON.stringify(value, null, indent));
        const read = [...texts].map(([name, text]) => [name, JSON.parse(text)]);
        expect(read).toEqual(Object.entries(JSON.parse(JSON.stringify(value))));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(2), (value, indent) => {
        const texts = itemTexts(JSON.stringify(value, null, indent));
        expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
