import { describe, expect, test } from 'vitest';
import { desk, latch, Remote, refundTool } from '../../test/support/refunds.ts';
import { answered, noEvidence, notSent, rejected } from '../call/evidence.ts';
import { failed, ok, unknown } from '../call/result.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';

const order = { orderId: 4512, amountCents: 2000 };

describe('one write, and what is told of it', () => {
  test('an answer is proof: ok, and the entry says so', async () => {
    const remote = new Remote();
    const { refund, ledger, runtime } = desk([refundTool(remote)]);
    expect(await refund(order)).toMatchObject({ outcome: 'ok', data: { confirmation: 'r-1' } });
    const [entry] = await runtime.entries({});
    expect(entry).toMatchObject({ state: 'ok', unproven: 0, lane: 'order:4512' });
    expect(await ledger.holder('order:4512')).toBeUndefined();
  });

  test('the same again, and with the reason reworded: already done, with the first answer', async () => {
    const remote = new Remote();
    const { refund } = desk([refundTool(remote)]);
    await refund({ ...order, reason: 'late' });
    for (const reason of ['late', 'it was late', undefined]) {
      const again = await refund({ ...order, reason });
      expect(again).toMatchObject({ outcome: 'already_done', data: { confirmation: 'r-1' } });
    }
    expect(remote.effects).toHaveLength(1);
  });

  test('another scope is another intent', async () => {
    const remote = new Remote();
    const { refund } = desk([refundTool(remote)]);
    await refund(order);
    expect(await refund(order, { scope: 'conversation-2' })).toMatchObject({ outcome: 'ok' });
    expect(remote.effects).toHaveLength(2);
  });

  test('a rejection is proof: failed, and the next try goes out under another wire key', async () => {
    const remote = new Remote();
    const keys: string[] = [];
    remote.behave = async (key, commit) => {
      keys.push(key);
      return keys.length === 1 ? rejected('402') : answered(commit());
    };
    const { refund } = desk([refundTool(remote)]);
    expect(await refund(order)).toMatchObject({ outcome: 'failed', code: 'refused_by_billing' });
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(new Set(keys).size).toBe(2);
  });

  test('a request that never left: failed, and the next try keeps the wire key', async () => {
    const remote = new Remote();
    const keys: string[] = [];
    remote.behave = async (key, commit) => {
      keys.push(key);
      return keys.length === 1 ? notSent('refused') : answered(commit());
    };
    const { refund } = desk([refundTool(remote)]);
    expect(await refund(order)).toMatchObject({ outcome: 'failed' });
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(new Set(keys).size).toBe(1);
  });

  test.each([
    ['no evidence', async () => noEvidence('reset')],
    ['a throw after the commit', async () => Promise.reject(new Error('socket hang up'))],
    ['something that is no evidence', async () => ({ status: 200 }) as never],
  ])('%s: unknown, whatever the run says of it', async (_name, end) => {
    const remote = new Remote();
    remote.behave = async (_key, commit) => {
      commit();
      return end();
    };
    const { refund, runtime } = desk([refundTool(remote)]);
    const first = await refund(order);
    expect(first).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    const [entry] = await runtime.entries({});
    expect(entry).toMatchObject({
      state: 'unknown',
      unproven: 1,
      key: first.outcome === 'unknown' && first.ref,
    });
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
    expect(remote.effects).toHaveLength(1);
  });

  test('failed after an answer is not believed', async () => {
    const remote = new Remote();
    const lying = refundTool(remote, {
      run: async (_input, ctx) => {
        await ctx.dispatch(({ key }) => remote.receive(key));
        return failed('declined', 'It was declined.');
      },
    });
    const { refund } = desk([lying]);
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
  });

  test('ok without any send completes, and is reported', async () => {
    const local = refundTool(new Remote(), { run: async () => ok('Noted.') as never });
    const { refund, reports } = desk([local]);
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(await refund(order)).toMatchObject({ outcome: 'already_done' });
    expect(reports()).toContain('ok_without_send');
  });

  test('a run that says unknown is believed, sent or not', async () => {
    const queued = refundTool(new Remote(), {
      run: async () => unknown('queued', 'It is queued.'),
    });
    const { refund } = desk([queued]);
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'queued' });
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
  });

  test('a throw before the send: failed, its text told to nobody but the host', async () => {
    const throwing = refundTool(new Remote(), {
      run: () => Promise.reject(new Error('password=hunter2 at /srv/app')),
    });
    const { refund, events } = desk([throwing]);
    const result = await refund(order);
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|srv/);
    expect(events).toContainEqual(expect.objectContaining({ code: 'tool_threw' }));
  });

  test('a second dispatch in one run is refused, and the first one decides', async () => {
    const remote = new Remote();
    const twice = refundTool(remote, {
      run: async (_input, ctx) => {
        const sent = await ctx.dispatch(({ key }) => remote.receive(key));
        await expect(ctx.dispatch(({ key }) => remote.receive(key))).rejects.toThrow(/once/);
        return ok('Refunded.', sent.evidence as never);
      },
    });
    const { refund } = desk([twice]);
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(remote.effects).toHaveLength(1);
  });

  test('a dispatch that the run did not wait for is waited for all the same', async () => {
    const remote = new Remote();
    const careless = refundTool(remote, {
      run: (_input, ctx) => {
        void ctx.dispatch(({ key }) => remote.receive(key));
        return ok('Refunded.') as never;
      },
    });
    const { refund, reports } = desk([careless]);
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    expect(remote.effects).toHaveLength(1);
    expect(reports()).toEqual([]);
  });

  test.each([
    ['a BigInt', { n: 12n }, { n: '12' }],
    [
      'a Date and a Map',
      { at: new Date(0), m: new Map([['a', 1]]) },
      { at: '1970-01-01T00:00:00.000Z', m: { a: 1 } },
    ],
    ['a function', { f: () => 1, a: 1 }, { a: 1 }],
  ])('%s in the data is passed on as JSON', async (_name, data, expected) => {
    const odd = refundTool(new Remote(), { run: async () => ok('Done.', data as never) as never });
    expect(await desk([odd]).refund(order)).toMatchObject({ outcome: 'ok', data: expected });
  });

  test.each([
    [
      'a cycle',
      () => {
        const a: { self?: unknown } = {};
        a.self = a;
        return a;
      },
    ],
    ['a huge string', () => 'x'.repeat(100_000)],
    [
      'a getter that throws',
      () => ({
        get a(): never {
          throw new Error('no');
        },
      }),
    ],
    [
      'a small object that holds itself 2 to the 60 times',
      () => {
        let a: unknown = 1;
        for (let i = 0; i < 60; i += 1) a = [a, a];
        return a;
      },
    ],
  ])('%s in the data is left out with a warning; the outcome stays', async (_name, data) => {
    const odd = refundTool(new Remote(), {
      run: async () => ok('Done.', data() as never) as never,
    });
    const { refund } = desk([odd]);
    const result = await refund(order);
    expect(result).toMatchObject({ outcome: 'ok', data: null });
    expect(result.warnings).toMatchObject([{ code: 'data_left_out' }]);
    expect(await refund(order)).toMatchObject({ outcome: 'already_done' });
  });
});

describe('side by side', () => {
  test('an identical call while the first one runs is skipped, with what it can ask by', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const { refund } = desk([refundTool(remote)]);
    const first = refund(order);
    const second = await refund(order);
    expect(second).toMatchObject({ outcome: 'skipped', code: 'already_in_progress' });
    answer.open();
    expect(await first).toMatchObject({ outcome: 'ok' });
    expect(remote.effects).toHaveLength(1);
  });

  test('or waits for its twin, where the tool prefers that', async () => {
    const remote = new Remote();
    const { refund } = desk([refundTool(remote, { twin: 'wait' })]);
    const results = await Promise.all([refund(order), refund(order), refund(order)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'already_done', 'already_done']);
    expect(remote.effects).toHaveLength(1);
  });

  test('five orders run at once, three amounts on one order one after the other', async () => {
    const remote = new Remote();
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const spy = refundTool(remote, {
      run: async ({ amountCents }, ctx) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        const sent = await ctx.dispatch(({ key }) => remote.receive(key));
        order.push(String(amountCents));
        running -= 1;
        return ok('Refunded.', sent.evidence as never);
      },
    });
    const { refund } = desk([spy]);
    const five = [1, 2, 3, 4, 5].map((orderId) => refund({ orderId, amountCents: 100 }));
    expect((await Promise.all(five)).every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(most).toBe(5);
    most = 0;
    order.length = 0;
    const three = [300, 100, 200].map((amountCents) => refund({ orderId: 9, amountCents }));
    expect((await Promise.all(three)).every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect([most, ...order]).toEqual([1, '300', '100', '200']);
  });

  test('no more than the cap run at once, and no more than the bound wait', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const { refund } = desk([refundTool(remote)], { maxConcurrent: 1, maxWaiting: 2 });
    const calls = [1, 2, 3, 4].map((orderId) => refund({ orderId, amountCents: 1 }));
    expect(await calls[3]).toMatchObject({ outcome: 'failed', code: 'overloaded' });
    answer.open();
    const rest = await Promise.all(calls.slice(0, 3));
    expect(rest.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  });

  test('a write inside a write is refused, and nothing of it is sent', async () => {
    const remote = new Remote();
    const nested: unknown[] = [];
    const outer = refundTool(remote, {
      run: async (_input, ctx) => {
        nested.push(await inner.refund({ orderId: 1, amountCents: 1 }));
        const sent = await ctx.dispatch(({ key }) => remote.receive(key));
        return ok('Refunded.', sent.evidence as never);
      },
    });
    const inner = desk([outer]);
    expect(await inner.refund(order)).toMatchObject({ outcome: 'ok' });
    expect(nested).toMatchObject([{ outcome: 'failed', code: 'nested_write' }]);
    expect(remote.effects).toHaveLength(1);
  });
});

describe('lanes', () => {
  test('another amount while the first is unknown: lane_unsettled, and nothing sent', async () => {
    const remote = new Remote();
    remote.behave = async (_key, commit) => {
      commit();
      return noEvidence('reset');
    };
    const { refund } = desk([refundTool(remote)]);
    const first = await refund(order);
    const second = await refund({ ...order, amountCents: 1999 });
    expect(second).toMatchObject({ outcome: 'failed', code: 'lane_unsettled' });
    expect(second.outputs.ref).toBe(first.outcome === 'unknown' && first.ref);
    expect(remote.effects).toHaveLength(1);
  });

  test('unless the tool opted out of keeping its lane', async () => {
    const remote = new Remote();
    remote.behave = async () => noEvidence('reset');
    const { refund } = desk([refundTool(remote, { keepLane: false })]);
    await refund(order);
    expect(await refund({ ...order, amountCents: 1999 })).toMatchObject({ code: 'sent_no_answer' });
  });

  test('a call in another process waits for the lane, up to its bound', async () => {
    const ledger = memoryLedger();
    const remote = new Remote();
    const answer = latch();
    const reached = latch();
    remote.behave = async (_key, commit) => {
      reached.open();
      await answer.opened;
      return answered(commit());
    };
    const one = desk([refundTool(remote)], { ledger });
    const other = desk([refundTool(remote)], { ledger });
    const hasty = desk([refundTool(remote)], { ledger, waitMs: 30 });
    const first = one.refund(order);
    await reached.opened;
    const second = other.refund({ ...order, amountCents: 1 });
    expect(await hasty.refund({ ...order, amountCents: 2 })).toMatchObject({
      outcome: 'failed',
      code: 'lane_busy',
    });
    answer.open();
    expect((await first).outcome).toBe('ok');
    expect((await second).outcome).toBe('ok');
    expect(remote.effects).toHaveLength(2);
  });

  test('a call that waited in vain is not told to have failed if another process did it meanwhile', async () => {
    const ledger = memoryLedger();
    const remote = new Remote();
    const answers = [latch(), latch()] as const;
    const reached = [latch(), latch()] as const;
    let sends = 0;
    remote.behave = async (_key, commit) => {
      const n = sends === 0 ? 0 : 1;
      sends += 1;
      reached[n].open();
      await answers[n].opened;
      return answered(commit());
    };
    const one = desk([refundTool(remote)], { ledger });
    const other = desk([refundTool(remote)], { ledger, waitMs: 1_000 });
    const first = one.refund(order);
    await reached[0].opened;
    const variation = other.refund({ ...order, amountCents: 1 });
    const repeat = other.refund(order);
    answers[0].open();
    await reached[1].opened;
    expect((await first).outcome).toBe('ok');
    expect(await repeat).toMatchObject({ outcome: 'already_done', data: { confirmation: 'r-1' } });
    answers[1].open();
    expect((await variation).outcome).toBe('ok');
  });

  test('a repeat meets its own entry before it waits for the lane', async () => {
    const remote = new Remote();
    const { refund } = desk([refundTool(remote)], { waitMs: 50 });
    await refund(order);
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const busy = refund({ ...order, amountCents: 1 });
    expect(await refund(order)).toMatchObject({ outcome: 'already_done' });
    answer.open();
    await busy;
  });
});

describe('keys', () => {
  test('the same own key with other arguments is a conflict, but not against a failed entry', async () => {
    const remote = new Remote();
    const byOrder = refundTool(remote, { key: ({ orderId }) => orderId });
    const { refund } = desk([byOrder]);
    remote.behave = async () => rejected('no');
    await refund(order);
    remote.behave = async (_key, commit) => answered(commit());
    expect(await refund({ ...order, amountCents: 5 })).toMatchObject({ outcome: 'ok' });
    expect(await refund(order)).toMatchObject({ outcome: 'failed', code: 'key_conflict' });
    expect(remote.effects).toHaveLength(1);
  });

  test('a key or lane function that throws sends nothing', async () => {
    const remote = new Remote();
    const broken = refundTool(remote, {
      lane: () => {
        throw new Error('secret');
      },
    });
    const result = await desk([broken]).refund(order);
    expect(result).toMatchObject({ outcome: 'failed', code: 'tool_failed' });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(remote.effects).toEqual([]);
  });
});
