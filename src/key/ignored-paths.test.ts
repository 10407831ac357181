import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../call/json.ts';
import { strayPaths } from './ignored-paths.ts';

const shown = (schema: z.ZodType): JsonObject =>
  z.toJSONSchema(schema, { io: 'input' }) as unknown as JsonObject;

describe('strayPaths', () => {
  const schema = shown(
    z.object({
      reason: z.string(),
      items: z.array(z.object({ sku: z.string(), note: z.string().optional() })),
      pair: z.tuple([z.object({ a: z.int() }), z.object({ b: z.int() })]),
      pay: z.union([z.object({ card: z.string() }), z.object({ iban: z.string() })]).nullable(),
      labels: z.record(z.string(), z.object({ text: z.string() })),
    }),
  );

  it('finds what is misspelt', () => {
    const paths = ['reasons', 'items.notes', 'note', 'pay.cart', 'reason.text', 'labels.x.txt'];
    expect(strayPaths(paths, schema)).toEqual(paths);
  });

  it('lets through what the arguments can have', () => {
    const paths = [
      'reason',
      'items',
      'items.note',
      'pair.b',
      'pay.card',
      'pay.iban',
      'labels.x.text',
    ];
    expect(strayPaths(paths, schema)).toEqual([]);
  });

  it('lets anything through where the schema is open', () => {
    const open: JsonObject = {
      type: 'object',
      properties: { any: { type: 'object', additionalProperties: true } },
    };
    expect(strayPaths(['any.thing', 'other'], open)).toEqual(['other']);
  });

  it('ends on a schema that holds itself', () => {
    const tree: JsonObject = {
      properties: { note: {}, children: { items: { $ref: '#' } }, next: { $ref: '#' } },
      anyOf: [{ $ref: '#' }],
      items: { $ref: '#' },
    };
    expect(strayPaths(['children.next.children.note', 'children.nope'], tree)).toEqual([
      'children.nope',
    ]);
  });
});
