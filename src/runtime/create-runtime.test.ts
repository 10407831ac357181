import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { desk, latch, ledgerWith, Remote, refundTool, silent } from '../../test/support/refunds.ts';
import {
  answered,
  didNotHappen,
  happened,
  noEvidence,
  notKnownYet,
  rejected,
} from '../call/evidence.ts';
import { failed, ok } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import { ToolFailure } from '../call/tool-failure.ts';
import { tool } from '../decode/define-tool.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { JumpingClock } from '../testing/jumping-clock.ts';
import { createRuntime } from './create-runtime.ts';

const order = { orderId: 4512, amountCents: 2000 };

function getOrder(run: (orderId: number) => unknown, more: object = {}): AnyTool {
  return tool({
    name: 'get_order',
    description: 'Looks an order up.',
    input: z.object({ orderId: z.int() }),
    effect: 'read',
    run: ({ orderId }) => run(orderId) as never,
    ...more,
  });
}

function lost(more: object = {}): { remote: Remote; tool: AnyTool } {
  const remote = new Remote();
  remote.behave = async (_key, commit) => {
    commit();
    return noEvidence('reset');
  };
  return { remote, tool: refundTool(remote, more) };
}

/** A ledger and runtime whose wall clock a test sets. */
function atTime(): { now: { ms: number }; options: object } {
  const now = { ms: 1_000_000 };
  const clock = {
    nowMs: () => now.ms,
    monotonicMs: () => performance.now(),
    after(delayMs: number, task: () => void) {
      const timer = setTimeout(task, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  return { now, options: { ledger: memoryLedger({ nowMs: clock.nowMs }), clock } };
}

describe('createRuntime', () => {
  test('wants a ledger as soon as a tool writes, and says which', () => {
    expect(() => createRuntime({ tools: [refundTool(new Remote())] })).toThrow(
      /refund_order.*sqliteLedger/,
    );
  });

  test('refuses an option that is no positive number', () => {
    expect(() => createRuntime({ tools: [], maxConcurrent: 0 })).toThrow(/maxConcurrent/);
  });

  test('offers check_write beside writes only, and not when it is not wanted', () => {
    const names = (options: object, ...tools: AnyTool[]): string[] =>
      createRuntime({ tools, ledger: memoryLedger(), ...options })
        .tools()
        .map(({ name }) => name);
    expect(names({}, refundTool(new Remote()))).toEqual(['refund_order', 'check_write']);
    expect(names({ checkWrite: false }, refundTool(new Remote()))).toEqual(['refund_order']);
    expect(
      names(
        {},
        getOrder(() => ok('It is.')),
      ),
    ).toEqual(['get_order']);
  });
});

describe('what a model sends', () => {
  test.each([
    ['an unknown tool', { name: 'cancel_order', arguments: '{"orderId":1}' }, 'unknown_tool'],
    ['no text', { name: 'get_order', arguments: undefined as never }, 'invalid_json'],
    [
      'a name that is no name',
      { name: { toString: null } as never, arguments: '{}' },
      'unknown_tool',
    ],
    [
      'a rounded number',
      { name: 'get_order', arguments: '{"orderId":9007199254740993}' },
      'unsafe_number',
    ],
    ['half a text', { name: 'get_order', arguments: '{"orderId":45' }, 'invalid_json'],
  ])('%s never throws, and never runs', async (_name, call, code) => {
    let ran = 0;
    const runtime = createRuntime({ tools: [getOrder(() => (ran += 1))], logger: silent });
    const { result } = await runtime.call({ ...call, scope: 's' });
    expect(result).toMatchObject({ outcome: 'failed', code });
    expect(ran).toBe(0);
  });

  test('without a scope nothing is called', async () => {
    const runtime = createRuntime({ tools: [getOrder(() => ok('It is.'))], logger: silent });
    const { result } = await runtime.call({
      name: 'get_order',
      arguments: '{"orderId":1}',
    } as never);
    expect(result).toMatchObject({
      code: 'missing_runtime_context',
      outputs: { parameterName: 'scope' },
    });
  });
});

describe('a read', () => {
  const read = async (one: AnyTool, options: object = {}, more: object = {}) => {
    const runtime = createRuntime({ tools: [one], logger: silent, ...options });
    const call = { name: 'get_order', arguments: '{"orderId":1}', scope: 's', ...more };
    return (await runtime.call(call)).result;
  };

  test('tells what its run returned', async () => {
    expect(await read(getOrder((id) => ok('Found.', { id })))).toMatchObject({
      outcome: 'ok',
      data: { id: 1 },
    });
  });

  test('that throws is told tersely', async () => {
    const result = await read(getOrder(() => Promise.reject(new Error('secret at /srv'))));
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
    expect(JSON.stringify(result)).not.toMatch(/secret|srv/);
  });

  test('may throw the result that it wants told', async () => {
    const failure = new ToolFailure(failed('no_such_order', 'There is no such order.'));
    expect(await read(getOrder(() => Promise.reject(failure)))).toMatchObject({
      code: 'no_such_order',
    });
  });

  test('that ignores its signal is left to itself when its time is over', async () => {
    let signal: AbortSignal | undefined;
    const run = (_input: unknown, call: { signal: AbortSignal }) => {
      signal = call.signal;
      return new Promise(() => undefined);
    };
    const slow = getOrder(() => undefined, { timeoutMs: 20, run });
    expect(await read(slow)).toMatchObject({ outcome: 'failed', code: 'read_timeout' });
    expect(signal?.aborted).toBe(true);
  });

  test('is cancelled with its user', async () => {
    const leaving = new AbortController();
    const slow = getOrder(() => {
      leaving.abort();
      return new Promise(() => undefined);
    });
    expect(await read(slow, {}, { signal: leaving.signal })).toMatchObject({ code: 'cancelled' });
  });

  test('of something with an unsettled write carries a warning', async () => {
    const { tool: refund } = lost();
    const lane = ({ orderId }: { orderId: number }) => `order:${orderId}`;
    const { runtime } = desk([refund, getOrder(() => ok('Found.'), { lane })]);
    const call = (name: string, args: object) =>
      runtime.call({ name, arguments: JSON.stringify(args), scope: 's' });
    await call('refund_order', order);
    const { result } = await call('get_order', { orderId: 4512 });
    expect(result.warnings).toMatchObject([{ code: 'lane_unsettled' }]);
    expect((await call('get_order', { orderId: 1 })).result.warnings).toEqual([]);
  });
});

describe('context', () => {
  const mine = (available?: (context: { customer: string }) => boolean) =>
    tool({
      name: 'my_orders',
      description: 'The orders of the customer who is signed in.',
      input: z.object({}),
      context: z.object({ customer: z.string() }),
      effect: 'read',
      run: (_input, { context }) => ok('Found.', context.customer),
      ...(available ? { available } : {}),
    });
  const call = { name: 'my_orders', arguments: '', scope: 's' };

  test('is injected and not shown', async () => {
    const runtime = createRuntime({ tools: [mine()], logger: silent });
    expect(JSON.stringify(runtime.tools())).not.toContain('"customer"');
    const { result } = await runtime.call({ ...call, context: { customer: 'c-1' } });
    expect(result).toMatchObject({ outcome: 'ok', data: 'c-1' });
  });

  test('that is missing is named, and nothing is called', async () => {
    const runtime = createRuntime({ tools: [mine()], logger: silent });
    const { result } = await runtime.call({ ...call, context: {} as never });
    expect(result).toMatchObject({
      code: 'missing_runtime_context',
      outputs: { toolName: 'my_orders', parameterName: 'customer' },
    });
    expect(result).not.toHaveProperty('clarification');
  });

  test('decides which tools are offered; a hidden one is refused', async () => {
    const vip = mine(({ customer }) => customer === 'vip');
    const runtime = createRuntime({ tools: [vip], logger: silent });
    expect(runtime.tools({ customer: 'c-1' })).toEqual([]);
    expect(runtime.tools({ customer: 'vip' })).toHaveLength(1);
    const { result } = await runtime.call({ ...call, context: { customer: 'c-1' } });
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_unavailable' });
    const unknown = await runtime.call({ ...call, name: 'x', context: { customer: 'c-1' } });
    expect(JSON.stringify(unknown.result)).not.toContain('my_orders');
  });
});

describe('what is unknown', () => {
  test('check_write tells the state to its own scope, and asks again', async () => {
    const { now, options } = atTime();
    const findings = [notKnownYet(), happened({ confirmation: 'r-9' })];
    const { tool: refund } = lost({ reconcile: () => findings.shift() });
    const { runtime, refund: call } = desk([refund], options);
    const first = await call(order);
    const ref = first.outcome === 'unknown' ? first.ref : undefined;
    const check = async (scope: string) =>
      (await runtime.call({ name: 'check_write', arguments: JSON.stringify({ ref }), scope }))
        .result;
    expect(await check('another')).toMatchObject({ outcome: 'failed', code: 'unknown_ref' });
    expect(await check('conversation-1')).toMatchObject({
      outcome: 'ok',
      data: { outcome: 'unknown' },
    });
    now.ms += 60_000;
    expect(await check('conversation-1')).toMatchObject({
      data: { outcome: 'ok', data: { confirmation: 'r-9' }, tool: 'refund_order' },
    });
    expect(await call(order)).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'r-9' },
    });
  });

  test('reconcile settles what did not happen only after everything sent has died', async () => {
    const { now, options } = atTime();
    const { tool: refund, remote } = lost({ reconcile: () => didNotHappen() });
    const { runtime, refund: call } = desk([refund], options);
    await call(order);
    expect(await runtime.reconcile()).toEqual({ asked: 1, settled: 0, open: 1, overdue: 0 });
    expect(await runtime.reconcile()).toEqual({ asked: 0, settled: 0, open: 1, overdue: 0 });
    now.ms += 30_000 + 60_000 + 30_000;
    expect(await runtime.reconcile()).toEqual({ asked: 1, settled: 1, open: 0, overdue: 0 });
    remote.behave = async (_key, commit) => answered(commit());
    expect(await call(order)).toMatchObject({ outcome: 'ok' });
  });

  test('reconcile of one key asks about that one alone', async () => {
    const { now, options } = atTime();
    const { tool: refund, remote } = lost({ reconcile: () => didNotHappen() });
    const { runtime, refund: call } = desk([refund], options);
    const first = await call(order);
    await call({ ...order, orderId: 4513 });
    const ref = first.outcome === 'unknown' ? (first.ref ?? '') : '';
    const none = { asked: 0, settled: 0, open: 0, overdue: 0 };
    expect(await runtime.reconcile('no such key')).toEqual(none);
    expect(await runtime.reconcile(ref)).toEqual({ ...none, asked: 1, open: 1 });
    expect(await runtime.reconcile(ref), 'it was asked just now').toEqual({ ...none, open: 1 });
    now.ms += 30_000 + 60_000 + 30_000;
    expect(await runtime.reconcile(ref)).toEqual({ ...none, asked: 1, settled: 1 });
    expect(await runtime.reconcile(ref)).toEqual(none);
    expect(remote.effects).toHaveLength(2);
    expect((await runtime.entries({ states: ['unknown'] })).length).toBe(1);
  });

  test('load says what runs, what waits and for what', async () => {
    const remote = new Remote();
    const held = latch();
    remote.behave = async (_key, commit) => {
      await held.opened;
      return answered(commit());
    };
    const { runtime, refund } = desk([refundTool(remote)], { maxConcurrent: 2, maxWaiting: 9 });
    const idle = { running: 0, maxConcurrent: 2, waitingForCap: 0, waitingForLane: 0, late: 0 };
    expect(runtime.load()).toMatchObject({ ...idle, maxWaiting: 9, maxLate: 1000 });
    const orders = [1, 2, 3, 4].map((orderId) => ({ ...order, orderId }));
    const calls = [...orders, { orderId: 1, amountCents: 1 }].map((its) => refund(its));
    await expect
      .poll(() => runtime.load())
      .toMatchObject({ ...idle, running: 2, waitingForCap: 2, waitingForLane: 1 });
    held.open();
    await Promise.all(calls);
    expect(runtime.load()).toMatchObject(idle);
  });

  test('the history of an entry has the repeats that it answered, a twin among them', async () => {
    const remote = new Remote();
    const held = latch();
    remote.behave = async (_key, commit) => {
      await held.opened;
      return answered(commit());
    };
    const ledger = memoryLedger();
    const { refund } = desk([refundTool(remote)], { ledger });
    const first = refund(order);
    await expect.poll(() => ledger.list({ states: ['dispatched'] })).toHaveLength(1);
    expect(await refund(order)).toMatchObject({ outcome: 'skipped' });
    held.open();
    await first;
    await refund(order);
    const [entry] = await ledger.list({});
    const { events = [] } = (await ledger.history(entry?.key ?? '')) ?? {};
    expect(events.map((event) => (event.what === 'repeated' ? event.told : event.what))).toEqual([
      'claimed',
      'dispatched',
      'in_progress',
      'answered',
      'already_done',
    ]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('down'))],
    ['lies about its type', () => ({ finding: 'maybe' })],
    ['returns nothing', () => undefined],
  ])('a reconcile that %s is contained', async (_name, reconcile) => {
    const { tool: refund } = lost({ reconcile });
    const { runtime, refund: call, reports } = desk([refund]);
    await call(order);
    expect(await runtime.reconcile()).toEqual({ asked: 1, settled: 0, open: 1, overdue: 0 });
    expect(reports()).toContain('reconcile_failed');
  });

  test('a reconcile that hangs is contained, and asked again later', async () => {
    const clock = new JumpingClock();
    const ledger = memoryLedger({ nowMs: () => clock.nowMs() });
    let asked = 0;
    const reconcile = () => {
      asked += 1;
      return asked === 1 ? new Promise<never>(() => undefined) : happened({ confirmation: 'r-1' });
    };
    const options = { ledger, clock, reconcileEveryMs: false } as const;
    const { runtime, refund: call, reports } = desk([lost({ reconcile }).tool], options);
    await call(order);
    const asking = runtime.reconcile();
    await expect.poll(() => asked).toBe(1);
    clock.jump(30_000);
    expect(await asking).toMatchObject({ asked: 1, settled: 0, open: 1 });
    expect(reports()).toContain('reconcile_failed');
    clock.jump(600_000);
    expect(await runtime.reconcile()).toMatchObject({ asked: 1, settled: 1, open: 0 });
  });

  test('reconcile gets the arguments, the note and a context, after a restart too', async () => {
    const { options } = atTime();
    const asked: unknown[] = [];
    const remote = new Remote();
    const noting = () =>
      refundTool(remote, {
        context: z.object({ tenant: z.string() }),
        run: async (_input, ctx) => {
          await ctx.note('billing-77');
          await ctx.dispatch(async () => noEvidence('reset'));
          return ok('Refunded.') as never;
        },
        reconcile: (input, { note, key, context, scope }) => {
          asked.push({ input, note, key, context, scope });
          return notKnownYet();
        },
      });
    const call = { name: 'refund_order', arguments: JSON.stringify(order), scope: 's' };
    await desk([noting()], options).runtime.call({ ...call, context: { tenant: 't-1' } });
    const restarted = desk([noting()], { ...options, contextFor: () => ({ tenant: 't-1' }) });
    await restarted.runtime.reconcile();
    expect(asked).toMatchObject([
      {
        input: order,
        note: 'billing-77',
        context: { tenant: 't-1' },
        scope: 's',
        key: expect.stringMatching(/-1$/),
      },
    ]);
  });

  test('a webhook may be faster than the answer, and an operator may not settle what is not open', async () => {
    const { runtime, refund } = desk([lost().tool]);
    const first = await refund(order);
    const ref = first.outcome === 'unknown' ? (first.ref ?? '') : '';
    const grounds = { by: 'webhook', why: 'charge.refunded', data: { confirmation: 'w-1' } };
    expect(await runtime.settle('no such key', 'happened', grounds)).toEqual({ kind: 'no_entry' });
    expect(await runtime.settle(ref, 'did_not_happen', grounds)).toMatchObject({
      kind: 'too_early',
    });
    const stale = { ...grounds, seen: { state: 'dispatched', token: 1 } as const };
    expect(await runtime.settle(ref, 'happened', stale)).toMatchObject({ kind: 'not_settleable' });
    expect(await runtime.settle(ref, 'happened', grounds)).toMatchObject({ kind: 'settled' });
    expect(await runtime.settle(ref, 'did_not_happen', grounds)).toMatchObject({
      kind: 'not_settleable',
    });
    expect(await refund(order)).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'w-1' },
    });
  });

  test('onSettled tells each settlement at least once, also after a restart', async () => {
    const ledger = memoryLedger();
    const first = desk([lost().tool], { ledger });
    const result = await first.refund(order);
    const ref = result.outcome === 'unknown' ? (result.ref ?? '') : '';
    await first.runtime.settle(ref, 'happened', { by: 'operator', why: 'seen in the books' });
    await first.runtime.close();
    const told: unknown[] = [];
    const second = desk([lost().tool], { ledger });
    second.runtime.onSettled((settlement) => {
      told.push(settlement.key);
      if (told.length === 1) throw new Error('mail server down');
    });
    await expect.poll(() => told).toEqual([ref, ref]);
    await second.runtime.close();
    const third: unknown[] = [];
    const last = desk([lost().tool], { ledger });
    last.runtime.onSettled(({ key }) => third.push(key));
    await last.runtime.close();
    expect(third).toEqual([]);
  });

  test('what the model was told at once is not told to the host again', async () => {
    const told: unknown[] = [];
    const { runtime, refund } = desk([refundTool(new Remote())]);
    await refund(order);
    runtime.onSettled((settlement) => told.push(settlement));
    await runtime.close();
    expect(told).toEqual([]);
  });
});

describe('proof after a verdict that it did not happen', () => {
  const grounds = { by: 'operator', why: 'not in the books' };
  const times = { timeoutMs: 30_000, requestMaxMs: 60_000, marginMs: 30_000 };

  test('by a late answer: the entry is ok, the host is told, and it is reported', async () => {
    const clock = new JumpingClock();
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const ledger = memoryLedger({ nowMs: () => clock.nowMs() });
    // Its process is paused: it cannot say that its request is under way still.
    const paused = ledgerWith(ledger, { renew: async () => ({ kind: 'refused', entry: null }) });
    const stuck = desk([refundTool(remote, times)], { ledger: paused, clock });
    const told = stuck.refund(order);
    await expect.poll(async () => (await ledger.list({}))[0]?.state).toBe('dispatched');
    clock.jump(30_000);
    const result = await told;
    const ref = result.outcome === 'unknown' ? (result.ref ?? '') : '';
    const settlements: string[] = [];
    stuck.runtime.onSettled((settlement) => settlements.push(settlement.result.outcome));
    clock.jump(600_000);
    const operator = desk([refundTool(remote, times)], { ledger, clock });
    expect(await operator.runtime.settle(ref, 'did_not_happen', grounds)).toMatchObject({
      kind: 'settled',
    });
    answer.open();
    await expect.poll(async () => (await ledger.get(ref))?.state).toBe('ok');
    await expect.poll(() => stuck.reports()).toContain('verdict_refuted');
    await expect.poll(() => settlements.at(-1)).toBe('ok');
    expect(await operator.refund(order)).toMatchObject({ outcome: 'already_done' });
    expect(remote.effects).toHaveLength(1);
  });

  test('by a webhook', async () => {
    const { now, options } = atTime();
    const { runtime, refund, reports } = desk([lost().tool], options);
    const result = await refund(order);
    const ref = result.outcome === 'unknown' ? (result.ref ?? '') : '';
    now.ms += 900_000;
    await runtime.settle(ref, 'did_not_happen', grounds);
    expect(reports()).not.toContain('verdict_refuted');
    await runtime.settle(ref, 'happened', { by: 'webhook', why: 'evt_1' });
    expect(reports()).toContain('verdict_refuted');
    expect(await runtime.entries({})).toMatchObject([{ state: 'ok' }]);
  });
});

describe('sealing', () => {
  test('the ledger holds no plain text, and replay and reconcile still work', async () => {
    const sealer = {
      seal: (text: string) => Buffer.from(text).toString('base64'),
      open: (text: string) => Buffer.from(text, 'base64').toString(),
    };
    const asked: unknown[] = [];
    const reconcile = (input: unknown) => {
      asked.push(input);
      return notKnownYet();
    };
    const remote = new Remote();
    const { runtime, refund } = desk([refundTool(remote, { reconcile })], { sealer });
    await refund({ ...order, reason: 'sesame' });
    expect(await refund(order)).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'r-1' },
    });
    remote.behave = async () => noEvidence('reset');
    await refund({ orderId: 7, amountCents: 3, reason: 'sesame' });
    await runtime.reconcile();
    expect(asked).toMatchObject([{ orderId: 7, reason: 'sesame' }]);
    expect(JSON.stringify(await runtime.entries({}))).not.toMatch(/sesame|confirmation/);
  });

  test('a sealer that fails after the effect does not lose the outcome', async () => {
    let seals = 0;
    const sealer = {
      seal: (text: string) => {
        seals += 1;
        if (seals > 1) throw new Error('kms down');
        return text;
      },
      open: (text: string) => text,
    };
    const { refund, runtime } = desk([refundTool(new Remote())], { sealer });
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(await runtime.entries({})).toMatchObject([{ state: 'ok' }]);
  });
});

describe('closing', () => {
  test('waits for what is under way, lets nothing new in, and sends those who wait away', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const { runtime, refund } = desk([refundTool(remote)]);
    const first = refund(order);
    const waiting = refund({ ...order, amountCents: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    const closing = runtime.close();
    expect(await waiting).toMatchObject({ outcome: 'failed', code: 'shutting_down' });
    expect(await refund({ orderId: 1, amountCents: 1 })).toMatchObject({ code: 'shutting_down' });
    answer.open();
    expect(await first).toMatchObject({ outcome: 'ok' });
    expect(await closing).toEqual({ drained: true });
    expect(remote.effects).toHaveLength(1);
  });

  test('does not wait longer than it may', async () => {
    const remote = new Remote();
    remote.behave = () => new Promise(() => undefined);
    const { runtime, refund } = desk([refundTool(remote)]);
    void refund(order);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await runtime.close({ graceMs: 20 })).toEqual({ drained: false });
  });

  test('a serverless host is told of what goes on after the answer', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const kept: Promise<unknown>[] = [];
    const { runtime, refund } = desk([refundTool(remote, { timeoutMs: 20 })], {
      waitUntil: (work) => kept.push(work),
    });
    expect((await refund(order)).outcome).toBe('unknown');
    expect(kept).toHaveLength(1);
    answer.open();
    await Promise.all(kept);
    expect(await runtime.entries({})).toMatchObject([{ state: 'ok' }]);
  });
});

describe('bounds', () => {
  test('too many runs that are still waiting for their answers: no new write is begun', async () => {
    const remote = new Remote();
    remote.behave = () => new Promise(() => undefined);
    const { refund } = desk([refundTool(remote, { timeoutMs: 10 })], { maxLate: 1 });
    expect(await refund(order)).toMatchObject({ outcome: 'unknown' });
    expect(await refund({ orderId: 2, amountCents: 1 })).toMatchObject({ code: 'overloaded' });
  });

  test('listeners and loggers that throw change nothing', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const logger = { info: broken, warn: broken, error: broken };
    const local = refundTool(new Remote(), { run: async () => ok('Noted.') as never });
    const { runtime, refund } = desk([local], { logger });
    runtime.on(broken);
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
  });
});

describe('asking again with the same wire key', () => {
  const hour = 3_600_000;

  function keyed(more: object = {}) {
    const remote = new Remote();
    const done = new Map<string, { confirmation: string }>();
    const keys: string[] = [];
    let sends = 0;
    remote.behave = async (key, commit) => {
      sends += 1;
      keys.push(key);
      if (sends === 1) {
        done.set(key, commit());
        return noEvidence('reset');
      }
      return answered(done.get(key) ?? commit());
    };
    return { remote, keys, tool: refundTool(remote, { remoteKeyMs: 24 * hour, ...more }) };
  }

  test('settles what is unknown, with one effect and a mark of its own', async () => {
    const { remote, keys, tool: refund } = keyed();
    const { runtime, refund: call, reports } = desk([refund]);
    const told: unknown[] = [];
    runtime.onSettled(({ result }) => told.push(result.outcome));
    expect(await call(order)).toMatchObject({ outcome: 'unknown' });
    expect(await runtime.reconcile()).toMatchObject({ asked: 1, settled: 1, open: 0 });
    expect(await runtime.entries({})).toMatchObject([{ state: 'ok', token: 2, generation: 1 }]);
    expect(await call(order)).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'r-1' },
    });
    await runtime.close();
    expect(told).toEqual(['ok']);
    expect(new Set(keys).size).toBe(1);
    expect(remote.effects).toHaveLength(1);
    expect(reports()).toEqual([]);
  });

  test('a rejection of the second send proves nothing about the first', async () => {
    const { remote, tool: refund } = keyed();
    const { runtime, refund: call } = desk([refund]);
    await call(order);
    remote.behave = async () => rejected('a gateway says no');
    expect(await runtime.reconcile()).toMatchObject({ asked: 1, settled: 0, open: 1 });
    expect(await runtime.entries({})).toMatchObject([{ state: 'unknown', unproven: 1 }]);
  });

  test('is not done where it could arrive after the remote has forgotten the key', async () => {
    const { now, options } = atTime();
    const lives = { timeoutMs: 30_000, requestMaxMs: 120_000, marginMs: 60_000 };
    const { remote, tool: refund } = keyed({ remoteKeyMs: hour, ...lives });
    const { runtime, refund: call } = desk([refund], options);
    await call(order);
    now.ms += hour - 209_000;
    expect(await runtime.reconcile()).toMatchObject({ asked: 1, settled: 0 });
    expect(remote.effects).toHaveLength(1);
    expect(await runtime.entries({})).toMatchObject([{ state: 'unknown', token: 1 }]);
  });

  test('once the key is no longer known, it is raised to an operator, and goes on being counted', async () => {
    const { now, options } = atTime();
    const { tool: refund } = keyed({ remoteKeyMs: hour });
    const { runtime, refund: call, reports } = desk([refund], options);
    await call(order);
    now.ms += 2 * hour;
    const raised = { settled: 0, open: 1, overdue: 1 };
    expect(await runtime.reconcile()).toMatchObject(raised);
    now.ms += 48 * hour;
    expect(await runtime.reconcile()).toMatchObject(raised);
    expect(reports().filter((code) => code === 'overdue')).toHaveLength(1);
    expect(await runtime.entries({})).toMatchObject([{ state: 'unknown' }]);
  });

  test('a run that sends nothing this time settles nothing, whatever it says', async () => {
    let runs = 0;
    const remote = new Remote();
    const lazy = refundTool(remote, {
      remoteKeyMs: 24 * hour,
      run: async (_input, ctx) => {
        runs += 1;
        if (runs === 1) await ctx.dispatch(async () => noEvidence('reset'));
        return ok('Refunded.') as never;
      },
    });
    const { runtime, refund: call } = desk([lazy]);
    await call(order);
    expect(await runtime.reconcile()).toMatchObject({ asked: 1, settled: 0, open: 1 });
    expect(runs).toBe(2);
    expect(await runtime.entries({})).toMatchObject([{ state: 'unknown' }]);
  });

  test('nobody asks twice at the same time, across processes', async () => {
    const ledger = memoryLedger();
    const { remote, keys, tool: refund } = keyed();
    const processes = [1, 2, 3].map(() => desk([refund], { ledger }));
    await processes[0]?.refund(order);
    const rounds = await Promise.all(processes.map(({ runtime }) => runtime.reconcile()));
    expect(rounds.reduce((sum, { asked }) => sum + asked, 0)).toBe(1);
    expect(keys).toHaveLength(2);
    expect(remote.effects).toHaveLength(1);
  });
});

describe('by itself', () => {
  test('a runtime asks regularly about what is unsettled', async () => {
    const { tool: refund } = lost({ reconcile: () => happened({ confirmation: 'r-1' }) });
    const { refund: call, runtime } = desk([refund], { reconcileEveryMs: 20 });
    await call(order);
    await expect.poll(async () => (await runtime.entries({}))[0]?.state).toBe('ok');
    await runtime.close();
  });

  test('what stays unsettled for too long is reported once, and counted each time', async () => {
    const { now, options } = atTime();
    const { runtime, refund, reports } = desk([lost().tool], options);
    await refund(order);
    expect(await runtime.reconcile()).toMatchObject({ open: 1, overdue: 0 });
    now.ms += 900_001;
    expect(await runtime.reconcile()).toMatchObject({ open: 1, overdue: 1 });
    expect(await runtime.reconcile()).toMatchObject({ open: 1, overdue: 1 });
    expect(reports().filter((code) => code === 'overdue')).toHaveLength(1);
  });
});

describe('the final reply', () => {
  test('is held against the record of its scope, and corrected where it claims too much', async () => {
    const { runtime, refund } = desk([lost().tool]);
    await refund(order);
    const claim = 'I have refunded $20.00 on order 4512.';
    const checked = await runtime.checkReply('conversation-1', claim);
    expect(checked.verdict).toBe('corrected');
    expect(checked.findings).toMatchObject([{ claim: 'done', tool: 'refund_order' }]);
    expect(checked.reply).not.toContain('have refunded');
  });

  test('passes where the record bears it out', async () => {
    const { runtime, refund } = desk([refundTool(new Remote())]);
    await refund(order);
    const claim = 'I have refunded $20.00 on order 4512.';
    expect(await runtime.checkReply('conversation-1', claim)).toMatchObject({
      verdict: 'pass',
      reply: claim,
    });
    expect(await runtime.checkReply('another', claim)).toMatchObject({ verdict: 'corrected' });
  });

  test('may report what a read of the scope showed', async () => {
    const seen = getOrder(() => ok('Found.', { orderId: 4512, status: 'refunded' }));
    const { runtime } = desk([lost().tool, seen]);
    await runtime.call({
      name: 'get_order',
      arguments: '{"orderId":4512}',
      scope: 'conversation-1',
    });
    const report = 'Order 4512 was already refunded last week.';
    expect(await runtime.checkReply('conversation-1', report)).toMatchObject({ verdict: 'pass' });
  });
});
