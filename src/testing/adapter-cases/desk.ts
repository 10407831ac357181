import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { answered } from '../../call/evidence.ts';
import type { JsonObject, JsonValue } from '../../call/json.ts';
import { ok } from '../../call/result.ts';
import type { AnyTool, InputSchema } from '../../call/tool.ts';
import { tool } from '../../decode/define-tool.ts';
import type { PlainTool } from './harness.ts';

/** What the tools of a case did. */
export interface Desk {
  readonly tools: readonly AnyTool[];
  readonly plainTools: readonly PlainTool[];
  readonly ranWith: JsonValue[];
  readonly effects: () => number;
  /** Lets a request that hangs end. */
  readonly release: () => void;
}

const orderSchema: JsonObject = {
  type: 'object',
  properties: { orderId: { type: 'integer' } },
  required: ['orderId'],
  additionalProperties: false,
};

/** A schema that takes whatever is a number in some way, as coercing ones do. */
const coercing: StandardSchemaV1<{ orderId: number }> & StandardJSONSchemaV1 = {
  '~standard': {
    version: 1,
    vendor: 'cases',
    validate: (value: unknown) => ({
      value: { orderId: Number((value as { orderId: unknown }).orderId) },
    }),
    jsonSchema: { input: () => ({ ...orderSchema }), output: () => ({ ...orderSchema }) },
  },
} as never;

/** When the user leaves, as seen from inside a tool. */
export interface Leaving {
  readonly leave: () => void;
}

/** The tools of all cases, anew. */
export function caseDesk({ leave }: Leaving): Desk {
  const ranWith: JsonValue[] = [];
  let effects = 0;
  let release = (): void => undefined;
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const send = async (): Promise<void> => {
    effects += 1;
  };
  const bodies: readonly Body[] = [
    { name: 'get_order', effect: 'read', end: async () => ({ status: 'shipped' }) },
    { name: 'coerced_order', effect: 'read', input: coercing, end: async () => null },
    {
      name: 'broken_order',
      effect: 'read',
      end: async () => {
        throw new Error('connect failed: password=hunter2');
      },
    },
    { name: 'big_order', effect: 'write', sent: send, end: async () => ({ total: 10n }) as never },
    { name: 'refund_order', effect: 'write', sent: send, end: async () => ({ refunded: true }) },
    { name: 'slow_before', effect: 'write', before: () => hanging, sent: send },
    { name: 'slow_after', effect: 'write', sent: () => send().then(() => hanging) },
    {
      name: 'left_before',
      effect: 'write',
      before: async (signal) => {
        leave();
        if (signal === undefined) return;
        // The framework hands the abort on when it comes round to it.
        for (let turn = 0; turn < 50 && !signal.aborted; turn += 1) await soon();
      },
      sent: send,
    },
    { name: 'left_after', effect: 'write', sent: () => send().then(leave).then(soon) },
  ];
  return {
    tools: bodies.map((body) => ownTool(body, ranWith)),
    plainTools: bodies.map((body) => plainTool(body, ranWith)),
    ranWith,
    effects: () => effects,
    release: () => release(),
  };
}

interface Body {
  readonly name: string;
  readonly effect: 'read' | 'write';
  readonly input?: InputSchema;
  readonly before?: (signal: AbortSignal | undefined) => Promise<void>;
  readonly sent?: () => Promise<void>;
  readonly end?: () => Promise<JsonValue>;
}

const nothing = async (): Promise<null> => null;
const description = 'A tool of the adapter cases.';

function ownTool(body: Body, ranWith: JsonValue[]): AnyTool {
  const { name, input = orderSchema, before, sent = nothing, end = nothing } = body;
  if (body.effect === 'read') {
    const run = async (given: unknown) => {
      ranWith.push(given as JsonValue);
      return ok('Done.', await end());
    };
    return tool({ name, description, input, effect: 'read', run });
  }
  return tool({
    name,
    description,
    input,
    effect: 'write',
    timeoutMs: name.startsWith('slow') ? 500 : 5_000,
    async run(given, ctx) {
      ranWith.push(given as JsonValue);
      await before?.(ctx.signal);
      await ctx.dispatch(async () => answered(await sent()));
      return ok('Done.', await end());
    },
  });
}

function plainTool(body: Body, ranWith: JsonValue[]): PlainTool {
  const { name, input = orderSchema, before, sent = nothing, end = nothing } = body;
  return {
    name,
    description,
    input,
    parameters: orderSchema,
    async run(given) {
      ranWith.push(given as JsonValue);
      await before?.(undefined);
      await sent();
      return end();
    },
  };
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}
