import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  accepted,
  answered,
  didNotHappen,
  failed,
  happened,
  type JsonValue,
  noEvidence,
  notKnownYet,
  ok,
  rejected,
  tool,
  type WriteCall,
  type WriteSpec,
} from '../index.ts';
import { type HttpDownstream, startDownstream } from './downstream.ts';
import { type VerifyToolOptions, verifyTool } from './verify-tool.ts';

const input = z.object({ orderId: z.int(), cents: z.int().positive(), reason: z.string() });
type Spec = WriteSpec<'refund', typeof input, unknown, JsonValue>;
type Make = (url: string) => Partial<Spec>;

const opened: HttpDownstream[] = [];
afterEach(async () => {
  for (const downstream of opened.splice(0)) await downstream.close();
});

const given = { orderId: 4512, cents: 2000, reason: 'late delivery' };

function right(url: string): Spec {
  return {
    name: 'refund',
    description: 'Refunds.',
    input,
    effect: 'write',
    key: { ignore: ['reason'] },
    lane: ({ orderId }) => `order:${orderId}`,
    async run({ orderId, cents }, ctx) {
      const response = await ctx.fetch(`${url}/refunds`, post({ orderId, cents }));
      return ok('Refunded.', (await response.json()) as JsonValue);
    },
    reconcile: (_, { key, signal }) => lookUp(url, key, signal),
  };
}

function post(body: object, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json' };
  return { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

async function lookUp(url: string, key: string, signal: AbortSignal) {
  const response = await fetch(`${url}/refunds/${key}`, { signal });
  if (response.status === 404) return didNotHappen();
  return response.ok ? happened((await response.json()) as JsonValue) : notKnownYet();
}

async function verify(
  make: Make,
  more: Partial<VerifyToolOptions> & { honoursKeys?: boolean } = {},
) {
  const { honoursKeys = false, ...options } = more;
  const downstream = await startDownstream({ honoursKeys });
  opened.push(downstream);
  return verifyTool({
    tool: tool({ ...right(downstream.url), ...make(downstream.url) } as Spec),
    input: given,
    reworded: { ...given, reason: 'it was delivered late' },
    other: { ...given, cents: 1999 },
    downstream,
    waitMs: 2_000,
    watchMs: 150,
    ...options,
  });
}

const codesOf = async (...asked: Parameters<typeof verify>) =>
  (await verify(...asked)).findings.map(({ code }) => code);

/** What a tool sends by ctx.dispatch, with a client of its own. */
function byDispatch(
  send: (
    url: string,
    request: { key: string; signal: AbortSignal; maySend(): boolean },
  ) => Promise<Response>,
): Make {
  return (url) => ({
    async run(_, ctx) {
      const sent = await ctx.dispatch(async (request) => {
        const response = await send(url, request);
        if (response.ok) return answered((await response.json()) as JsonValue);
        return response.status === 400 ? rejected('400') : noEvidence(`${response.status}`);
      });
      if (sent.evidence === 'answered') return ok('Refunded.', sent.value);
      if (sent.evidence === 'rejected') return failed('refused', 'It was refused.');
      throw new Error('no answer');
    },
  });
}

const send: Parameters<typeof byDispatch>[0] = (url, { key, signal }) =>
  fetch(`${url}/refunds`, { ...post(given, { 'idempotency-key': key }), signal });

describe('a tool that keeps its promises', () => {
  test.each<[string, Make, { honoursKeys?: boolean }?]>([
    ['by ctx.fetch', () => ({})],
    ['by ctx.dispatch', byDispatch(send)],
    ['with keys that are honoured', () => ({ remoteKeyMs: 86_400_000 }), { honoursKeys: true }],
    [
      'with keys that are honoured, and nothing to ask',
      () => ({ remoteKeyMs: 86_400_000, reconcile: undefined as never }),
      { honoursKeys: true },
    ],
    ['that may be run twice', () => ({ idempotent: true })],
    ['with times of its own', () => ({ timeoutMs: 500, requestMaxMs: 700, marginMs: 100 })],
    [
      'that says of a failure that it is not known',
      (url) => ({
        async run(_, ctx) {
          try {
            await ctx.fetch(url, post(given));
            return ok('Refunded.');
          } catch (error) {
            if ((error as { evidence?: { evidence: string } }).evidence?.evidence === 'rejected') {
              return failed('refused', 'It was refused.');
            }
            throw error;
          }
        },
      }),
    ],
  ])('%s: nothing is found', async (_, make, more = {}) => {
    const report = await verify(make, more);
    expect(report.text).not.toContain('BROKEN');
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(report.scenarios.filter(({ came }) => came === 'good').length).toBeGreaterThan(15);
  });
});

/** What a request of this tool has to carry. */
const own = (key: string, signal?: AbortSignal) => ({
  ...post(given, { 'idempotency-key': key }),
  ...(signal ? { signal } : {}),
});

/** Raw fetch, as such a tool is written without a runtime. */
async function raw(url: string, init: RequestInit): Promise<JsonValue> {
  const response = await fetch(`${url}/refunds`, init);
  if (!response.ok) throw new Error(`billing answered ${response.status}`);
  return (await response.json()) as JsonValue;
}

const wrong: Readonly<
  Record<string, [code: string, make: Make, more?: Parameters<typeof verify>[1]]>
> = {
  'sends by itself': [
    'sends_before_mark',
    (url) => ({ run: async () => ok('Refunded.', await raw(url, post(given))) }),
  ],
  'sends first, and marks then': [
    'sends_before_mark',
    (url) => ({
      async run(_, ctx) {
        const data = await raw(url, post(given));
        await ctx.dispatch(async () => answered(data));
        return ok('Refunded.', data);
      },
    }),
  ],
  'sends by another way where it may not': [
    'sends_without_leave',
    (url) => ({
      async run(_, ctx) {
        let left = false;
        try {
          await ctx.dispatch(async ({ key, signal }) => {
            left = true;
            return answered(await raw(url, own(key, signal)));
          });
        } catch (error) {
          if (left) throw error;
          await raw(url, own(ctx.key));
        }
        return ok('Refunded.');
      },
    }),
  ],
  'says failed after it sent': [
    'says_failed_after_send',
    (url) => ({
      async run(_, ctx) {
        try {
          const response = await ctx.fetch(url, post(given));
          return ok('Refunded.', (await response.json()) as JsonValue);
        } catch {
          return failed('billing_down', 'Billing cannot be reached.');
        }
      },
    }),
  ],
  'gives up by a timer of its own': [
    'says_failed_after_send',
    (url) => ({
      async run(_, ctx) {
        const late = new Promise<undefined>((resolve) => setTimeout(resolve, 100, undefined));
        const answer = await Promise.race([ctx.fetch(url, post(given)), late]);
        return answer ? ok('Refunded.') : failed('too_slow', 'Billing is too slow.');
      },
    }),
  ],
  'takes every failure for a refusal': [
    'claims_rejection',
    (url) => ({
      async run(_, ctx) {
        const sent = await ctx.dispatch(async ({ key, signal }) => {
          try {
            return answered(await raw(url, own(key, signal)));
          } catch {
            return rejected('billing said no');
          }
        });
        return sent.evidence === 'answered' ? ok('Refunded.') : failed('refused', 'Refused.');
      },
    }),
  ],
  'forgets to look at the status': [
    'says_ok_without_proof',
    (url) => ({
      async run(_, ctx) {
        const sent = await ctx.dispatch(async ({ key, signal }) =>
          answered(await fetch(url, own(key, signal))),
        );
        return sent.evidence === 'answered' ? ok('Refunded.') : failed('no', 'No.');
      },
    }),
  ],
  'says ok whatever happened': [
    'says_ok_without_proof',
    (url) => ({
      async run(_, ctx) {
        await ctx.fetch(url, post(given)).catch(() => undefined);
        return ok('Refunded.');
      },
    }),
  ],
  'swallows the answer': [
    'swallows_answer',
    (url) => ({
      async run(_, ctx) {
        await ctx.dispatch(async ({ key, signal }) => {
          await raw(url, own(key, signal));
          return noEvidence('who knows');
        });
        return ok('Refunded.');
      },
    }),
  ],
  'trips over the answer': [
    'swallows_answer',
    (url) => ({
      async run(_, ctx) {
        const response = await ctx.fetch(url, post(given));
        const { lines } = (await response.json()) as { lines: string[] };
        return ok('Refunded.', lines.length);
      },
    }),
  ],
  'takes done for accepted': [
    'swallows_answer',
    (url) => ({
      async run(_, ctx) {
        await ctx.dispatch(async ({ key, signal }) => {
          await raw(url, own(key, signal));
          return accepted('it will be done');
        });
        return ok('Refunded.');
      },
    }),
  ],
  'has a key of all its words': ['key_changes_with_wording', () => ({ key: { ignore: [] } })],
  'has a key by the clock': [
    'key_not_stable',
    () => ({ key: (args) => ({ ...args, at: performance.now() }) }),
  ],
  'has a key that leaves out the amount': [
    'key_too_wide',
    () => ({ key: ({ orderId }) => ({ orderId }) }),
  ],
  'sends two writes': [
    'sends_twice',
    (url) => ({
      async run(_, ctx) {
        await ctx.fetch(`${url}/refunds`, post(given));
        await ctx.fetch(`${url}/mails`, post({ text: 'refunded' }));
        return ok('Refunded and said so.');
      },
    }),
  ],
  'sends two writes in one dispatch': [
    'sends_twice',
    byDispatch(async (url, request) => {
      await send(url, request);
      return send(url, request);
    }),
  ],
  'retries without a key that is honoured': [
    'retries_without_key',
    byDispatch(async (url, request) => {
      const first = await send(url, request).catch(() => undefined);
      return first?.ok ? first : send(url, request);
    }),
  ],
  'makes a key of its own': [
    'wrong_wire_key',
    byDispatch((url, { signal }) =>
      fetch(url, { ...post(given, { 'idempotency-key': `${Math.random()}` }), signal }),
    ),
  ],
  'relies on keys and sends none': [
    'wrong_wire_key',
    (url) => ({
      ...byDispatch((its, { signal }) => fetch(its, { ...post(given), signal }))(url),
      remoteKeyMs: 86_400_000,
      reconcile: (_: unknown, { key, signal }: { key: string; signal: AbortSignal }) =>
        lookUp(url, key, signal),
    }),
    { honoursKeys: true },
  ],
  'relies on keys that nobody honours': ['keys_not_honoured', () => ({ remoteKeyMs: 86_400_000 })],
  'does not ask whether it may send still': [
    'sends_after_its_time',
    (url) => ({
      ...byDispatch(async (its, request) => {
        const first = await send(its, request).catch(() => undefined);
        return first?.ok ? first : send(its, request);
      })(url),
      remoteKeyMs: 86_400_000,
    }),
    { honoursKeys: true },
  ],
  'lets a request live on': [
    'outlives_request_max',
    byDispatch((url, { key }) => fetch(url, post(given, { 'idempotency-key': key }))),
  ],
  'waits for what it reads, whatever the time': [
    'ignores_its_signal',
    (url) => ({
      async run(args, ctx: WriteCall<unknown>) {
        await ctx.read(() => fetch(`${url}/orders/1`));
        return right(url).run(args, ctx);
      },
    }),
  ],
  'hands on a signal of the user’s': [
    'cancels_after_send',
    (url) => ({
      async run(_, ctx) {
        const { signal } = ctx.context as { signal: AbortSignal };
        const response = await ctx.fetch(url, { ...post(given), signal });
        return ok('Refunded.', (await response.json()) as JsonValue);
      },
    }),
    { context: (signal: AbortSignal) => ({ signal }) },
  ],
  'loses an answer that comes late': [
    'loses_late_answer',
    (url) => ({
      async run(_, ctx) {
        const response = await ctx.fetch(url, { ...post(given), signal: AbortSignal.timeout(60) });
        return ok('Refunded.', (await response.json()) as JsonValue);
      },
    }),
  ],
  'finds nothing where something is': [
    'reconcile_lies',
    () => ({ reconcile: () => didNotHappen() }),
  ],
  'finds something where nothing is': ['reconcile_lies', () => ({ reconcile: () => happened() })],
  'throws where it is asked': [
    'reconcile_fails',
    () => ({
      reconcile() {
        throw new Error('no such route');
      },
    }),
  ],
  'never says what it found': [
    'reconcile_fails',
    () => ({ reconcile: () => new Promise<never>(() => undefined) }),
    { waitMs: 400 },
  ],
  'says what it found in its own words': [
    'reconcile_fails',
    () => ({ reconcile: () => ({ done: true }) as never }),
  ],
  'writes where it is asked': [
    'reconcile_sends',
    (url) => ({
      async reconcile() {
        await raw(url, post({ ...given, again: true }));
        return happened();
      },
    }),
  ],
  'cannot be asked': ['no_reconcile', () => ({ reconcile: undefined as never })],
  'is asked and never knows': ['stays_unknown', () => ({ reconcile: () => notKnownYet() })],
  'returns a Date': [
    'result_not_json',
    (url) => ({
      async run(_, ctx) {
        await ctx.fetch(url, post(given));
        return ok('Refunded.', { at: new Date() } as never);
      },
    }),
  ],
  'returns a circle': [
    'result_not_json',
    (url) => ({
      async run(_, ctx) {
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        await ctx.fetch(url, post(given));
        return ok('Refunded.', circle as never);
      },
    }),
  ],
  'returns other data than it says': [
    'data_not_as_promised',
    () => ({ output: z.object({ confirmation: z.string() }) }),
  ],
  'tells the text of an error': [
    'leaks_error_text',
    (url) => ({
      async run(_, ctx) {
        const order = await ctx
          .read(() => fetch('http://127.0.0.1:1/', { signal: ctx.signal }))
          .catch((error: Error) => error.message);
        const response = await ctx.fetch(url, post(given));
        const data = (await response.json()) as JsonValue;
        return ok(`Refunded (${String(order).padEnd(12)}).`, data);
      },
    }),
  ],
  'goes nowhere': ['sends_nothing', () => ({ run: () => ok('Refunded.') })],
  'does not find its order': [
    'sends_nothing',
    () => ({ run: () => failed('order_not_found', 'There is no such order.') }),
  ],
  'does not end': [
    'does_not_end',
    (url) => ({
      async run(_, ctx) {
        await ctx.fetch(url, post(given));
        return new Promise<never>(() => undefined);
      },
    }),
  ],
};

describe('a tool with one thing wrong gets that finding, and no other', () => {
  test.each(Object.entries(wrong))('%s', async (_, [code, make, more = {}]) => {
    const report = await verify(make, more);
    expect(
      report.findings.map((one) => one.code),
      report.text,
    ).toEqual([code]);
  });

  test('a client that the watch on requests does not see is found all the same', async () => {
    const effects: string[] = [];
    const downstream = {
      writes: [],
      get effects() {
        return effects.length;
      },
      next: () => undefined,
      release: () => undefined,
      troubles: [],
    };
    const its = tool({
      ...right('http://127.0.0.1:1'),
      async run() {
        effects.push('by a driver of its own');
        return ok('Refunded.');
      },
    } as Spec);
    const report = await verifyTool({ tool: its, input: given, downstream, waitMs: 300 });
    expect(report.findings.map(({ code }) => code)).toEqual(['sends_before_mark']);
    expect(report.scenarios.filter(({ came }) => came === 'not_tried').length).toBeGreaterThan(5);
  });
});

describe('the report', () => {
  test('is plain data, and says what to mend', async () => {
    const report = await verify(() => ({ key: { ignore: [] } }));
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(report.ok).toBe(false);
    expect(report.text).toContain('BROKEN key_changes_with_wording');
    expect(report.text).toContain('key: { ignore: [...] }');
    expect(report.text).toContain('Not tried:');
  });

  test('advice leaves it ok', async () => {
    const report = await verify(() => ({ reconcile: undefined as never }));
    expect(report.ok).toBe(true);
    expect(report.text).toContain('ADVICE no_reconcile');
  });
});

describe('what cannot be verified is said', () => {
  test('a tool that reads', async () => {
    const downstream = await startDownstream();
    opened.push(downstream);
    const its = tool({
      name: 'get_order',
      description: 'Reads.',
      effect: 'read',
      input,
      run: () => ok('x'),
    });
    await expect(verifyTool({ tool: its, input: given, downstream })).rejects.toThrow(
      'get_order reads',
    );
  });

  test('an input that the tool refuses', async () => {
    const refusedInput = verify(() => ({}), { input: { orderId: 'x' } });
    await expect(refusedInput).rejects.toThrow('input is no arguments of refund');
    const other = verify(() => ({}), { other: {} });
    await expect(other).rejects.toThrow('other is no arguments of refund');
  });
});

test('an HTTP client of another kind: node:http', async () => {
  const make = byDispatch(
    (url, { key, signal }) =>
      new Promise((resolve, reject) => {
        const headers = { 'idempotency-key': key };
        const sent = httpRequest(url, { method: 'POST', headers, signal }, async (response) => {
          const chunks = await response.toArray().catch(reject);
          if (chunks)
            resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0 }));
        });
        sent.on('error', reject).end(JSON.stringify(given));
      }),
  );
  expect(await codesOf(make)).toEqual([]);
});
