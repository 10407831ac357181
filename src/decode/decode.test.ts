import { type } from 'arktype';
import fc from 'fast-check';
import { Settings } from 'typebox/system';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../call/json.ts';
import { ok } from '../call/result.ts';
import type { AnyTool, InputSchema } from '../call/tool.ts';
import type { Defect, ToolError } from '../call/tool-error.ts';
import { decode } from './decode.ts';
import { tool } from './define-tool.ts';
import { toolset } from './toolset.ts';

// Property tests on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function reading(name: string, input: InputSchema): AnyTool {
  return tool({ name, description: name, effect: 'read', input, run: () => ok('Done.') });
}

/** What decoding these arguments for a tool with this input finds. */
function defectsFor(input: InputSchema, args: unknown): readonly Defect[] {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  const step = decode(toolset([reading('probe', input)]), { name: 'probe', arguments: text });
  return step.ok ? [] : step.error.defects;
}

describe('five samples', () => {
  let asked = 0;
  const getOrder = tool({
    name: 'getOrder',
    description: 'Reads one order.',
    effect: 'read',
    input: z.object({ orderId: z.int() }).refine(() => {
      asked++;
      return true;
    }),
    run: ({ orderId }) => ok('Found.', { orderId }),
  });
  const decodeOne = (name: string, text: string) => {
    asked = 0;
    return decode(toolset([getOrder]), { name, arguments: text });
  };
  const errorOf = (name: string, text: string): ToolError | undefined => {
    const step = decodeOne(name, text);
    return step.ok ? undefined : step.error;
  };

  it('a good call is decoded', () => {
    expect(decodeOne('getOrder', '{"orderId":4512}')).toMatchObject({
      ok: true,
      value: { name: 'getOrder', input: { orderId: 4512 }, args: { orderId: 4512 }, ordinal: 1 },
    });
    expect(asked).toBe(1);
  });

  it('an unknown tool is named before its arguments are looked at', () => {
    for (const text of ['{"orderId":7781}', '{"orderId":', '', '{"a":1,"a":2}']) {
      expect(errorOf('cancelOrder', text)).toEqual({
        code: 'unknown_tool',
        tool: 'cancelOrder',
        received: text,
        defects: [{ code: 'unknown_tool', name: 'cancelOrder', allowed: ['getOrder'] }],
      });
      expect(asked).toBe(0);
    }
  });

  it('a missing argument is named', () => {
    expect(errorOf('getOrder', '{}')?.defects).toEqual([
      {
        code: 'missing_argument',
        path: '/orderId',
        parameterName: 'orderId',
        expectedShape: 'an integer',
      },
    ]);
    expect(asked).toBe(0);
  });

  it('a text for a number is named', () => {
    expect(errorOf('getOrder', '{"orderId":"ABC-12"}')?.defects).toEqual([
      {
        code: 'invalid_argument_shape',
        path: '/orderId',
        parameterName: 'orderId',
        expectedShape: 'an integer',
        actualShape: 'a string',
        received: 'ABC-12',
      },
    ]);
    expect(asked).toBe(0);
  });

  it('a text that is cut off is named, and its text kept', () => {
    expect(errorOf('getOrder', '{"orderId":45')).toMatchObject({
      code: 'invalid_json',
      received: '{"orderId":45',
      defects: [{ problem: 'truncated', line: 1, column: 14 }],
    });
    expect(asked).toBe(0);
  });
});

describe('the list of tools', () => {
  const tools = toolset(['get_order', 'refund_order', 'toString'].map((name) => reading(name, {})));

  it('is closed, also to what every object has', () => {
    for (const name of [
      '__proto__',
      'constructor',
      'hasOwnProperty',
      '',
      'GET_ORDER',
      ' get_order',
    ]) {
      expect(decode(tools, { name, arguments: '{}' })).toMatchObject({
        error: { code: 'unknown_tool' },
      });
    }
    expect(decode(tools, { name: 'toString', arguments: '{}' }).ok).toBe(true);
  });

  it('suggests the nearest name', () => {
    const nearest = (name: string) => {
      const step = decode(tools, { name, arguments: '{}' });
      return step.ok ? undefined : (step.error.defects[0] as { nearest?: string }).nearest;
    };
    expect(nearest('getOrder')).toBe('get_order');
    expect(nearest('refund-order')).toBe('refund_order');
    expect(nearest('refnud_order')).toBe('refund_order');
    expect(nearest('send_email')).toBeUndefined();
    expect(nearest('x'.repeat(100_000))).toBeUndefined();
  });

  it('can be shortened for one call', () => {
    const allowed = (each: AnyTool): boolean => each.name !== 'refund_order';
    expect(decode(tools, { name: 'refund_order', arguments: '{' }, { allowed })).toMatchObject({
      error: { defects: [{ code: 'unknown_tool', allowed: ['get_order', 'toString'] }] },
    });
    expect(decode(tools, { name: 'get_order', arguments: '{}' }, { allowed }).ok).toBe(true);
  });

  it('has each name once, case aside', () => {
    const twice = (...names: string[]) => toolset(names.map((name) => reading(name, {})));
    expect(() => twice('a', 'b', 'a')).toThrow(/two tools are named "a"/);
    expect(() => twice('getOrder', 'getorder')).toThrow(/differ only in case/);
  });
});

describe('traps', () => {
  const coercing = z.object({ n: z.coerce.number(), b: z.coerce.boolean().optional() });

  it.each([
    [null, 'null'],
    ['', 'an empty string'],
    [true, 'a boolean'],
    [[7], 'a list'],
    ['0x10', 'a string'],
  ])('%j does not become a number', (n, actualShape) => {
    expect(defectsFor(coercing, { n })).toMatchObject([
      {
        code: 'invalid_argument_shape',
        parameterName: 'n',
        expectedShape: 'a number',
        actualShape,
      },
    ]);
  });

  it('"false" does not become true', () => {
    expect(defectsFor(coercing, { n: 1, b: 'false' })).toMatchObject([
      {
        code: 'invalid_argument_shape',
        expectedShape: 'a boolean, true or false',
        actualShape: 'a string holding a boolean',
      },
    ]);
  });

  it('an argument that the tool does not have is named, with the one that was meant', () => {
    const input = z.object({ orderId: z.int(), reason: z.string().optional() });
    expect(defectsFor(input, { orderId: 1, force: true })).toEqual([
      { code: 'unexpected_argument', path: '/force', parameterName: 'force', received: true },
    ]);
    expect(defectsFor(input, { orderId: 1, raeson: 'x' })).toMatchObject([
      { code: 'unexpected_argument', parameterName: 'raeson', nearest: 'reason' },
    ]);
    expect(defectsFor(input, { order_id: 1 })).toMatchObject([
      { code: 'missing_argument', parameterName: 'orderId' },
      { code: 'unexpected_argument', parameterName: 'order_id', nearest: 'orderId' },
    ]);
  });

  it('a value inside a string is named as such', () => {
    const input = z.object({
      list: z.array(z.string()).optional(),
      object: z.object({ a: z.int() }).optional(),
      flag: z.boolean().optional(),
      count: z.int().optional(),
    });
    const shapes = (args: JsonObject) =>
      defectsFor(input, args).map((defect) => 'actualShape' in defect && defect.actualShape);
    expect(shapes({ list: '["a"]' })).toEqual(['a string holding a list']);
    expect(shapes({ object: '{"a":1}' })).toEqual(['a string holding an object']);
    expect(shapes({ flag: 'True' })).toEqual(['a string holding a boolean']);
    expect(shapes({ count: '12' })).toEqual(['a string holding an integer']);
    expect(shapes({ count: 'None' })).toEqual(['a string holding null']);
    expect(shapes({ count: 'twelve' })).toEqual(['a string']);
  });

  it.each([
    ['Celcius', 'celsius'],
    ['CELSIUS', 'celsius'],
    ['c', 'celsius'],
    ['fahrenheit ', 'fahrenheit'],
  ])('%j is near an allowed value', (unit, nearest) => {
    expect(
      defectsFor(z.object({ unit: z.enum(['celsius', 'fahrenheit']) }), { unit }),
    ).toMatchObject([
      {
        code: 'invalid_argument_shape',
        expectedShape: 'one of "celsius", "fahrenheit"',
        received: unit,
        nearest,
      },
    ]);
  });

  it('a value that is near none has no nearest one', () => {
    const [defect] = defectsFor(z.object({ unit: z.enum(['celsius', 'fahrenheit']) }), {
      unit: 'kelvin',
    });
    expect(defect).not.toHaveProperty('nearest');
  });

  it('null for what is required is null', () => {
    expect(defectsFor(z.object({ id: z.string() }), { id: null })).toMatchObject([
      {
        code: 'invalid_argument_shape',
        expectedShape: 'a string',
        actualShape: 'null',
        received: null,
      },
    ]);
  });

  it.each(['2024-02-30', '2024-1-1', '01/02/2024', 'tomorrow', '2024-01-01T00:00:00Z'])(
    '%s is no date',
    (when) => {
      for (const input of [
        z.object({ when: z.iso.date() }),
        { properties: { when: { type: 'string', format: 'date' } } },
      ]) {
        expect(defectsFor(input, { when })).toMatchObject([
          { code: 'invalid_argument_shape', expectedShape: 'a date, yyyy-MM-dd', received: when },
        ]);
      }
    },
  );

  it.each([
    ['date-time', '2024-01-01 10:00', '2024-01-01T10:00:00+02:00'],
    ['time', '25:00:00Z', '10:00:00Z'],
    ['email', 'ann@', 'ann@example.com'],
    ['uri', 'example', 'https://example.com/?q=1'],
    ['uuid', '123', '6f1c2b0e-9f0f-4e0f-8a53-0d8c8f8b7c11'],
    ['ipv4', '1.2.3', '1.2.3.4'],
    ['ipv6', '1::2::3', '::1'],
    ['duration', '1 day', 'P1D'],
    ['regex', '(', '^a$'],
    ['hostname', '-x', 'example.com'],
  ])('the format %s is enforced', (format, bad, good) => {
    const input = { properties: { v: { type: 'string', format } } };
    expect(defectsFor(input, { v: bad })).toMatchObject([{ code: 'invalid_argument_shape' }]);
    expect(defectsFor(input, { v: good })).toEqual([]);
  });

  it('a prototype reaches no validator', () => {
    expect(defectsFor(z.object({ orderId: z.int() }), '{"__proto__":{"orderId":1}}')).toMatchObject(
      [{ code: 'forbidden_key' }],
    );
    for (const name of ['toString', 'valueOf', 'constructor', 'hasOwnProperty']) {
      expect(defectsFor(z.object({ id: z.int() }), `{"id":1,"${name}":1}`)).toMatchObject([
        { code: 'unexpected_argument', parameterName: name },
      ]);
    }
  });

  it('an integer is exact, or named', () => {
    const plain = { properties: { id: { type: 'integer' }, size: { type: 'number' } } };
    for (const input of [
      plain,
      z.object({ id: z.int().optional(), size: z.number().optional() }),
    ]) {
      expect(defectsFor(input, '{"id":1e20}')).toMatchObject([
        { code: 'unsafe_number', parameterName: 'id', problem: 'too_large' },
      ]);
      expect(defectsFor(input, '{"id":-1e20}')).toMatchObject([{ code: 'unsafe_number' }]);
      expect(defectsFor(input, '{"id":1e3,"size":1e20}')).toEqual([]);
      expect(defectsFor(input, '{"id":1.5}')).toMatchObject([
        { code: 'invalid_argument_shape', expectedShape: 'an integer', actualShape: 'a number' },
      ]);
    }
  });

  it('blank text is {} for a closed schema that declares no properties at all', () => {
    const bare = tool({
      name: 'bare',
      description: 'Takes nothing.',
      effect: 'read',
      input: { type: 'object', additionalProperties: false },
      run: () => ok('Done.'),
    });
    const patterned = tool({
      name: 'patterned',
      description: 'Takes what its names allow.',
      effect: 'read',
      input: { type: 'object', additionalProperties: false, patternProperties: { '^x': {} } },
      run: () => ok('Done.'),
    });
    const both = toolset([bare, patterned]);
    expect(decode(both, { name: 'bare', arguments: ' ' })).toMatchObject({ ok: true });
    expect(decode(both, { name: 'patterned', arguments: '' })).toMatchObject({ ok: false });
  });

  it('blank text is an error, but for a tool that takes nothing', () => {
    expect(defectsFor(z.object({ id: z.int().optional() }), ' ')).toMatchObject([
      { code: 'invalid_json', problem: 'blank' },
    ]);
    expect(defectsFor(z.object({}), ' \n')).toEqual([]);
    expect(defectsFor({ type: 'object' }, '')).toEqual([]);
    expect(defectsFor({ type: 'object', additionalProperties: true }, '')).toMatchObject([
      { problem: 'blank' },
    ]);
  });
});

describe('unions', () => {
  const nullable = z.object({
    note: z.string().nullable().optional(),
    size: z.enum(['s', 'm']).nullish(),
    at: z.object({ city: z.string(), zip: z.string() }).nullish(),
    target: z.union([z.int(), z.array(z.int())]).optional(),
  });

  it('take null where it is allowed', () => {
    expect(defectsFor(nullable, { note: null, size: null, at: null })).toEqual([]);
  });

  it('give one defect, in the words of the union', () => {
    expect(defectsFor(nullable, { note: 1, size: 'M ', target: 'x' })).toMatchObject([
      { parameterName: 'note', expectedShape: 'a string or null', actualShape: 'an integer' },
      { parameterName: 'size', expectedShape: 'one of "s", "m" or null', nearest: 'm' },
      { parameterName: 'target', expectedShape: 'an integer or a list of integers' },
    ]);
  });

  it('give what is wrong inside the branch that was meant', () => {
    expect(defectsFor(nullable, { at: { city: 1 } })).toMatchObject([
      { code: 'missing_argument', path: '/at/zip', parameterName: 'at.zip' },
      { code: 'invalid_argument_shape', path: '/at/city', parameterName: 'at.city' },
    ]);
    expect(defectsFor(nullable, { target: [1, '2'] })).toMatchObject([
      { path: '/target/1', parameterName: 'target.1', expectedShape: 'an integer' },
    ]);
  });

  it('are told apart by a constant, wherever it stands', () => {
    const shape = z.union([
      z.object({ width: z.number(), height: z.number(), kind: z.literal('box') }),
      z.object({ radius: z.number(), kind: z.literal('ball') }),
    ]);
    expect(defectsFor(z.object({ shape }), { shape: { kind: 'box', radius: 1 } })).toMatchObject([
      { code: 'missing_argument', parameterName: 'shape.width' },
      { code: 'missing_argument', parameterName: 'shape.height' },
      { code: 'unexpected_argument', parameterName: 'shape.radius' },
    ]);
  });

  it('of constants name the nearest', () => {
    expect(
      defectsFor(type({ unit: "'celsius' | 'kelvin' | null" }), { unit: 'Kelvin' }),
    ).toMatchObject([{ expectedShape: '"celsius", "kelvin" or null', nearest: 'kelvin' }]);
  });

  it('that several branches pass where one may are named as that', () => {
    const input = {
      properties: { v: { oneOf: [{ type: 'number' }, { type: 'integer' }] } },
      oneOf: [{ required: ['v'] }, { properties: { v: true } }],
    };
    expect(defectsFor(input, { v: 1.5 })).toMatchObject([{ code: 'invalid_arguments', path: '' }]);
  });

  it('by condition name what the condition asks for', () => {
    const input = {
      type: 'object',
      properties: { kind: { enum: ['card', 'cash'] }, number: { type: 'string' } },
      if: { properties: { kind: { const: 'card' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['number'] },
    };
    expect(defectsFor(input, { kind: 'cash' })).toEqual([]);
    expect(defectsFor(input, { kind: 'card' })).toMatchObject([
      { code: 'missing_argument', parameterName: 'number', expectedShape: 'a string' },
    ]);
  });
});

describe('unevaluatedProperties of the author', () => {
  const input = {
    type: 'object',
    properties: { kind: { enum: ['card', 'cash'] } },
    if: { properties: { kind: { const: 'card' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { number: { type: 'string' } }, required: ['number'] },
    unevaluatedProperties: false,
  };

  it('count what the parts that hold declare', () => {
    expect(defectsFor(input, { kind: 'card', number: '1' })).toEqual([]);
    expect(defectsFor(input, { kind: 'cash' })).toEqual([]);
    expect(defectsFor(input, { kind: 'cash', force: true })).toMatchObject([
      { code: 'unexpected_argument', parameterName: 'force' },
    ]);
    expect(defectsFor(input, { kind: 'card' })).toMatchObject([
      { code: 'missing_argument', parameterName: 'number' },
    ]);
  });

  it('do not count what stands inside a property', () => {
    const map = {
      type: 'object',
      properties: { a: {} },
      unevaluatedProperties: { properties: { b: {} }, required: ['b'] },
    };
    expect(defectsFor(map, { c: { b: 1 } })).toEqual([]);
    expect(defectsFor(map, { c: { b: 1 }, b: {} })).toMatchObject([
      { code: 'unexpected_argument', parameterName: 'b' },
    ]);
  });
});

describe('all that is wrong', () => {
  it('is told at once: what is missing, what is wrong, what is too much', () => {
    const input = z.object({
      a: z.string(),
      b: z.int().min(1),
      c: z.array(z.string()).max(2),
      d: z.object({ e: z.boolean() }),
    });
    const args = { b: 0, c: ['x', 1, 'y'], d: { f: 1 }, g: 1 };
    expect(
      defectsFor(input, args).map((defect) => [defect.code, 'path' in defect && defect.path]),
    ).toEqual([
      ['missing_argument', '/a'],
      ['missing_argument', '/d/e'],
      ['invalid_argument_shape', '/b'],
      ['invalid_argument_shape', '/c/1'],
      ['invalid_argument_shape', '/c'],
      ['unexpected_argument', '/d/f'],
      ['unexpected_argument', '/g'],
    ]);
  });

  it('is told once for each place, by what was found first', () => {
    const input = {
      properties: {
        pair: { type: 'object', not: { required: ['a', 'b'] }, maxProperties: 1 },
      },
    };
    expect(defectsFor(input, { pair: { a: 1, b: 2 } })).toEqual([
      {
        code: 'invalid_arguments',
        path: '/pair',
        parameterName: 'pair',
        detail: 'The values are not allowed together.',
      },
    ]);
  });

  it('is told up to a bound, however much it is', () => {
    const input = z.object({ list: z.array(z.int()) });
    expect(defectsFor(input, { list: Array(50_000).fill('x') })).toHaveLength(20);
    const names = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    expect(defectsFor(z.object({}), names)).toHaveLength(20);
  });
});

describe('shapes in words', () => {
  const wordsFor = (schema: JsonObject): string => {
    const [defect] = defectsFor({ properties: { v: schema }, required: ['v'] }, {});
    return defect?.code === 'missing_argument' ? defect.expectedShape : '';
  };

  it.each<[JsonObject, string]>([
    [{ type: 'string' }, 'a string'],
    [{ type: 'string', minLength: 1 }, 'a string of at least 1 character'],
    [{ type: 'string', minLength: 2, maxLength: 5 }, 'a string of 2 to 5 characters'],
    [{ type: 'string', pattern: '^TCK-\\d+$' }, 'a string matching ^TCK-\\d+$'],
    [{ type: 'integer' }, 'an integer'],
    [{ type: 'integer', minimum: 1 }, 'an integer of at least 1'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 'a number from 0 to 1'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'a number greater than 0'],
    [{ type: 'integer', multipleOf: 5 }, 'an integer that is a multiple of 5'],
    [{ type: 'boolean' }, 'a boolean, true or false'],
    [{ type: 'null' }, 'null'],
    [{ type: ['string', 'null'] }, 'a string or null'],
    [{ enum: ['a', 'b', 3] }, 'one of "a", "b", 3'],
    [{ const: 'a' }, '"a"'],
    [{ type: 'string', format: 'date' }, 'a date, yyyy-MM-dd'],
    [{ type: 'array' }, 'a list'],
    [{ type: 'array', items: { type: 'string' } }, 'a list of strings'],
    [{ type: 'array', items: { type: 'integer', minimum: 1 } }, 'a list of integers of at least 1'],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, 'a list of at least 1 strings'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'a list of values, each one of "a", "b"'],
    [
      { type: 'array', uniqueItems: true, items: { type: 'string' } },
      'a list of strings, no two the same',
    ],
    [{ type: 'object' }, 'an object'],
    [{ type: 'object', properties: { a: {}, b: {} } }, 'an object with a, b'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'an integer or null'],
    [{}, 'a value'],
  ])('%j is %s', (schema, words) => {
    expect(wordsFor(schema)).toBe(words);
  });
});

describe('whatever comes', () => {
  const tools = toolset([
    reading('plain', z.object({ id: z.int(), tags: z.array(z.string()).optional() })),
    reading('json', z.object({ any: z.json() })),
    reading('nothing', {}),
  ]);

  it('is decoded or named, and never throws', () => {
    const name = fc.oneof(fc.constantFrom('plain', 'json', 'nothing'), fc.anything());
    const text = fc.oneof(
      fc.json(),
      fc.json().map((json) => `{"id":1,"any":${json}}`),
      fc.string({ unit: 'binary' }),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
    );
    fc.assert(
      fc.property(name, text, (asked, given) => {
        const step = decode(tools, { name: asked, arguments: given } as never);
        if (!step.ok) expect(step.error.code).toBe(step.error.defects[0].code);
      }),
      { numRuns: 5000 },
    );
  });

  it('is no call at all', () => {
    const trap = {
      get name(): string {
        throw new Error('no');
      },
    };
    const causes: unknown[] = [];
    for (const call of [undefined, null, 12, 'plain', {}, [], trap]) {
      expect(decode(tools, call as never, { onError: (cause) => causes.push(cause) }).ok).toBe(
        false,
      );
    }
    expect(causes.length).toBeGreaterThan(0);
  });

  it('is told of by a logger that throws', () => {
    const onError = (): never => {
      throw new Error('no');
    };
    expect(decode(tools, null as never, { onError }).ok).toBe(false);
  });

  it('takes a bounded time through a schema that refers to itself', () => {
    const twoWays = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree' } },
      $defs: {
        tree: {
          anyOf: [
            { type: 'object', properties: { in: { $ref: '#/$defs/tree' }, op: { const: 'and' } } },
            { type: 'object', properties: { in: { $ref: '#/$defs/tree' }, op: { const: 'or' } } },
            { type: 'null' },
          ],
        },
      },
    };
    const nested = (levels: number, end: string): string =>
      `{"tree":${'{"in":'.repeat(levels)}${end}${',"op":"or"}'.repeat(levels)}}`;
    expect(defectsFor(twoWays, nested(5, 'null'))).toEqual([]);
    expect(defectsFor(twoWays, nested(5, '1')).length).toBeGreaterThan(0);
    expect(defectsFor(twoWays, nested(60, 'null'))).toMatchObject([{ code: 'invalid_arguments' }]);
    expect(defectsFor(twoWays, nested(60, '1'))).toMatchObject([{ code: 'invalid_arguments' }]);
  });

  it('takes a bounded time through patterns and unique items', () => {
    const input = {
      properties: {
        text: { type: 'string', pattern: '^(a+)+$' },
        list: { type: 'array', uniqueItems: true },
      },
      patternProperties: { '^x-': {} },
    };
    expect(defectsFor(input, { text: `${'a'.repeat(50_000)}!` })).toMatchObject([
      { parameterName: 'text' },
    ]);
    expect(defectsFor(input, { list: Array(100_000).fill(1) })).toMatchObject([
      { parameterName: 'list', expectedShape: 'a list, no two the same' },
    ]);
    expect(
      defectsFor(input, {
        list: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      }),
    ).toHaveLength(1);
    expect(defectsFor(input, { [`x-${'a'.repeat(300)}`]: 1 })).toMatchObject([
      { code: 'invalid_arguments' },
    ]);
  });

  it('is bounded by limits that can be set', () => {
    const call = { name: 'json', arguments: '{"any":[[1]]}' };
    expect(decode(tools, call).ok).toBe(true);
    expect(decode(tools, call, { limits: { maxDepth: 2 } })).toMatchObject({
      error: { code: 'arguments_too_deep' },
    });
    expect(decode(tools, call, { limits: { maxLength: 5 } })).toMatchObject({
      error: { code: 'arguments_too_large' },
    });
    const nonsense = { maxDepth: Number.NaN, maxLength: -1 };
    expect(decode(tools, call, { limits: nonsense }).ok).toBe(true);
    const deep = `{"any":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const open = { maxDepth: Number.POSITIVE_INFINITY };
    expect(decode(tools, { ...call, arguments: deep }, { limits: open })).toMatchObject({
      error: { code: 'arguments_too_deep', defects: [{ limit: 1000 }] },
    });
  });
});

describe('where no code may be made from text', () => {
  afterEach(() => Settings.Reset());

  it('the same holds', () => {
    Settings.Set({ useAcceleration: false });
    const input = z.object({
      id: z.int().min(1),
      when: z.iso.date().optional(),
      tags: z.array(z.string()).max(2).nullish(),
    });
    expect(defectsFor(input, { id: 1, when: '2024-02-29', tags: ['a'] })).toEqual([]);
    expect(defectsFor(input, { id: 0, when: '2023-02-29', tags: [1], x: 1 })).toMatchObject([
      { path: '/id' },
      { path: '/when' },
      { path: '/tags/0' },
      { code: 'unexpected_argument' },
    ]);
  });
});
