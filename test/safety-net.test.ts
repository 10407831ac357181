import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answered,
  failed,
  noEvidence,
  notKnownYet,
  ok,
  rejected,
  type WriteCall,
} from '../src/index.ts';
import { desk, Remote, refundTool } from './support/refunds.ts';

const order = { orderId: 4512, amountCents: 2000 };
let server: Server;
let billing = '';
let received: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  billing = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A tool whose run does as it is told, and throws at the end. */
async function throwingAfter(
  act: (ctx: WriteCall<unknown>) => Promise<unknown>,
  options: { exemptHosts?: readonly string[] } = {},
) {
  received = [];
  const spec = {
    run: async (_input: unknown, ctx: WriteCall<unknown>) => {
      await act(ctx);
      throw new Error('and then it broke');
    },
  };
  const { refund, reports } = desk([refundTool(new Remote(), spec as never)], options);
  return { result: await refund(order), again: await refund(order), reports: reports() };
}

function post(): Promise<Response> {
  return fetch(`${billing}/refunds`, { method: 'POST', body: '{}' });
}

function postByNodeHttp(): Promise<void> {
  return new Promise((resolve, reject) => {
    httpRequest(`${billing}/refunds`, { method: 'POST' }, (response) => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end('{}');
  });
}

describe('an unsafe request that leaves a write unmarked', () => {
  test.each([
    ['fetch', post],
    ['node:http', postByNodeHttp],
  ])('by %s makes a later throw unknown, and is reported', async (_name, act) => {
    const { result, again, reports } = await throwingAfter(act);
    expect(result).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(again).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
    expect(reports).toContain('unmarked_send');
    expect(received).toEqual(['POST /refunds']);
  });

  test('makes it unknown when the time runs out after it, too', async () => {
    received = [];
    const spec = {
      timeoutMs: 100,
      run: async () => {
        await post();
        return new Promise(() => undefined);
      },
    };
    const { refund } = desk([refundTool(new Remote(), spec as never)]);
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(received).toEqual(['POST /refunds']);
  });

  test('is exempt inside ctx.read', async () => {
    const { result, reports } = await throwingAfter((ctx) => ctx.read(post));
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
    expect(reports).not.toContain('unmarked_send');
  });

  test('is exempt where its host is', async () => {
    const { result } = await throwingAfter(post, { exemptHosts: ['127.0.0.1'] });
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
  });

  test('is none where it is safe', async () => {
    const { result } = await throwingAfter(() => fetch(`${billing}/orders`));
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
  });
});

describe('an HTTP client that retries by itself inside one dispatch', () => {
  test('is seen: the rejection of its second try proves nothing', async () => {
    const { result, reports } = await throwingAfter(async (ctx) =>
      ctx.dispatch(async () => {
        await post();
        await post();
        return rejected('the second try was refused');
      }),
    );
    expect(result).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(reports).toContain('hidden_retry');
  });

  test('a single rejected send is proof', async () => {
    const { result } = await throwingAfter(async (ctx) =>
      ctx.dispatch(async () => {
        await post();
        return rejected('refused');
      }),
    );
    expect(result).toMatchObject({ outcome: 'failed', code: 'rejected' });
  });
});

describe('ctx.fetch over a real socket', () => {
  test('marks, sends the key and proves', async () => {
    received = [];
    const spec = {
      run: async (_input: unknown, ctx: WriteCall<unknown>) => {
        const response = await ctx.fetch(`${billing}/refunds`, { method: 'POST', body: '{}' });
        return ok('Refunded.', (await response.json()) as never);
      },
    };
    const { refund, reports, runtime } = desk([refundTool(new Remote(), spec as never)]);
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(reports()).toEqual([]);
    expect(await runtime.entries({})).toMatchObject([
      { state: 'ok', firstSentAtMs: expect.any(Number) },
    ]);
    expect(received).toEqual(['POST /refunds']);
  });
});

test('outside a run nothing is watched', async () => {
  desk([refundTool(new Remote())]);
  expect((await post()).status).toBe(200);
});

test('a mark that was made stays the measure beside an unmarked send', async () => {
  const spec = {
    run: async (_input: unknown, ctx: WriteCall<unknown>) => {
      await ctx.dispatch(async () => answered(null));
      await post();
      return failed('changed_my_mind', 'It was not done.');
    },
  };
  const { refund } = desk([refundTool(new Remote(), spec as never)]);
  expect(await refund(order)).toMatchObject({ outcome: 'unknown' });
});

test('noEvidence stays unknown', async () => {
  const { result } = await throwingAfter((ctx) => ctx.dispatch(async () => noEvidence('reset')));
  expect(result).toMatchObject({ outcome: 'unknown' });
});

test('asking about another write from inside a run is not that run’s doing', async () => {
  received = [];
  const asking = desk([
    refundTool(new Remote(), {
      run: async ({ orderId }: { orderId: number }, ctx: WriteCall<unknown>) => {
        if (orderId === 1) await ctx.dispatch(async () => noEvidence('reset'));
        const [open] = await asking.runtime.entries({ states: ['unknown'] });
        const check = { name: 'check_write', arguments: JSON.stringify({ ref: open?.key }) };
        await asking.runtime.call({ ...check, scope: 'conversation-1' });
        throw new Error('and then it broke');
      },
      reconcile: async () => {
        await post();
        return notKnownYet();
      },
    } as never),
  ]);
  expect(await asking.refund({ orderId: 1, amountCents: 1 })).toMatchObject({ outcome: 'unknown' });
  expect(await asking.refund(order)).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
  expect(received).toEqual(['POST /refunds']);
  expect(asking.reports()).not.toContain('unmarked_send');
});
