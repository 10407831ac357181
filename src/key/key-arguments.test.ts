import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../call/json.ts';
import { canonicalize } from './canonical-json.ts';
import { keyArguments } from './key-arguments.ts';

const shown = (schema: z.ZodType): JsonObject =>
  z.toJSONSchema(schema, { io: 'input' }) as unknown as JsonObject;

describe('ignored paths', () => {
  const args = {
    orderId: 1,
    reason: 'broken',
    items: [
      { sku: 'a', note: 'x' },
      { sku: 'b', note: 'y', meta: { note: 'z' } },
    ],
    meta: { source: 'chat', tags: [[{ text: 't', id: 1 }]] },
  };

  it.each<[string, string[], unknown]>([
    ['a property', ['reason', 'items', 'meta'], { orderId: 1 }],
    [
      'one inside each item of an array',
      ['items.note', 'reason', 'meta'],
      { orderId: 1, items: [{ sku: 'a' }, { sku: 'b', meta: { note: 'z' } }] },
    ],
    [
      'one inside an object inside an item',
      ['items.meta.note', 'items.note', 'reason', 'meta'],
      { orderId: 1, items: [{ sku: 'a' }, { sku: 'b', meta: {} }] },
    ],
    [
      'one below arrays of arrays',
      ['meta.tags.text', 'meta.source', 'items', 'reason'],
      { orderId: 1, meta: { tags: [[{ id: 1 }]] } },
    ],
    [
      'the whole where a part is named too',
      ['meta', 'meta.source', 'items', 'reason'],
      { orderId: 1 },
    ],
    [
      'a part where the whole was named before',
      ['items', 'items.note', 'meta', 'reason'],
      { orderId: 1 },
    ],
    ['nothing for a path that is not there', ['other', 'orderId.x', 'reason.y'], args],
  ])('leave out %s', (_name, ignore, expected) => {
    expect(keyArguments(args, { ignore })).toEqual(expected);
  });

  it.each(['', '.', 'a.', '.a', 'a..b'])('%j is no path', (path) => {
    expect(() => keyArguments({}, { ignore: [path] })).toThrow(TypeError);
  });

  it('are not filled in from a default', () => {
    const schema = shown(z.object({ id: z.int(), note: z.string().default('none') }));
    expect(keyArguments({ id: 1 }, { ignore: ['note'], schema })).toEqual({ id: 1 });
  });
});

describe('defaults and optional nulls', () => {
  const same = (schema: JsonObject, ...ways: JsonObject[]): void => {
    const texts = ways.map((way) => canonicalize(keyArguments(way, { schema })));
    expect(new Set(texts).size, texts.join('\n')).toBe(1);
  };
  const distinct = (schema: JsonObject, ...ways: JsonObject[]): void => {
    const texts = ways.map((way) => canonicalize(keyArguments(way, { schema })));
    expect(new Set(texts).size, texts.join('\n')).toBe(ways.length);
  };

  it('a default said and left out is one intent, also inside objects and items', () => {
    const schema = shown(
      z.object({
        currency: z.string().default('EUR'),
        to: z.object({ country: z.string().default('DE'), city: z.string() }).optional(),
        lines: z.array(z.object({ sku: z.string(), count: z.int().default(1) })),
      }),
    );
    same(
      schema,
      { lines: [{ sku: 'a' }], to: { city: 'Ulm' } },
      { lines: [{ sku: 'a', count: 1 }], to: { city: 'Ulm', country: 'DE' }, currency: 'EUR' },
    );
    distinct(
      schema,
      { lines: [] },
      { lines: [], currency: 'USD' },
      { lines: [{ sku: 'a' }] },
      { lines: [{ sku: 'a', count: 2 }] },
      { lines: [], to: { city: 'Ulm' } },
    );
  });

  it('an optional null and nothing are one intent; a required null is none of them', () => {
    const schema = shown(
      z.object({
        note: z.string().nullable().optional(),
        limit: z.int().nullish(),
        until: z.string().nullable(),
      }),
    );
    same(schema, { until: null }, { until: null, note: null, limit: null });
    distinct(schema, { until: null }, { until: 'today' }, { until: null, note: 'null' });
    expect(keyArguments({ until: null, note: null }, { schema })).toEqual({ until: null });
  });

  it('null beside another default says something', () => {
    const schema = shown(z.object({ limit: z.int().nullable().default(5) }));
    same(schema, {}, { limit: 5 });
    distinct(schema, {}, { limit: null }, { limit: 6 });
  });

  it('a default of null is nothing', () => {
    const schema = shown(z.object({ limit: z.int().nullable().default(null) }));
    same(schema, {}, { limit: null });
  });

  it('null in a map of free names, or in an array, says something', () => {
    const schema = shown(
      z.object({ set: z.record(z.string(), z.string().nullable()), list: z.array(z.null()) }),
    );
    distinct(
      schema,
      { set: { a: null }, list: [] },
      { set: {}, list: [] },
      { set: {}, list: [null] },
    );
  });

  it('a filled-in object is itself filled in', () => {
    const inner = z.object({ a: z.int().default(1), b: z.int().default(2) });
    const schema = shown(z.object({ o: inner.prefault({}) }));
    same(
      { ...schema, properties: { o: { default: {}, properties: { a: { default: 1 } } } } },
      {},
      { o: {} },
      { o: { a: 1 } },
    );
    same(schema, {}, { o: {} }, { o: { a: 1 } }, { o: { b: 2, a: 1 } });
  });

  it('local references are followed, with a default beside them or behind them', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/place' },
        to: { $ref: '#/$defs/place', default: { city: 'Ulm' } },
        unit: { $ref: '#/definitions/a~1b%20c' },
        lists: { $ref: '#/$defs/lists/0' },
      },
      $defs: {
        place: { type: 'object', properties: { country: { default: 'DE' }, city: {} } },
        lists: [{ items: { $ref: '#/$defs/place' } }],
      },
      definitions: { 'a/b c': { type: 'string', default: 'kg' } },
    };
    same(
      schema,
      { from: { city: 'Bonn' }, lists: [{}] },
      {
        from: { city: 'Bonn', country: 'DE' },
        to: { city: 'Ulm', country: 'DE' },
        unit: 'kg',
        lists: [{ country: 'DE' }],
      },
    );
  });

  it('a schema that holds itself is filled in as deep as the arguments go', () => {
    const tree: JsonObject = {
      properties: { name: { default: 'x' }, children: { type: 'array', items: { $ref: '#' } } },
    };
    same(
      tree,
      { children: [{ children: [{}] }] },
      { name: 'x', children: [{ name: 'x', children: [{ name: 'x' }] }] },
    );
  });

  it('defaults without end, and references in a circle, end', () => {
    const endless: JsonObject = {
      properties: { one: { $ref: '#', default: {} }, two: { $ref: '#', default: {} } },
      allOf: [{ $ref: '#' }, { $ref: '#/allOf/0' }],
      $ref: '#',
    };
    expect(canonicalize(keyArguments({}, { schema: endless })).length).toBeLessThan(1000);
  });

  it.each(['#/nowhere/at/all', '#/%', 'https://example.com/schema', '#anchor'])(
    'a reference to %s fills nothing in',
    ($ref) => {
      expect(keyArguments({ a: {} }, { schema: { properties: { a: { $ref } } } })).toEqual({
        a: {},
      });
    },
  );

  it('of a union, the branch that is meant', () => {
    const schema = shown(
      z.object({
        pay: z.discriminatedUnion('by', [
          z.object({ by: z.literal('card'), retries: z.int().default(3) }),
          z.object({ by: z.literal('bank'), retries: z.int().default(0) }),
        ]),
        ship: z.object({ fast: z.boolean().default(false) }).nullable(),
        size: z.union([z.string(), z.object({ cm: z.int(), exact: z.boolean().default(true) })]),
      }),
    );
    same(
      schema,
      { pay: { by: 'card' }, ship: {}, size: { cm: 3 } },
      { pay: { by: 'card', retries: 3 }, ship: { fast: false }, size: { cm: 3, exact: true } },
    );
    same(
      schema,
      { pay: { by: 'bank' }, ship: null, size: 'S' },
      { pay: { by: 'bank', retries: 0 }, ship: null, size: 'S' },
    );
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['by what it requires', { required: ['a'] }, { required: ['b'] }],
    ['by type', { properties: { x: {} } }, { type: 'string' }],
    ['since the other is nothing', {}, false as never],
    ['by a constant', { properties: { b: { const: 1 } } }, { properties: { b: { const: 2 } } }],
    ['by a constant of null', { properties: { b: {} } }, { properties: { b: { const: null } } }],
    ['by an enum', { properties: { b: { enum: [1, 2] } } }, { properties: { b: { enum: [3] } } }],
    ['by its reference', { $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }],
  ])('the branch of a union is told %s', (_how, one, other) => {
    const d = { d: { default: 7 } };
    const branch = one.$ref
      ? one
      : { ...one, properties: { ...(one.properties as JsonObject), ...d } };
    const $defs = {
      one: { type: ['null', 'object'], properties: { b: { $ref: '#/$defs/yes' }, ...d } },
      two: { properties: { b: { enum: [false] } } },
      yes: { const: true },
    };
    const u = one.required ? { a: 1 } : { b: one.$ref ? true : 1 };
    for (const key of ['anyOf', 'oneOf']) {
      const schema: JsonObject = { properties: { u: { [key]: [branch, other] } }, $defs };
      expect(keyArguments({ u }, { schema })).toEqual({ u: { ...u, d: 7 } });
    }
  });

  it('a branch with an enum of objects is not ruled out', () => {
    const u = { properties: { k: { enum: [{ a: 1 }] }, d: { default: 7 } } };
    const schema: JsonObject = { properties: { u: { anyOf: [u, { type: 'string' }] } } };
    const args = { u: { k: { a: 1 } } };
    expect(keyArguments(args, { schema })).toEqual({ u: { k: { a: 1 }, d: 7 } });
  });

  it('of a union that leaves it open, nothing', () => {
    const schema: JsonObject = {
      anyOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 } } }],
    };
    expect(keyArguments({}, { schema })).toEqual({});
  });

  it('tuples, of draft 2020-12 and of draft-07', () => {
    const item = { properties: { n: { default: 1 } } };
    const rest = { properties: { m: { default: 2 } } };
    const tuples: JsonObject[] = [
      { properties: { t: { prefixItems: [item], items: rest } } },
      { properties: { t: { items: [item], additionalItems: rest } } },
    ];
    for (const schema of tuples)
      same(schema, { t: [{}, {}, {}] }, { t: [{ n: 1 }, { m: 2 }, { m: 2 }] });
  });

  it('maps of objects', () => {
    const schema = shown(
      z.object({ m: z.record(z.string(), z.object({ n: z.int().default(1) })) }),
    );
    same(schema, { m: { x: {} } }, { m: { x: { n: 1 } } });
  });
});

describe('keyArguments', () => {
  it('leaves its input as it is', () => {
    const schema: JsonObject = {
      properties: { a: { default: { deep: [] } }, n: {}, o: { properties: { d: { default: 1 } } } },
    };
    const args = { n: null, o: { x: [{ y: 1 }] }, reason: 'r' };
    const before = JSON.stringify([args, schema]);
    expect(keyArguments(args, { ignore: ['reason', 'o.x.y'], schema })).toEqual({
      a: { deep: [] },
      o: { x: [{}], d: 1 },
    });
    expect(JSON.stringify([args, schema])).toBe(before);
  });

  it('takes arguments named like what every object has', () => {
    const args: JsonObject = JSON.parse(
      '{"constructor":null,"toString":{"a":1},"__proto__":{"b":2}}',
    );
    const schema: JsonObject = { properties: { a: {} } };
    expect(canonicalize(keyArguments(args, { schema, ignore: ['valueOf'] }))).toBe(
      canonicalize(args),
    );
  });

  it('fills in a default under such a name', () => {
    const schema: JsonObject = JSON.parse(
      '{"properties":{"constructor":{"default":1},"__proto__":{"default":2}}}',
    );
    expect(canonicalize(keyArguments({}, { schema }))).toBe('{"__proto__":2,"constructor":1}');
  });

  it('hands on what is too deep for a key, without running out of stack', () => {
    const deep: JsonObject = JSON.parse(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    expect(() => canonicalize(keyArguments(deep, {}))).toThrow(/deeper than/);
  });

  it('changes nothing without rules, whatever the arguments', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        expect(canonicalize(keyArguments(args as JsonObject, {}))).toBe(
          canonicalize(args as JsonObject),
        );
      }),
    );
  });
});
