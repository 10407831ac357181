import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BillingServer, startBilling } from '../examples/support-desk/billing-server.ts';
import { deskTools } from '../examples/support-desk/tools.ts';
import {
  type AnyTool,
  createRuntime,
  decode,
  memoryLedger,
  ok,
  type Result,
  type Runtime,
  type RuntimeEvent,
  renderResult,
  tool,
  toolset,
} from '../src/index.ts';
import { silent } from './support/refunds.ts';

describe('five samples of a raw tool call', () => {
  const getOrder = tool({
    name: 'getOrder',
    description: 'Looks up an order.',
    effect: 'read',
    input: z.object({ orderId: z.int32() }),
    run: ({ orderId }) => ok('Found.', { orderId }),
  });

  /** The same tool, which writes down when its arguments are read. */
  function watched(): { readonly tools: readonly AnyTool[]; readonly read: string[] } {
    const read: string[] = [];
    const accept: AnyTool['accept'] = (args, onError) => {
      read.push(JSON.stringify(args));
      return getOrder.accept(args, onError);
    };
    return { tools: [{ ...getOrder, accept }], read };
  }

  const samples = [
    [
      'getOrder',
      '{"orderId":4512}',
      { ok: true, value: { name: 'getOrder', input: { orderId: 4512 } } },
    ],
    ['cancelOrder', '{"orderId":7781}', { error: { code: 'unknown_tool', tool: 'cancelOrder' } }],
    [
      'getOrder',
      '{}',
      { error: { code: 'missing_argument', defects: [{ parameterName: 'orderId' }] } },
    ],
    [
      'getOrder',
      '{"orderId":"ABC-12"}',
      {
        error: {
          code: 'invalid_argument_shape',
          defects: [{ parameterName: 'orderId', received: 'ABC-12', actualShape: 'a string' }],
        },
      },
    ],
    [
      'getOrder',
      '{"orderId":45',
      {
        error: {
          code: 'invalid_json',
          received: '{"orderId":45',
          defects: [{ problem: 'truncated' }],
        },
      },
    ],
  ] as const;

  it.each(samples)('%s %s', (name, text, expected) => {
    expect(decode(toolset([getOrder]), { name, arguments: text })).toMatchObject(expected);
  });

  it('stop at the first step that fails: the arguments of three are read', () => {
    const { tools, read } = watched();
    const readBySample = samples.map(([name, text]) => {
      const before = read.length;
      decode(toolset(tools), { name, arguments: text });
      return read.length - before;
    });
    expect(readBySample).toEqual([1, 0, 1, 1, 0]);
    expect(read).toEqual(['{"orderId":4512}', '{}', '{"orderId":"ABC-12"}']);
  });
});

describe('results from which a model recovers', () => {
  let billing: BillingServer;
  let runtime: Runtime;
  const events: RuntimeEvent[] = [];

  beforeAll(async () => {
    billing = await startBilling();
    runtime = createRuntime({
      tools: deskTools({ billingUrl: billing.url }),
      ledger: memoryLedger(),
      logger: silent,
    }) as unknown as Runtime;
    runtime.on((event) => events.push(event));
  });
  afterAll(() => billing.close());

  async function call(
    name: string,
    args: unknown,
    context: unknown = { customer: 'ada' },
  ): Promise<Result> {
    const { result } = await runtime.call({
      name,
      arguments: JSON.stringify(args),
      scope: 'conversation-1',
      context,
    });
    return result;
  }

  it('a range of days is shown as strings of the form of a date', () => {
    const shown = runtime.tools({ customer: 'ada' }).find(({ name }) => name === 'find_orders');
    expect(shown?.parameters).toMatchObject({
      properties: {
        startDate: { type: 'string', format: 'date' },
        endDate: { type: 'string', format: 'date' },
      },
      required: ['startDate', 'endDate'],
      additionalProperties: false,
    });
  });

  it('a reversed range is refused by the tool itself, in its own words', async () => {
    expect(await call('find_orders', { startDate: '2025-05-31', endDate: '2025-05-01' })).toEqual({
      outcome: 'failed',
      code: 'invalid_date_range',
      summary: 'The end date must be on or after the start date.',
      nextActions: ['Retry with an endDate that is on or after startDate.'],
      warnings: [],
      outputs: { parameterName: 'endDate', expectedShape: 'date on or after startDate' },
    });
  });

  it('a range that lacks its start asks the user, before the tool is called', async () => {
    const result = await call('find_orders', { endDate: '2025-05-31' });
    expect(result).toMatchObject({
      outcome: 'failed',
      code: 'missing_argument',
      outputs: {
        toolName: 'find_orders',
        parameterName: 'startDate',
        expectedShape: 'a date, yyyy-MM-dd',
      },
      clarification: { parameterName: 'startDate' },
    });
    expect(result.nextActions[0]).toMatch(/^Ask the user: .*startDate/);
  });

  it('a range of plain days binds', async () => {
    expect(
      await call('find_orders', { startDate: '2025-05-01', endDate: '2025-05-31' }),
    ).toMatchObject({
      outcome: 'ok',
      data: [{ orderId: 4512 }, { orderId: 4513 }, { orderId: 4514 }],
    });
  });

  it('a ticket that is missing asks the user', async () => {
    const result = await call('draft_reply', {});
    expect(result).toMatchObject({
      code: 'missing_argument',
      outputs: { toolName: 'draft_reply', parameterName: 'ticketId' },
      clarification: { parameterName: 'ticketId' },
    });
  });

  it('an object where a ticket should be is for the model to repair, not for the user', async () => {
    const result = await call('draft_reply', { ticketId: { value: 'TCK-1042' } });
    expect(result).toMatchObject({
      outcome: 'failed',
      code: 'invalid_argument_shape',
      outputs: {
        toolName: 'draft_reply',
        parameterName: 'ticketId',
        expectedShape: 'a string',
        actualShape: 'an object',
      },
    });
    expect(result).not.toHaveProperty('clarification');
    expect(result.nextActions.length).toBeGreaterThan(0);
  });

  it('an object for a number', async () => {
    expect(await call('get_order', { orderId: { value: 'soon' } })).toMatchObject({
      code: 'invalid_argument_shape',
      outputs: { expectedShape: 'an integer', actualShape: 'an object' },
    });
  });

  it('a ticket without billing evidence is blocked, and says what to do first', async () => {
    expect(await call('draft_reply', { ticketId: 'TCK-1042' })).toEqual({
      outcome: 'failed',
      code: 'blocked',
      summary: 'The ticket is blocked until billing evidence is attached.',
      nextActions: ['Ask for billing evidence before drafting the reply again.'],
      warnings: [],
      outputs: { reason: 'missing_billing_evidence', ticketId: 'TCK-1042' },
    });
  });

  it('an unexpected exception is terse: its text reaches the host and never the model', async () => {
    events.length = 0;
    const result = await call('draft_reply', { ticketId: 'TCK-6660' });
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
    expect(renderResult(result)).not.toMatch(/hunter2|\/var\/lib|pg:/);
    const causes = events.flatMap((event) => (event.type === 'report' ? [event.cause] : []));
    expect(String(causes[0])).toContain('hunter2');
  });

  it.each([
    [undefined, {}],
    [{}, { parameterName: 'customer' }],
    [{ customer: 7 }, { parameterName: 'customer' }],
  ])(
    'a context of %j is named as missing, asks nobody, and the tool is not called',
    async (context, named) => {
      const before = billing.requests.length;
      const refund = { orderId: 4512, amountCents: 2000, reason: 'late' };
      const result = await call('refund_order', refund, context ?? null);
      expect(result).toMatchObject({
        outcome: 'failed',
        code: 'missing_runtime_context',
        outputs: { toolName: 'refund_order', ...named },
      });
      expect(result).not.toHaveProperty('clarification');
      expect(billing.requests.length).toBe(before);
      expect(await runtime.entries({})).toEqual([]);
      expect(billing.book.refunds).toEqual([]);
    },
  );

  it('what the host supplies is nowhere in what the model is shown', () => {
    expect(JSON.stringify(runtime.tools({ customer: 'ada' }))).not.toContain('ada');
    for (const { parameters } of runtime.tools({ customer: 'ada' })) {
      expect(JSON.stringify(parameters)).not.toContain('"customer"');
    }
  });

  it('an order of somebody else is none of the customer', async () => {
    const refund = { orderId: 7781, amountCents: 2000, reason: 'late' };
    expect(await call('refund_order', refund)).toMatchObject({ code: 'order_not_found' });
    expect(await call('get_order', { orderId: 7781 })).toMatchObject({ code: 'order_not_found' });
    expect(billing.book.refunds).toEqual([]);
  });
});
