import { describe, expect, test } from 'vitest';
import { desk, latch, ledgerWith, Remote, refundTool } from '../../test/support/refunds.ts';
import { type Clock, systemClock } from '../call/clock.ts';
import { answered, noEvidence, rejected } from '../call/evidence.ts';
import { ok } from '../call/result.ts';
import type { Ledger, MarkRequest } from '../ledger/ledger.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { JumpingClock } from '../testing/jumping-clock.ts';

const order = { orderId: 4512, amountCents: 2000 };

/** A refund tool that waits for `before` and then dispatches, whatever its signal says. */
function stubborn(remote: Remote, before: Promise<void>, seen: unknown[] = []) {
  return refundTool(remote, {
    timeoutMs: 40,
    run: async (_input, ctx) => {
      await before;
      const sent = await ctx
        .dispatch(({ key }) => remote.receive(key))
        .catch((error: unknown) => {
          seen.push(error);
          throw error;
        });
      return ok('Refunded.', (sent.evidence === 'answered' ? sent.value : null) as never);
    },
  });
}

function countingMarks(): { ledger: Ledger; marks: unknown[] } {
  const ledger = memoryLedger();
  const marks: unknown[] = [];
  const mark = (request: MarkRequest) => {
    marks.push(request);
    return ledger.mark(request);
  };
  return { ledger: ledgerWith(ledger, { mark }), marks };
}

test('a dispatch after the run has ended throws, and does not even ask for a mark', async () => {
  const remote = new Remote();
  const straggler = latch<unknown>();
  const careless = refundTool(remote, {
    run: (_input, ctx) => {
      setTimeout(() => ctx.dispatch(({ key }) => remote.receive(key)).catch(straggler.open), 20);
      return ok('Noted.') as never;
    },
  });
  const { ledger, marks } = countingMarks();
  const { refund } = desk([careless], { ledger });
  expect(await refund(order)).toMatchObject({ outcome: 'ok' });
  expect(await straggler.opened).toMatchObject({ name: 'DispatchRefused' });
  expect([...marks, ...remote.effects]).toEqual([]);
});

describe('time runs out', () => {
  test('before the send: failed, a later dispatch throws and sends nothing, and a retry is ok', async () => {
    const remote = new Remote();
    const late = latch();
    const seen: unknown[] = [];
    const { ledger, marks } = countingMarks();
    const { refund, runtime } = desk([stubborn(remote, late.opened, seen)], { ledger });
    expect(await refund(order)).toMatchObject({ outcome: 'failed', code: 'timeout_before_send' });
    const retry = refund(order);
    late.open();
    expect(await retry).toMatchObject({ outcome: 'ok' });
    await runtime.close();
    expect(marks).toHaveLength(1);
    expect(seen).toMatchObject([{ name: 'DispatchRefused' }]);
    expect(remote.effects).toHaveLength(1);
  });

  test('after the send: unknown, then the late answer comes home, then already done', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      const done = commit();
      await answer.opened;
      return answered(done);
    };
    const { refund, runtime } = desk([stubborn(remote, Promise.resolve())]);
    const settled: unknown[] = [];
    runtime.onSettled((settlement) => settled.push(settlement));
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
    expect(await refund(order)).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
    answer.open();
    await expect.poll(() => settled).toHaveLength(1);
    expect(settled).toMatchObject([
      {
        tool: 'refund_order',
        args: order,
        result: { outcome: 'ok', data: { confirmation: 'r-1' } },
      },
    ]);
    expect(await refund(order)).toMatchObject({
      outcome: 'already_done',
      data: { confirmation: 'r-1' },
    });
    expect(remote.effects).toHaveLength(1);
  });

  test('after the send, and a rejection comes late: failed after all, and told to the host', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async () => {
      await answer.opened;
      return rejected('no');
    };
    const { refund, runtime } = desk([stubborn(remote, Promise.resolve())]);
    const settled: unknown[] = [];
    runtime.onSettled((settlement) => settled.push(settlement));
    await refund(order);
    answer.open();
    await expect.poll(() => settled).toHaveLength(1);
    expect(settled).toMatchObject([{ result: { outcome: 'failed' } }]);
  });

  test('while the mark is being written: nothing is sent, and failed is true', async () => {
    const remote = new Remote();
    const marking = latch();
    const ledger = memoryLedger();
    const asked = latch();
    const slow = ledgerWith(ledger, {
      mark: async (request) => {
        asked.open();
        await marking.opened;
        return ledger.mark(request);
      },
    });
    const clock = new JumpingClock();
    const tools = [stubborn(remote, Promise.resolve())];
    const { refund, runtime } = desk(tools, { ledger: slow, clock });
    const telling = refund(order);
    await asked.opened;
    clock.jump(1_000);
    marking.open();
    expect(await telling).toMatchObject({ outcome: 'failed', code: 'timeout_before_send' });
    expect(await runtime.entries({})).toMatchObject([{ state: 'failed', unproven: 0 }]);
    expect(remote.effects).toEqual([]);
  });
});

describe('the user leaves', () => {
  test('before the send: failed, the run sees its signal, nothing is sent', async () => {
    const remote = new Remote();
    const leaving = new AbortController();
    const aborted = latch();
    const polite = refundTool(remote, {
      run: async (_input, ctx) => {
        ctx.signal.addEventListener('abort', () => aborted.open());
        leaving.abort();
        await aborted.opened;
        await ctx.dispatch(({ key }) => remote.receive(key));
        return ok('Refunded.') as never;
      },
    });
    const { refund } = desk([polite]);
    const result = await refund(order, { signal: leaving.signal });
    expect(result).toMatchObject({ outcome: 'failed', code: 'cancelled_before_send' });
    expect(remote.effects).toEqual([]);
  });

  test('after the send: it does not reach the write, and the answer is learned', async () => {
    const remote = new Remote();
    const leaving = new AbortController();
    remote.behave = async (_key, commit) => {
      leaving.abort();
      await new Promise((resolve) => setImmediate(resolve));
      return answered(commit());
    };
    const { refund } = desk([refundTool(remote)]);
    expect(await refund(order, { signal: leaving.signal })).toMatchObject({ outcome: 'ok' });
    expect(remote.effects).toHaveLength(1);
  });

  test.each([
    ['being written', false],
    ['written and not yet acknowledged', true],
  ])(
    'while the mark is %s: nothing is sent, though there was time left',
    async (_name, isWritten) => {
      const remote = new Remote();
      const leaving = new AbortController();
      const ledger = memoryLedger();
      const slow = ledgerWith(ledger, {
        mark: async (request) => {
          const early = isWritten ? await ledger.mark(request) : undefined;
          leaving.abort();
          await new Promise((resolve) => setTimeout(resolve, 20));
          return early ?? ledger.mark(request);
        },
      });
      const { refund, runtime } = desk([refundTool(remote)], { ledger: slow });
      const result = await refund(order, { signal: leaving.signal });
      expect(result).toMatchObject({ outcome: 'failed', code: 'cancelled_before_send' });
      await new Promise((resolve) => setTimeout(resolve, 40));
      expect(await runtime.entries({})).toMatchObject([{ state: 'failed', unproven: 0 }]);
      expect(remote.effects).toEqual([]);
    },
  );

  test('while waiting for its lane: failed, and it never runs', async () => {
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const { refund } = desk([refundTool(remote)]);
    const first = refund(order);
    const leaving = new AbortController();
    const second = refund({ ...order, amountCents: 1 }, { signal: leaving.signal });
    leaving.abort();
    expect(await second).toMatchObject({ outcome: 'failed', code: 'cancelled_before_send' });
    answer.open();
    await first;
    expect(remote.effects).toHaveLength(1);
  });
});

describe('the ledger', () => {
  const down = () => Promise.reject(new Error('connection refused at 10.0.0.1'));

  test('is gone at the claim: nothing is sent', async () => {
    const remote = new Remote();
    const ledger = ledgerWith(memoryLedger(), { claim: down });
    const { refund } = desk([refundTool(remote)], { ledger });
    const result = await refund(order);
    expect(result).toMatchObject({ outcome: 'failed', code: 'ledger_unavailable' });
    expect(JSON.stringify(result)).not.toContain('10.0.0.1');
    expect(remote.effects).toEqual([]);
  });

  test('answers a claim too late: it is given back, so that the next call need not wait for the lease', async () => {
    const remote = new Remote();
    const ledger = memoryLedger();
    const slow = latch();
    let claims = 0;
    const late = ledgerWith(ledger, {
      claim: async (request) => {
        claims += 1;
        const answer = await ledger.claim(request);
        if (claims === 1) await slow.opened;
        return answer;
      },
    });
    const { refund, runtime } = desk([refundTool(remote)], { ledger: late, ledgerMs: 30 });
    expect(await refund(order)).toMatchObject({ code: 'ledger_unavailable' });
    slow.open();
    await expect.poll(async () => (await runtime.entries({}))[0]?.state).toBe('failed');
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
  });

  test.each([
    ['refuses the connection', false],
    ['marks and loses the acknowledgement', true],
  ])(
    '%s at the mark: nothing is sent, and the mark is withdrawn until that is on record',
    async (_name, marks) => {
      const remote = new Remote();
      const ledger = memoryLedger();
      let withdrawals = 0;
      const flaky = ledgerWith(ledger, {
        mark: async (request) => {
          if (marks) await ledger.mark(request);
          return down();
        },
        withdraw: (request) => {
          withdrawals += 1;
          return withdrawals < 3 ? down() : ledger.withdraw(request);
        },
      });
      const { refund, runtime } = desk([refundTool(remote)], { ledger: flaky });
      expect(await refund(order)).toMatchObject({ outcome: 'failed', code: 'ledger_unavailable' });
      await expect.poll(async () => (await runtime.entries({}))[0]?.state).toBe('failed');
      expect(await runtime.entries({})).toMatchObject([{ unproven: 0 }]);
      expect(remote.effects).toEqual([]);
    },
  );

  test('goes away right after the commit: ok with a warning, and recorded when it is back', async () => {
    const remote = new Remote();
    const ledger = memoryLedger();
    let completions = 0;
    const flaky = ledgerWith(ledger, {
      complete: (request) => {
        completions += 1;
        return completions < 3 ? down() : ledger.complete(request);
      },
    });
    const { refund, runtime } = desk([refundTool(remote)], { ledger: flaky });
    const first = await refund(order);
    expect(first).toMatchObject({ outcome: 'ok', data: { confirmation: 'r-1' } });
    expect(first.warnings).toMatchObject([{ code: 'record_pending' }]);
    expect((await refund(order)).outcome).toBe('skipped');
    expect(await runtime.close()).toEqual({ drained: true });
    expect(await runtime.entries({})).toMatchObject([{ state: 'ok' }]);
    expect(remote.effects).toHaveLength(1);
  });

  test('hangs: no call outlives its bounds', async () => {
    const remote = new Remote();
    const never = () => new Promise<never>(() => undefined);
    const ledger = ledgerWith(memoryLedger(), { mark: never });
    const { refund, runtime } = desk([refundTool(remote)], { ledger, ledgerMs: 20 });
    expect(await refund(order)).toMatchObject({ outcome: 'failed', code: 'ledger_unavailable' });
    await runtime.close({ graceMs: 50 });
    expect(remote.effects).toEqual([]);
  });
});

describe('another owner', () => {
  test('took over a claim whose lease had expired: the mark is refused, nothing is sent twice', async () => {
    let nowMs = 1000;
    const ledger = memoryLedger({ nowMs: () => nowMs });
    const remote = new Remote();
    const reached = latch();
    const resume = latch();
    const paused = refundTool(remote, {
      run: async (_input, ctx) => {
        reached.open();
        await resume.opened;
        await ctx.dispatch(({ key }) => remote.receive(key));
        return ok('Refunded.') as never;
      },
    });
    const first = desk([paused], { ledger }).refund(order);
    await reached.opened;
    nowMs += 60_000;
    expect(await desk([refundTool(remote)], { ledger }).refund(order)).toMatchObject({
      outcome: 'ok',
    });
    resume.open();
    expect(await first).toMatchObject({ outcome: 'already_done' });
    expect(remote.effects).toHaveLength(1);
  });

  test('took the lane of one whose lease had expired: failed, with nothing sent', async () => {
    let nowMs = 1000;
    const ledger = memoryLedger({ nowMs: () => nowMs });
    const remote = new Remote();
    const reached = latch();
    const resume = latch();
    const paused = refundTool(remote, {
      run: async (_input, ctx) => {
        reached.open();
        await resume.opened;
        await ctx.dispatch(({ key }) => remote.receive(key));
        return ok('Refunded.') as never;
      },
    });
    const first = desk([paused], { ledger }).refund(order);
    await reached.opened;
    nowMs += 60_000;
    const other = desk([refundTool(remote)], { ledger });
    expect(await other.refund({ ...order, amountCents: 1 })).toMatchObject({ outcome: 'ok' });
    resume.open();
    expect(await first).toMatchObject({ outcome: 'failed', code: 'lease_lost' });
    expect(remote.effects).toHaveLength(1);
  });

  test('cannot take the lane of a dispatched write whose owner died: lane_unsettled', async () => {
    let nowMs = 1000;
    const ledger = memoryLedger({ nowMs: () => nowMs });
    const remote = new Remote();
    const reached = latch();
    remote.behave = (_key, commit) => {
      commit();
      reached.open();
      return new Promise(() => undefined);
    };
    void desk([refundTool(remote)], { ledger }).refund(order);
    await reached.opened;
    nowMs += 60_000;
    const other = desk([refundTool(remote)], { ledger });
    const second = await other.refund({ ...order, amountCents: 1 });
    expect(second).toMatchObject({ outcome: 'failed', code: 'lane_unsettled' });
    expect(await other.refund(order)).toMatchObject({
      outcome: 'unknown',
      code: 'still_confirming',
    });
    expect(remote.effects).toHaveLength(1);
  });

  test('is kept out while the first one renews its lease', async () => {
    const ledger = memoryLedger();
    const remote = new Remote();
    const answer = latch();
    remote.behave = async (_key, commit) => {
      await answer.opened;
      return answered(commit());
    };
    const options = { ledger, leaseMs: 30 };
    const first = desk([refundTool(remote)], options).refund(order);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect((await desk([refundTool(remote)], options).refund(order)).outcome).toBe('skipped');
    answer.open();
    expect((await first).outcome).toBe('ok');
  });
});

/** A clock that stands still until a test lets it go on. */
function standingClock(): { clock: Clock; advance(ms: number): Promise<void> } {
  let nowMs = 1_000_000;
  const timers = new Set<{ atMs: number; task: () => void }>();
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    after(delayMs, task) {
      const timer = { atMs: nowMs + delayMs, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  async function advance(ms: number): Promise<void> {
    const endMs = nowMs + ms;
    for (;;) {
      const [next] = [...timers].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > endMs) break;
      nowMs = next.atMs;
      timers.delete(next);
      next.task();
      await new Promise(setImmediate);
    }
    nowMs = endMs;
  }
  return { clock, advance };
}

test('a send that is pending holds a negative verdict off, be the lease ever so long', async () => {
  const { clock, advance } = standingClock();
  const ending = latch();
  const remote = new Remote();
  remote.behave = async () => {
    await ending.opened;
    return noEvidence('it never ended');
  };
  const lives = { timeoutMs: 100, requestMaxMs: 200, marginMs: 100 };
  const { refund, runtime } = desk([refundTool(remote, lives)], {
    ledger: memoryLedger({ nowMs: clock.nowMs }),
    clock,
    leaseMs: 60_000,
    reconcileEveryMs: false,
  });
  const refunding = refund(order);
  await new Promise(setImmediate);
  await advance(100);
  const result = await refunding;
  expect(result).toMatchObject({ outcome: 'unknown' });
  const key = 'ref' in result ? (result.ref ?? '') : '';
  const grounds = { by: 'operator', why: 'looked it up' };
  await advance(5_000);
  expect(await runtime.settle(key, 'did_not_happen', grounds)).toMatchObject({ kind: 'too_early' });
  ending.open();
  await new Promise(setImmediate);
  await advance(300);
  expect(await runtime.settle(key, 'did_not_happen', grounds)).toMatchObject({ kind: 'settled' });
});

test.each([
  ['as long as an attempt may send, and so it is retried', 180_000, 3],
  ['not that long, and so it is not', 119_000, 1],
])('the remote system honours a key for %s', async (_name, remoteKeyMs, sends) => {
  let sent = 0;
  const sending = refundTool(new Remote(), {
    remoteKeyMs,
    run: async (_input, ctx) => {
      await ctx.fetch('http://billing.example/refunds', { method: 'POST', body: '{}' });
      return ok('Refunded.') as never;
    },
  });
  const { refund } = desk([sending], {
    http: { retry: { baseMs: 0 } },
    fetch: async () => {
      sent += 1;
      return new Response('overloaded', { status: 503 });
    },
  });
  expect(await refund(order)).toMatchObject({ outcome: 'unknown' });
  expect(sent).toBe(sends);
});

describe('timers', () => {
  /** The machine's clock, and what of it is still to come. */
  function counted(): { readonly clock: Clock; readonly pending: Set<object> } {
    const pending = new Set<object>();
    const clock: Clock = {
      ...systemClock,
      after(delayMs, task, kind) {
        const timer = {};
        pending.add(timer);
        const callOff = systemClock.after(
          delayMs,
          () => {
            pending.delete(timer);
            task();
          },
          kind,
        );
        return () => {
          pending.delete(timer);
          callOff();
        };
      },
    };
    return { clock, pending };
  }

  test('none is left once a write was told', async () => {
    const { clock, pending } = counted();
    const { refund } = desk([refundTool(new Remote())], { clock, reconcileEveryMs: false });
    expect(await refund(order)).toMatchObject({ outcome: 'ok' });
    await new Promise(setImmediate);
    expect(pending.size).toBe(0);
  });

  test('none is left where it ended while its lease was being renewed', async () => {
    const { clock, pending } = counted();
    const renewing = latch();
    const renewed = latch();
    const answering = latch();
    const ledger = memoryLedger();
    const slow = ledgerWith(ledger, {
      renew: async (request) => {
        renewing.open();
        await renewed.opened;
        return ledger.renew(request);
      },
    });
    const remote = new Remote();
    remote.behave = async (_key, commit) => {
      await answering.opened;
      return { evidence: 'answered', value: commit() };
    };
    const options = { ledger: slow, clock, reconcileEveryMs: false as const, leaseMs: 60 };
    const { refund } = desk([refundTool(remote)], options);
    const telling = refund(order);
    await renewing.opened;
    answering.open();
    expect(await telling).toMatchObject({ outcome: 'ok' });
    renewed.open();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(pending.size).toBe(0);
  });
});
