import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ok } from '../call/result.ts';
import type { InputSchema } from '../call/tool.ts';
import { tool } from './define-tool.ts';

const base = {
  name: 'refund_order',
  description: 'Refund an order.',
  effect: 'write',
  input: z.object({
    orderId: z.int(),
    reason: z.string(),
    items: z.array(z.object({ sku: z.string(), note: z.string() })).optional(),
  }),
  run: () => ok('Refunded.'),
} as const;

/** Defines a tool as JavaScript might, and says what it is refused for. */
function refusal(changes: Record<string, unknown>): string {
  try {
    tool({ ...base, ...changes } as never);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
}

const refusalOf = (input: unknown): string => refusal({ input });
const parametersOf = (input: InputSchema): unknown => tool({ ...base, input }).parameters;

describe('a tool', () => {
  it('is frozen, with its schema and its spec', () => {
    const made = tool(base);
    expect(Object.isFrozen(made)).toBe(true);
    expect(Object.isFrozen(made.spec)).toBe(true);
    expect(() => {
      (made.parameters as { properties: { orderId: { type: string } } }).properties.orderId.type =
        'string';
    }).toThrow(TypeError);
  });

  it('keeps no tie to a schema that is changed afterwards', () => {
    const input = { type: 'object', properties: { a: { type: 'integer' } } };
    const made = tool({ ...base, input });
    input.properties.a.type = 'string';
    expect(made.accept({ a: 1 }).ok).toBe(true);
    expect(made.accept({ a: 'x' }).ok).toBe(false);
  });
});

describe('a spec is refused, by name and with the mend,', () => {
  it.each([
    ['a name with a dot', { name: 'orders.refund' }, /tool "orders\.refund": its name must be/],
    ['a blank name', { name: '' }, /its name must be/],
    ['a name of 65 characters', { name: 'x'.repeat(65) }, /its name must be/],
    ['a name that is no text', { name: 12 }, /its name must be/],
    ['no description', { description: undefined }, /its description must be a string/],
    ['an unknown effect', { effect: 'delete' }, /its effect must be 'read' or 'write'/],
    ['no run', { run: undefined }, /its run must be a function/],
    ['a run that is no function', { run: 'run' }, /its run must be a function/],
    ['no input', { input: undefined }, /its input must be a schema/],
    ['a list as input', { input: [] }, /its input must be a schema/],
    ['no schema as output', { output: 'text' }, /its output must be a schema/],
    [
      'a plain JSON Schema as context',
      { context: { type: 'object' } },
      /its context must be a Standard/,
    ],
    ['a timeout of 0', { timeoutMs: 0 }, /its timeoutMs must be a finite number/],
    ['an endless timeout', { timeoutMs: Number.POSITIVE_INFINITY }, /its timeoutMs/],
    ['a timeout that is no number', { timeoutMs: Number.NaN }, /its timeoutMs/],
    ['a timeout in words', { timeoutMs: '10s' }, /its timeoutMs/],
    ['a negative margin', { marginMs: -1 }, /its marginMs/],
    [
      'an endless life of a request',
      { requestMaxMs: Number.POSITIVE_INFINITY },
      /its requestMaxMs/,
    ],
    ['a negative replay window', { replayMs: -5 }, /its replayMs/],
    ['a lane that is no function', { lane: 'order' }, /its lane must be a function/],
    ['an available that is no function', { available: true }, /its available must be a function/],
    ['a reconcile that is no function', { reconcile: {} }, /its reconcile must be a function/],
    ['an idempotent in words', { idempotent: 'yes' }, /its idempotent must be true or false/],
    ['an unknown twin', { twin: 'both' }, /its twin must be/],
    ['an askUser that is no list', { askUser: 'reason' }, /its askUser must be a list/],
    ['a key that is neither', { key: 'orderId' }, /its key must be a function or/],
    ['a key with an empty path', { key: { ignore: ['items..note'] } }, /its key must be/],
    [
      'an ignored path that is not there',
      { key: { ignore: ['reson'] } },
      /names reson, which its schema/,
    ],
    ['a nested one', { key: { ignore: ['items.nota'] } }, /names items\.nota, which/],
    ['an askUser that is not there', { askUser: ['orderId', 'ticketId'] }, /names ticketId, which/],
    ['a repeat in words', { repeat: 'often' }, /its repeat must be/],
    ['an allow that is no function', { repeat: { allow: true } }, /its repeat\.allow must be/],
    [
      'a repeat argument with a blank',
      { repeat: { argument: 'nth time' } },
      /its repeat\.argument/,
    ],
    ['a repeat argument that is there', { repeat: { argument: 'reason' } }, /has reason already/],
  ])('for %s', (_, changes, message) => {
    expect(refusal(changes)).toMatch(/^tool /);
    expect(refusal(changes)).toMatch(message);
  });

  it('whatever it is', () => {
    for (const spec of [undefined, null, 'x', 12, () => undefined]) {
      expect(() => tool(spec as never)).toThrow(TypeError);
    }
  });

  it('and is taken for all that is right', () => {
    const spec = {
      timeoutMs: 1,
      replayMs: Number.POSITIVE_INFINITY,
      marginMs: 0,
      key: { ignore: ['reason', 'items.note'] },
      askUser: ['orderId', 'items.sku'],
      twin: 'wait',
      repeat: true,
      context: z.object({}),
    };
    expect(refusal(spec)).toBe('accepted');
  });
});

describe('the schema that is shown', () => {
  it('closes objects that declare properties, and says what is required', () => {
    expect(
      parametersOf({
        type: 'object',
        properties: {
          address: { type: 'object', properties: { city: { type: 'string' } } },
          labels: { type: 'object' },
          open: { type: 'object', properties: { a: {} }, additionalProperties: true },
        },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        address: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: [],
          additionalProperties: false,
        },
        labels: { type: 'object' },
        open: {
          type: 'object',
          properties: { a: {} },
          additionalProperties: true,
          required: [],
        },
      },
      required: [],
      additionalProperties: false,
    });
  });

  it.each([[{}], [{ type: 'object' }], [{ type: 'object', properties: {} }]])(
    'takes nothing where it declares nothing: %j',
    (input) => {
      expect(parametersOf(input)).toEqual({
        type: 'object',
        properties: {},
        required: [],
        additionalProperties: false,
      });
    },
  );

  it('leaves a map at the top open where it says so', () => {
    const made = tool({
      ...base,
      input: { type: 'object', additionalProperties: { type: 'integer' } },
    });
    expect(made.accept({ a: 1 }).ok).toBe(true);
    expect(made.accept({ a: 'x' }).ok).toBe(false);
  });

  it('closes what is composed from outside', () => {
    const made = tool({
      ...base,
      input: {
        type: 'object',
        allOf: [
          { $ref: '#/$defs/Person' },
          { properties: { role: { type: 'string' } }, required: ['role'] },
        ],
        $defs: { Person: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    });
    expect(made.accept({ name: 'Ann', role: 'admin' }).ok).toBe(true);
    expect(made.accept({ name: 'Ann', role: 'admin', force: true })).toMatchObject({
      error: [{ code: 'unexpected_argument', parameterName: 'force' }],
    });
    expect(made.accept({ name: 1, force: true })).toMatchObject({
      error: [
        { code: 'missing_argument', parameterName: 'role', expectedShape: 'a string' },
        { code: 'invalid_argument_shape', parameterName: 'name' },
        { code: 'unexpected_argument', parameterName: 'force' },
      ],
    });
  });

  it('closes a definition that is used both whole and as a part, in both places', () => {
    const made = tool({
      ...base,
      input: {
        type: 'object',
        properties: {
          plain: { $ref: '#/$defs/Point' },
          named: {
            allOf: [{ $ref: '#/$defs/Point' }, { properties: { name: { type: 'string' } } }],
          },
        },
        $defs: { Point: { type: 'object', properties: { x: { type: 'number' } } } },
      },
    });
    expect(made.accept({ plain: { x: 1 }, named: { x: 1, name: 'a' } }).ok).toBe(true);
    expect(made.accept({ plain: { x: 1, name: 'a' } })).toMatchObject({
      error: [{ code: 'unexpected_argument', path: '/plain/name' }],
    });
    expect(made.accept({ named: { x: 1, nme: 'a' } })).toMatchObject({
      error: [{ code: 'unexpected_argument', path: '/named/nme', nearest: 'name' }],
    });
  });

  it('closes the alternatives of a union, each by itself', () => {
    const made = tool({
      ...base,
      input: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('card'), number: z.string() }),
        z.object({ kind: z.literal('cash') }),
      ]),
    });
    expect(made.accept({ kind: 'cash' }).ok).toBe(true);
    expect(made.accept({ kind: 'cash', number: '12' })).toMatchObject({
      error: [{ code: 'unexpected_argument', parameterName: 'number' }],
    });
    expect(made.accept({ kind: 'card' })).toMatchObject({
      error: [{ code: 'missing_argument', parameterName: 'number' }],
    });
  });

  it('lets a union beside properties demand one of them', () => {
    const made = tool({
      ...base,
      input: {
        type: 'object',
        properties: { email: { type: 'string' }, phone: { type: 'string' } },
        anyOf: [{ required: ['email'] }, { required: ['phone'] }],
      },
    });
    expect(made.accept({ phone: '1' }).ok).toBe(true);
    expect(made.accept({ phone: '1', fax: '2' })).toMatchObject({
      error: [{ code: 'unexpected_argument', parameterName: 'fax' }],
    });
    expect(made.accept({})).toMatchObject({ error: [{ code: 'missing_argument' }] });
  });

  it('writes dates as strings with a format', () => {
    expect(parametersOf(z.object({ when: z.iso.date() }))).toMatchObject({
      properties: { when: { type: 'string', format: 'date' } },
    });
  });

  it('writes a coercing schema as the type it coerces to', () => {
    expect(parametersOf(z.object({ n: z.coerce.number(), b: z.coerce.boolean() }))).toMatchObject({
      properties: { n: { type: 'number' }, b: { type: 'boolean' } },
      required: ['n', 'b'],
    });
  });

  it.each([
    ['zod', z.object({ a: z.int(), b: z.string().optional() })],
    [
      'valibot',
      toStandardJsonSchema(
        v.object({ a: v.pipe(v.number(), v.integer()), b: v.optional(v.string()) }),
      ),
    ],
    ['arktype', type({ a: 'number.integer', 'b?': 'string' })],
    [
      'JSON Schema',
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'string' } },
        required: ['a'],
      },
    ],
  ])('is the same for %s', (_, input) => {
    const made = tool({ ...base, input: input as InputSchema });
    expect(made.parameters).toMatchObject({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    });
    expect(made.accept({ a: 1, b: 'x' })).toMatchObject({ value: { input: { a: 1, b: 'x' } } });
    expect(made.accept({ a: '1' }).ok).toBe(false);
    expect(made.accept({ a: 1, c: 1 }).ok).toBe(false);
  });

  it('reads draft-07 and shows draft 2020-12', () => {
    const made = tool({
      ...base,
      input: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          pair: {
            type: 'array',
            items: [{ type: 'string' }, { type: 'integer' }],
            additionalItems: false,
          },
          card: { $ref: '#/definitions/card', description: 'The card.' },
          zip: { type: 'string' },
        },
        dependencies: { card: ['zip'] },
        definitions: { card: { type: 'string', pattern: '^\\d{4}$' } },
      },
    });
    expect(made.parameters).toMatchObject({
      properties: {
        pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      },
      dependentRequired: { card: ['zip'] },
    });
    expect(made.accept({ pair: ['a', 1], card: '1234', zip: 'x' }).ok).toBe(true);
    expect(made.accept({ pair: ['a', 1, 2] }).ok).toBe(false);
    expect(made.accept({ card: '1234' })).toMatchObject({
      error: [{ code: 'missing_argument', parameterName: 'zip' }],
    });
  });
});

describe('a schema is refused', () => {
  it.each([
    ['a Date', z.object({ order: z.object({ at: z.date() }) }), /no JSON form \(order\.at\)/],
    ['a coerced Date', z.object({ at: z.coerce.date() }), /no JSON form \(at\)/],
    ['a bigint', z.object({ n: z.bigint() }), /no JSON form \(n\)/],
    ['a map', z.object({ m: z.map(z.string(), z.string()) }), /no JSON form \(m\)/],
    ['a file', z.object({ f: z.file() }), /no JSON form/],
    ['a custom type', z.object({ c: z.custom(() => true) }), /no JSON form \(c\)/],
    ['an arktype Date', type({ at: 'Date' }), /no JSON form/],
    ['an arktype bigint', type({ n: 'bigint' }), /no JSON form/],
    ['an arktype class', type({ m: 'Map' }), /no JSON form/],
    ['a valibot date', toStandardJsonSchema(v.object({ at: v.date() })), /no JSON form/],
    ['plain valibot', v.object({ a: v.string() }), /toStandardJsonSchema\(\) of @valibot/],
    [
      'another library',
      { '~standard': { version: 1, vendor: 'acme', validate: () => ({ value: 1 }) } },
      /acme schema has no JSON Schema projection/,
    ],
    ['a string at the top', z.string(), /must describe an object/],
    ['a list at the top', { type: 'array' }, /must describe an object/],
    [
      'an undefined type',
      { properties: { a: { type: 'strin' } } },
      /#\/properties\/a has a malformed type/,
    ],
    ['a malformed required', { required: 'a' }, /malformed required/],
    ['a malformed property', { properties: { a: null } }, /#\/properties\/a is not a schema/],
    ['a malformed enum', { properties: { a: { enum: [] } } }, /malformed enum/],
    ['a limit that is no number', { properties: { a: { minimum: '1' } } }, /malformed minimum/],
    [
      "draft-04's exclusiveMinimum",
      { properties: { a: { minimum: 1, exclusiveMinimum: true } } },
      /malformed exclusiveMinimum/,
    ],
    [
      "OpenAPI's nullable",
      { properties: { a: { type: 'string', nullable: true } } },
      /uses nullable, which changes what is valid/,
    ],
    ['$dynamicRef', { properties: { a: { $dynamicRef: '#x' } } }, /uses \$dynamicRef/],
    [
      "ajv's formatMinimum",
      { properties: { a: { format: 'date', formatMinimum: '2020-01-01' } } },
      /uses formatMinimum/,
    ],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, /no regular expression/],
    [
      'a name pattern that could stall',
      { patternProperties: { '^(a+)+$': {} } },
      /no simple regular expression/,
    ],
    [
      'a reference to nothing',
      { properties: { a: { $ref: '#/$defs/gone' } } },
      /refers to #\/\$defs\/gone, which is nowhere/,
    ],
    [
      'a reference elsewhere',
      { properties: { a: { $ref: 'https://example.com/a.json' } } },
      /which is nowhere in this schema/,
    ],
    [
      'a circle',
      {
        properties: { a: { $ref: '#/$defs/b' } },
        $defs: { b: { anyOf: [{ $ref: '#/$defs/b' }] } },
      },
      /leads back to itself/,
    ],
    [
      'what draft-07 ignores',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { $ref: '#/definitions/b', maxLength: 3 } },
        definitions: { b: {} },
      },
      /maxLength beside \$ref, which draft-07 ignores/,
    ],
    [
      'another draft',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      /use draft 2020-12 or draft-07/,
    ],
    [
      'a name that every object has',
      { properties: { toString: { type: 'string' } } },
      /named toString/,
    ],
    [
      'a function',
      { properties: { a: { default: () => 1 } } },
      /schema\.properties\.a\.default has no JSON form/,
    ],
    [
      'a base of its own',
      { properties: { a: { $id: 'https://example.com/a', $ref: '#/$defs/b' } }, $defs: { b: {} } },
      /\$id of its own/,
    ],
  ])('for %s', (_, input, message) => {
    expect(refusalOf(input)).toMatch(/^tool "refund_order": /);
    expect(refusalOf(input)).toMatch(message);
  });

  it('for a circle of objects', () => {
    const input: Record<string, unknown> = { type: 'object' };
    input.properties = { a: input };
    expect(refusalOf(input)).toMatch(/nested too deep, or in a circle/);
  });

  it('for a schema of which only a part would be shown to be enforced', () => {
    expect(refusal({ input: z.strictObject({}), repeat: true })).toBe('accepted');
    expect(
      refusal({
        repeat: true,
        input: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
      }),
    ).toMatch(/can be repeated only if/);
  });
});

describe('what is shown and not enforced', () => {
  it('is warned of once, by name', () => {
    const made = tool({
      ...base,
      input: {
        type: 'object',
        properties: {
          a: { type: 'string', format: 'iban', 'x-order': 1 },
          b: { type: 'string', format: 'iban', 'x-order': 2, title: 'B', examples: ['b'] },
        },
      },
    });
    expect(made.warnings).toEqual([
      'shown to the model and not enforced: keywords x-order',
      'shown to the model and not enforced: formats iban',
    ]);
    expect(made.parameters).toMatchObject({ properties: { a: { format: 'iban', 'x-order': 1 } } });
    expect(made.accept({ a: 'anything' }).ok).toBe(true);
  });
});

describe('repeat', () => {
  const made = tool({ ...base, repeat: true });

  it('adds an ordinal, and takes it out of the arguments', () => {
    expect(made.parameters).toMatchObject({
      properties: { occurrence: { type: 'integer', minimum: 1 } },
      required: ['orderId', 'reason'],
    });
    const args = { orderId: 1, reason: 'late' };
    expect(made.accept(args)).toMatchObject({ value: { args, input: args, ordinal: 1 } });
    const second = made.accept({ ...args, occurrence: 2 });
    expect(second).toMatchObject({ value: { ordinal: 2 } });
    expect(second.ok && second.value.args).toStrictEqual(args);
    expect(second.ok && second.value.input).toStrictEqual(args);
  });

  it.each([[0], [-1], [1.5], ['2'], [null], [2 ** 60]])(
    'refuses %s as an ordinal',
    (occurrence) => {
      expect(made.accept({ orderId: 1, reason: 'late', occurrence })).toMatchObject({
        error: [{ parameterName: 'occurrence' }],
      });
    },
  );

  it('takes another name', () => {
    const named = tool({ ...base, repeat: { argument: 'nth' } });
    expect(named.accept({ orderId: 1, reason: 'late', nth: 3 })).toMatchObject({
      value: { ordinal: 3 },
    });
  });

  it('goes with a union', () => {
    const union = tool({
      ...base,
      repeat: true,
      input: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    });
    expect(union.accept({ a: 'x', occurrence: 2 })).toMatchObject({ value: { ordinal: 2 } });
    expect(union.accept({ a: 'x', c: 1 }).ok).toBe(false);
  });
});

describe("the tool's own schema", () => {
  it('runs over arguments that fit, and gives run its output', () => {
    const made = tool({
      ...base,
      input: z.object({
        id: z.string().transform((text) => text.length),
        note: z.string().default('none'),
      }),
    });
    expect(made.accept({ id: 'abc' })).toEqual({
      ok: true,
      value: { args: { id: 'abc' }, input: { id: 3, note: 'none' }, ordinal: 1 },
    });
  });

  it('refuses with its own messages', () => {
    const made = tool({
      ...base,
      input: z
        .object({ start: z.iso.date(), end: z.iso.date() })
        .refine(({ start, end }) => start <= end, {
          message: 'The end date must be on or after the start date.',
          path: ['end'],
        }),
    });
    expect(made.accept({ start: '2024-02-02', end: '2024-01-01' })).toEqual({
      ok: false,
      error: [
        {
          code: 'invalid_arguments',
          path: '/end',
          parameterName: 'end',
          detail: 'The end date must be on or after the start date.',
        },
      ],
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('password=hunter2');
      },
    ],
    ['is asynchronous', async () => ({ value: 1 })],
    ['rejects', () => Promise.reject(new Error('password=hunter2'))],
    ['answers nonsense', () => null as never],
  ])('that %s refuses, and tells the host alone', async (_, validate) => {
    const made = tool({
      ...base,
      input: {
        '~standard': {
          version: 1,
          vendor: 'acme',
          validate,
          jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) },
        },
      } as never,
    });
    const causes: unknown[] = [];
    const step = made.accept({}, (cause) => causes.push(cause));
    expect(step).toEqual({
      ok: false,
      error: [
        { code: 'invalid_arguments', path: '', detail: 'The arguments could not be checked.' },
      ],
    });
    await Promise.resolve();
    expect(causes).toHaveLength(1);
    expect(made.accept({}).ok).toBe(false);
  });

  it('is not asked where the arguments do not fit', () => {
    let asked = 0;
    const made = tool({
      ...base,
      input: z.object({ a: z.string() }).refine(() => {
        asked++;
        return true;
      }),
    });
    expect(made.accept({ a: 1 }).ok).toBe(false);
    expect(asked).toBe(0);
  });
});

describe('output', () => {
  it('holds data against its schema, and says for the logger what is wrong', () => {
    const made = tool({ ...base, output: z.object({ id: z.string() }) });
    expect(made.acceptData({ id: 'r1' })).toEqual({ ok: true, value: { id: 'r1' } });
    expect(made.acceptData({ id: 'r1', more: 1 }).ok).toBe(true);
    expect(made.acceptData({ id: 7 })).toEqual({
      ok: false,
      error: 'the data does not fit the output schema at "/id": expected a string',
    });
    expect(made.acceptData(null).ok).toBe(false);
  });

  it('takes anything where there is none', () => {
    expect(tool(base).acceptData(null)).toEqual({ ok: true, value: null });
  });
});
