import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { failed, ok } from '../call/result.ts';
import type { ReadCall, Tool, WriteCall } from '../call/tool.ts';
import { decode } from './decode.ts';
import { tool } from './define-tool.ts';
import { toolset } from './toolset.ts';

const context = z.object({ customerId: z.string() });

describe('run', () => {
  it('gets what a zod schema puts out', () => {
    tool({
      name: 'find',
      description: '',
      effect: 'read',
      input: z.object({
        id: z.int(),
        at: z.string().transform(Number),
        note: z.string().default(''),
      }),
      run(input, call) {
        expectTypeOf(input).toEqualTypeOf<{ id: number; at: number; note: string }>();
        expectTypeOf(call).toEqualTypeOf<ReadCall<unknown>>();
        return ok('Found.');
      },
    });
  });

  it('gets what a valibot schema puts out', () => {
    tool({
      name: 'find',
      description: '',
      effect: 'read',
      input: toStandardJsonSchema(v.object({ id: v.number(), tag: v.optional(v.string()) })),
      async run(input) {
        expectTypeOf(input).toEqualTypeOf<{ id: number; tag?: string | undefined }>();
        return ok('Found.');
      },
    });
  });

  it('gets what an arktype puts out', () => {
    tool({
      name: 'find',
      description: '',
      effect: 'read',
      input: type({ id: 'number', kind: "'a' | 'b'" }),
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ id: number; kind: 'a' | 'b' }>();
        return ok('Found.');
      },
    });
  });

  it('gets a JSON object where the schema is plain', () => {
    tool({
      name: 'find',
      description: '',
      effect: 'read',
      input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      run(input) {
        expectTypeOf(input).toEqualTypeOf<JsonObject>();
        return ok('Found.');
      },
    });
  });

  it('of a read has no dispatch', () => {
    tool({
      name: 'find',
      description: '',
      effect: 'read',
      input: z.object({}),
      run(_, call) {
        // @ts-expect-error reads send nothing that would need a mark
        call.dispatch;
        return ok('Found.');
      },
    });
  });
});

describe('a write', () => {
  it('gets the context, and dispatch', () => {
    const refund = tool({
      name: 'refund',
      description: '',
      effect: 'write',
      input: z.object({ orderId: z.int(), reason: z.string() }),
      context,
      key: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ orderId: number; reason: string }>();
        return args.orderId;
      },
      lane(input, given) {
        expectTypeOf(given).toEqualTypeOf<{ customerId: string }>();
        return `order:${input.orderId}`;
      },
      available: (given) => given.customerId !== '',
      repeat: { allow: ({ input, ordinal }) => input.orderId > 0 && ordinal < 3 },
      async run(input, call) {
        expectTypeOf(input).toEqualTypeOf<{ orderId: number; reason: string }>();
        expectTypeOf(call).toEqualTypeOf<WriteCall<{ customerId: string }>>();
        return input.orderId > 0 ? ok('Refunded.', { id: 'r1' }) : failed('too_late', 'Too late.');
      },
      async reconcile(input, call) {
        expectTypeOf(input.orderId).toEqualTypeOf<number>();
        expectTypeOf(call.context.customerId).toEqualTypeOf<string>();
        return { finding: 'not_known_yet' };
      },
    });
    expectTypeOf(refund.name).toEqualTypeOf<'refund'>();
    expectTypeOf(refund).toExtend<
      Tool<'refund', typeof refund.spec.input, { customerId: string }, JsonValue>
    >();
  });
});

describe('a spec', () => {
  const base = { name: 'x', description: '', input: z.object({ id: z.int() }) } as const;

  it('needs an effect, and a run that returns a result', () => {
    // @ts-expect-error no effect
    tool({ ...base, run: () => ok('Done.') });
    // @ts-expect-error no result
    tool({ ...base, effect: 'read', run: () => 'done' });
  });

  it('of a read has no key', () => {
    tool({
      ...base,
      effect: 'read',
      // @ts-expect-error reads have no key
      key: { ignore: ['id'] },
      run: () => ok('Done.'),
    });
  });
});

describe('a decoded call', () => {
  const getOrder = tool({
    name: 'get_order',
    description: '',
    effect: 'read',
    input: z.object({ orderId: z.int() }),
    run: () => ok('Found.'),
  });
  const setAddress = tool({
    name: 'set_address',
    description: '',
    effect: 'write',
    input: type({ street: 'string' }),
    run: async () => ok('Set.'),
  });
  const tools = toolset([getOrder, setAddress]);

  it('is a union told apart by name, and a switch over it is complete', () => {
    const step = decode(tools, { name: 'get_order', arguments: '{}' });
    if (!step.ok) return;
    const call = step.value;
    expectTypeOf(call.name).toEqualTypeOf<'get_order' | 'set_address'>();
    switch (call.name) {
      case 'get_order':
        expectTypeOf(call.input).toEqualTypeOf<{ orderId: number }>();
        expectTypeOf(call.tool).toEqualTypeOf(getOrder);
        break;
      case 'set_address':
        expectTypeOf(call.input).toEqualTypeOf<{ street: string }>();
        break;
      default:
        expectTypeOf(call).toBeNever();
    }
  });

  it('of a list that is not known in advance has any input', () => {
    const step = decode(toolset([getOrder] as readonly (typeof getOrder)[]), {
      name: 'get_order',
      arguments: '{}',
    });
    if (step.ok) expectTypeOf(step.value.input).toEqualTypeOf<{ orderId: number }>();
  });
});
