import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idKeyOf, readMessages } from './message.ts';
import { cutOut, rawItems, rawObject, splice } from './raw-json.ts';

describe('rawObject', () => {
  it('finds each member as JSON.parse does, whatever the text', () => {
    const blanks = fc.constantFrom(0, 1, '\t');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), blanks, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const raw = rawObject(text);
        const read = [...(raw?.members ?? [])].map(([key, span]) => [
          key,
          JSON.parse(cutOut(text, span)) as unknown,
        ]);
        expect(new Map(read as [string, unknown][])).toEqual(
          new Map(Object.entries(JSON.parse(text) as object)),
        );
        expect(raw?.twin).toBeUndefined();
        expect(raw?.close).toBe(text.length - 1);
      }),
    );
  });

  it('names a key that stands twice, however it is written', () => {
    expect(rawObject('{"arguments":1,"argum\\u0065nts":2}')?.twin).toBe('arguments');
  });

  it('gives what is whole of a text that breaks', () => {
    const text = '{"id":7,"params":{"a":[1,01 x]},"method":"x"';
    const raw = rawObject(text);
    expect([...(raw?.members.keys() ?? [])]).toEqual(['id', 'params', 'method']);
    expect(raw?.close).toBe(-1);
    expect(rawObject('[1]')).toBeUndefined();
  });
});

describe('rawItems', () => {
  it('finds each item as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const items = rawItems(text)?.map((span) => JSON.parse(cutOut(text, span)) as unknown);
        expect(items).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('splice', () => {
  it('leaves every other character as it is', () => {
    const span = (start: number, end: number) => ({ start, end });
    const changes = [
      { span: span(4, 5), with: 'E' },
      { span: span(1, 1), with: '-' },
    ];
    expect(splice('abcdef', changes)).toBe('a-bcdEf');
  });
});

describe('readMessages', () => {
  it.each([
    ['{"id":1,"method":"a"}', 'request'],
    ['{"method":"a"}', 'notification'],
    ['{"id":"x","result":{}}', 'response'],
    ['{"id":"x","error":{}}', 'response'],
    ['{"id":"x","error":{},"result":{}}', 'malformed'],
    ['{"id":null,"method":"a"}', 'malformed'],
    ['{"id":1,"id":2,"method":"a"}', 'malformed'],
    ['7', 'malformed'],
    ['{"id":1', 'malformed'],
  ])('takes %s for a %s', (text, kind) => {
    expect(readMessages(text).map((message) => message.kind)).toEqual([kind]);
  });

  it('takes a batch apart', () => {
    const messages = readMessages('[{"method":"a"}, {"id":1,"method":"b"},3]');
    expect(messages.map(({ text }) => text)).toEqual([
      '{"method":"a"}',
      '{"id":1,"method":"b"}',
      '3',
    ]);
  });
});

describe('idKeyOf', () => {
  it('takes one number for one, and no text for a number', () => {
    expect(idKeyOf('1.0')).toBe(idKeyOf('1'));
    expect(idKeyOf('"1"')).not.toBe(idKeyOf('1'));
    expect(idKeyOf('9007199254740993')).not.toBe(idKeyOf('9007199254740992'));
    expect(idKeyOf('null')).toBeUndefined();
  });
});
