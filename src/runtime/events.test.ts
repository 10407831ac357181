import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { desk, Remote, refundTool } from '../../test/support/refunds.ts';
import { type Logger, memoryLedger, noEvidence, ok, type RuntimeEvent, tool } from '../index.ts';

const order = { orderId: 4512, amountCents: 2000 };

function types(events: readonly RuntimeEvent[]): readonly string[] {
  return events.map((event) => (event.type === 'waited' ? `waited for ${event.for}` : event.type));
}

describe('the events of a runtime', () => {
  it('are the steps of a write, all with its number', async () => {
    const { runtime, events } = desk([refundTool(new Remote())]);
    const request = { name: 'refund_order', arguments: JSON.stringify(order), scope: 's' };
    const { key } = await runtime.call({ ...request, callId: 'call_1' });
    expect(types(events)).toEqual([
      'called',
      'decoded',
      'waited for lane',
      'waited for cap',
      'claimed',
      'dispatched',
      'ran',
      'told',
    ]);
    expect(events[0]).toEqual({
      type: 'called',
      call: 1,
      tool: 'refund_order',
      scope: 's',
      callId: 'call_1',
    });
    expect(events[1]).toMatchObject({ effect: 'write', args: order });
    expect(events[4]).toMatchObject({ key, generation: 1 });
    expect(events[6]).toMatchObject({ key, evidence: 'answered', late: false });
    expect(events[7]).toMatchObject({ key, effect: 'write', result: { outcome: 'ok' } });
    expect(new Set(events.map((event) => 'call' in event && event.call))).toEqual(new Set([1]));
  });

  it('are the steps of a read', async () => {
    const read = tool({
      name: 'get_order',
      description: 'Reads an order.',
      effect: 'read',
      input: { type: 'object', properties: {}, additionalProperties: false },
      run: () => ok('It is shipped.'),
    });
    const { refund, events } = desk([read]);
    await refund({});
    expect(types(events)).toEqual(['called', 'decoded', 'waited for cap', 'ran', 'told']);
  });

  it('end with what was told where the text could not be decoded', async () => {
    const { refund, events } = desk([refundTool(new Remote())]);
    await refund({ orderId: 'x' });
    expect(types(events)).toEqual(['called', 'told']);
    expect(events[1]).toMatchObject({ effect: 'write', result: { code: 'missing_argument' } });
  });

  it('of an unknown tool name no effect', async () => {
    const { runtime, events } = desk([refundTool(new Remote())]);
    await runtime.call({ name: 'delete_order', arguments: '{}', scope: 's' });
    expect(events[1]).toMatchObject({ type: 'told', result: { code: 'unknown_tool' } });
    expect(events[1]).not.toHaveProperty('effect');
  });

  it('say that a run ended late, and that its answer settled the write', async () => {
    const remote = new Remote();
    let answer = (): void => undefined;
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    remote.behave = async (_key, commit) => {
      const value = commit();
      await answering;
      return { evidence: 'answered', value };
    };
    const { refund, events } = desk([refundTool(remote, { timeoutMs: 20 })]);
    expect((await refund(order)).outcome).toBe('unknown');
    answer();
    await expect.poll(() => events.at(-1)?.type).toBe('settled');
    expect(types(events).slice(-3)).toEqual(['told', 'ran', 'settled']);
    expect(events.at(-2)).toMatchObject({ call: 1, evidence: 'answered', late: true });
  });

  it('tell what a remote system answered when it was asked, and how old the oldest open write is', async () => {
    let nowMs = 1_000_000;
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => undefined };
    const remote = new Remote();
    remote.behave = async (_key, commit) => {
      commit();
      return noEvidence('no answer');
    };
    const refund = refundTool(remote, { reconcile: () => ({ finding: 'not_known_yet' }) });
    const {
      runtime,
      refund: call,
      events,
    } = desk([refund], {
      clock,
      ledger: memoryLedger({ nowMs: clock.nowMs }),
    });
    await call(order);
    nowMs += 1000;
    await runtime.reconcile();
    expect(events.slice(-2)).toMatchObject([
      { type: 'asked', tool: 'refund_order', finding: 'not_known_yet' },
      { type: 'reconciled', asked: 1, open: 1, oldestMs: 1000 },
    ]);
  });

  it('tell that a reconcile that throws found nothing out', async () => {
    const remote = new Remote();
    remote.behave = async () => noEvidence('no answer');
    const refund = refundTool(remote, {
      reconcile: () => {
        throw new Error('no such table');
      },
    });
    const { runtime, refund: call, events } = desk([refund]);
    await call(order);
    await runtime.reconcile();
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'asked', finding: 'not_found_out' }),
    );
  });

  it('tell that a reply was corrected', async () => {
    const { runtime, events } = desk([refundTool(new Remote())]);
    await runtime.checkReply('s', 'I have refunded order 4512.');
    expect(events).toMatchObject([
      { type: 'reply_checked', scope: 's', verdict: 'corrected', findings: [{ claim: 'done' }] },
    ]);
  });
});

/** What pino writes. */
function pinoLines(): { readonly logger: Logger; readonly lines: object[] } {
  const lines: object[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { logger: pino({}, stream), lines };
}

describe('the logger', () => {
  it('may be pino: a record for each call, with fields and without arguments', async () => {
    const { logger, lines } = pinoLines();
    const { refund } = desk([refundTool(new Remote())], { logger });
    await refund(order);
    expect(lines).toMatchObject([
      {
        level: 30,
        tool: 'refund_order',
        scope: 'conversation-1',
        outcome: 'ok',
        code: 'done',
        msg: 'forthright: refund_order was told ok',
      },
    ]);
    expect(lines[0]).toHaveProperty('key');
    expect(lines[0]).toHaveProperty('durationMs');
    expect(JSON.stringify(lines)).not.toContain('orderId');
  });

  it('gets what is loud with its cause', async () => {
    const { logger, lines } = pinoLines();
    const throws = refundTool(new Remote(), {
      run: () => {
        throw new Error('no such table');
      },
    });
    const { refund } = desk([throws], { logger });
    await refund(order);
    expect(lines[0]).toMatchObject({
      level: 40,
      code: 'tool_threw',
      err: { message: 'no such table' },
    });
  });
});
