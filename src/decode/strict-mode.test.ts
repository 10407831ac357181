import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { InputSchema } from '../call/tool.ts';
import { tool } from './define-tool.ts';
import { strictMode } from './strict-mode.ts';

function parametersOf(input: InputSchema) {
  const run = () => ({}) as never;
  return tool({ name: 't', description: 'd', input, effect: 'read', run }).parameters;
}

function strictOf(input: InputSchema) {
  const step = strictMode(parametersOf(input));
  if (!step.ok) throw new Error(step.error);
  return step.value;
}

function refusal(input: InputSchema): string {
  const step = strictMode(parametersOf(input));
  return step.ok ? 'accepted' : step.error;
}

describe('strictMode', () => {
  it('requires every property, and lets null say that one is left out', () => {
    const input = z.object({ id: z.string(), note: z.string().min(2).optional() });
    expect(strictOf(input).schema).toMatchObject({
      type: 'object',
      properties: {
        id: { type: 'string' },
        note: { anyOf: [{ type: 'string', description: '{"minLength":2}' }, { type: 'null' }] },
      },
      required: ['id', 'note'],
      additionalProperties: false,
    });
  });

  it('takes back the nulls that it added, at every depth, and no others', () => {
    const line = z.object({ sku: z.string(), size: z.string().optional() });
    const strict = strictOf(
      z.object({
        gift: z.string().nullable(),
        note: z.string().nullable().optional(),
        lines: z.array(line),
        way: z.union([
          z.object({ by: z.literal('post'), box: z.int().optional() }),
          z.object({ by: z.literal('hand'), box: z.int().nullable() }),
        ]),
      }),
    );
    const text = (box: string): string =>
      `{"gift":null,"note":null,"lines":[{"sku":"a","size":null},{"sku":"b","size":"L"}],${box}}`;
    expect(JSON.parse(strict.restore(text('"way":{"by":"post","box":null}')))).toEqual({
      gift: null,
      note: null,
      lines: [{ sku: 'a' }, { sku: 'b', size: 'L' }],
      way: { by: 'post' },
    });
    expect(JSON.parse(strict.restore(text('"way":{"by":"hand","box":null}')))).toMatchObject({
      way: { by: 'hand', box: null },
    });
  });

  it('follows definitions, also one that holds itself', () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      required: ['root'],
      additionalProperties: false,
      $defs: {
        node: {
          type: 'object',
          properties: { label: { type: 'string' }, next: { $ref: '#/$defs/node' } },
          required: [],
          additionalProperties: false,
        },
      },
    };
    const given = '{"root":{"label":"a","next":{"label":null,"next":null}}}';
    expect(strictOf(tree).restore(given)).toBe('{"root":{"label":"a","next":{}}}');
  });

  it.each(['{"id":9007199254740993,"note":null}', '{"id":1,"id":2}', '{"id":', '[]', ''])(
    'leaves %s for decoding to refuse',
    (text) => {
      const strict = strictOf(z.object({ id: z.int(), note: z.string().optional() }));
      expect(strict.restore(text)).toBe(text);
    },
  );

  it('keeps a property named __proto__ for decoding to see', () => {
    const strict = strictOf(z.object({ id: z.int() }));
    expect(strict.restore('{"id":1,"__proto__":{"a":1}}')).toContain('__proto__');
  });

  it.each([
    ['free names', { type: 'object', properties: { tags: { type: 'object' } } }, /not all named/],
    ['any value', z.object({ any: z.unknown() }), /any value/],
    ['a tuple', z.object({ at: z.tuple([z.number(), z.number()]) }), /prefixItems/],
    [
      'a choice at the top',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      /choice/,
    ],
  ])('says why %s has no strict form', (_, input, why) => {
    expect(refusal(input)).toMatch(why);
  });
});
