import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Remote, refundTool, silent } from '../../test/support/refunds.ts';
import { type AnyTool, createRuntime, memoryLedger, noEvidence, type Runtime } from '../index.ts';
import { names } from './names.ts';
import { type TelemetryOptions, withTelemetry } from './with-telemetry.ts';

const order = '{"orderId":4512,"amountCents":2000}';
const call = { name: 'refund_order', arguments: order, scope: 'conversation-1' };

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

/** A runtime with a real SDK behind it. */
function observed(tools: readonly AnyTool[], options: TelemetryOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const counted = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: counted,
    exportIntervalMillis: 3_600_000,
  });
  const meters = new MeterProvider({ readers: [reader] });
  const tracer = provider.getTracer('test');
  const own = createRuntime({ tools, ledger: memoryLedger(), logger: silent }) as Runtime;
  const runtime = withTelemetry(own, { tracer, meter: meters.getMeter('test'), ...options });
  return {
    runtime,
    own,
    tracer,
    spans: () => exporter.getFinishedSpans(),
    points: async (name: string) => {
      await meters.forceFlush();
      const metrics = counted
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics);
      const metric = metrics?.find(({ descriptor }) => descriptor.name === name);
      return (metric?.dataPoints ?? []) as readonly DataPoint<number>[];
    },
  };
}

function eventsOf(span: ReadableSpan | undefined): readonly string[] {
  return span?.events.map(({ name }) => name) ?? [];
}

describe('the span of a call', () => {
  it('has the name and attributes of the semantic conventions, and its steps as events', async () => {
    const { runtime, spans } = observed([refundTool(new Remote())]);
    const { key } = await runtime.call({ ...call, callId: 'call_1' });
    const [span, ...others] = spans();
    expect(others).toEqual([]);
    expect(span?.name).toBe('execute_tool refund_order');
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'refund_order',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.conversation.id': 'conversation-1',
      'forthright.effect': 'write',
      'forthright.outcome': 'ok',
      'forthright.code': 'done',
      'forthright.key': key,
    });
    expect(eventsOf(span)).toEqual([
      'forthright.decoded',
      'forthright.waited',
      'forthright.waited',
      'forthright.claimed',
      'forthright.dispatched',
      'forthright.ran',
    ]);
    expect(span?.events.at(-1)?.attributes).toMatchObject({ 'forthright.evidence': 'answered' });
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('stands under the span of the host, and above those of the tool', async () => {
    const remote = new Remote();
    const { runtime, spans, tracer } = observed([refundTool(remote)]);
    remote.behave = async (_key, commit) => {
      tracer.startSpan('POST /refunds').end();
      return { evidence: 'answered', value: commit() };
    };
    await tracer.startActiveSpan('a turn', async (turn: Span) => {
      await runtime.call(call);
      turn.end();
    });
    const [request, execute, turn] = spans();
    expect(request?.parentSpanContext?.spanId).toBe(execute?.spanContext().spanId);
    expect(execute?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
    expect(turn?.name).toBe('a turn');
  });

  it('keeps those of calls side by side apart', async () => {
    const { runtime, spans } = observed([refundTool(new Remote())]);
    const orders = Array.from({ length: 5 }, (_, at) => ({
      ...call,
      arguments: `{"orderId":${at},"amountCents":2000}`,
      callId: `call_${at}`,
    }));
    const told = await Promise.all(orders.map((one) => runtime.call(one)));
    const byId = new Map(
      spans().map(({ attributes }) => [
        attributes['gen_ai.tool.call.id'],
        attributes['forthright.key'],
      ]),
    );
    expect(orders.map(({ callId }) => byId.get(callId))).toEqual(told.map(({ key }) => key));
  });

  it('says by its error type what failed', async () => {
    const { runtime, spans } = observed([refundTool(new Remote())]);
    await runtime.call({ ...call, arguments: '{"orderId":1}' });
    expect(spans()[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'missing_argument' });
    expect(spans()[0]?.attributes).toMatchObject({ 'error.type': 'missing_argument' });
  });

  it('has no name of a model’s invention', async () => {
    const { runtime, spans, points } = observed([refundTool(new Remote())]);
    await runtime.call({ ...call, name: 'rm_rf_4512' });
    expect(spans()[0]?.name).toBe('execute_tool');
    expect(spans()[0]?.attributes['gen_ai.tool.name']).toBe('_OTHER');
    const [point] = await points(names.calls);
    expect(point?.attributes).toMatchObject({ 'gen_ai.tool.name': '_OTHER' });
  });

  it('holds no arguments and no result unless asked', async () => {
    const plain = observed([refundTool(new Remote())]);
    await plain.runtime.call(call);
    expect(JSON.stringify(plain.spans()[0]?.attributes)).not.toMatch(/orderId|confirmation/);
    const captured = observed([refundTool(new Remote())], { captureContent: true });
    await captured.runtime.call(call);
    expect(captured.spans()[0]?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': order,
      'gen_ai.tool.call.result': expect.stringContaining('"confirmation":"r-1"'),
    });
  });

  it('is made too where the runtime itself is called', async () => {
    const { own, spans } = observed([refundTool(new Remote())]);
    await own.call(call);
    expect(spans().map(({ name }) => name)).toEqual(['execute_tool refund_order']);
  });
});

describe('the spans of what is heard later', () => {
  it('are linked to the call that was told unknown', async () => {
    const remote = new Remote();
    remote.behave = async (_key, commit) => {
      commit();
      return noEvidence('no answer');
    };
    const refund = refundTool(remote, {
      reconcile: () => ({ finding: 'happened', data: { confirmation: 'r-1' } }),
    });
    const { runtime, spans, points } = observed([refund]);
    await runtime.call(call);
    await runtime.reconcile();
    const [execute, ...later] = spans();
    expect(execute?.attributes['forthright.outcome']).toBe('unknown');
    expect(later.map(({ name }) => name)).toEqual([
      'reconcile refund_order',
      'settle refund_order',
    ]);
    for (const span of later) {
      expect(span.links[0]?.context.spanId).toBe(execute?.spanContext().spanId);
      expect(span.parentSpanContext).toBeUndefined();
    }
    expect(later[1]?.attributes).toMatchObject({
      'forthright.outcome': 'ok',
      'forthright.settled.by': 'reconcile',
    });
    expect((await points(names.settled))[0]?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'refund_order',
      'forthright.outcome': 'ok',
      'forthright.settled.by': 'reconcile',
    });
    expect((await points(names.asked))[0]?.attributes).toMatchObject({
      'forthright.finding': 'happened',
    });
  });
});

describe('the metrics', () => {
  it('count calls by tool, outcome and code, and time them', async () => {
    const { runtime, points } = observed([refundTool(new Remote())]);
    await runtime.call(call);
    await runtime.call(call);
    await runtime.call({ ...call, arguments: '{' });
    const counted = await points(names.calls);
    expect(counted.map(({ value, attributes }) => [attributes['forthright.code'], value])).toEqual([
      ['done', 1],
      ['already_done', 1],
      ['invalid_json', 1],
    ]);
    const took = (await points(names.toolDuration)) as readonly unknown[];
    expect(took.map((point) => (point as DataPoint<Histogram>).value.count)).toEqual([1, 1, 1]);
    expect(await points(names.wait)).toHaveLength(2);
    expect(await points(names.mark)).toHaveLength(1);
    const inFlight = await points(names.inFlight);
    expect(inFlight.map(({ value }) => value)).toEqual([0]);
  });

  it('say how many writes are unsettled, and for how long', async () => {
    const remote = new Remote();
    remote.behave = async () => noEvidence('no answer');
    const { runtime, points } = observed([refundTool(remote)]);
    await runtime.call(call);
    await runtime.reconcile();
    expect((await points(names.unsettled)).map(({ value }) => value)).toEqual([1]);
    expect((await points(names.overdue)).map(({ value }) => value)).toEqual([0]);
    expect((await points(names.unsettledAge))[0]?.value).toBeGreaterThanOrEqual(0);
  });

  it('count corrected replies and what is reported loudly', async () => {
    const throws = refundTool(new Remote(), {
      run: () => {
        throw new Error('secret');
      },
    });
    const { runtime, points } = observed([throws]);
    await runtime.call(call);
    await runtime.checkReply('conversation-1', 'I have refunded order 4512.');
    expect((await points(names.replies))[0]?.attributes).toEqual({
      'forthright.verdict': 'corrected',
    });
    expect((await points(names.findings))[0]?.attributes).toEqual({ 'forthright.claim': 'done' });
    expect((await points(names.reports))[0]?.attributes).toMatchObject({
      'forthright.code': 'tool_threw',
    });
  });

  it('and spans can each be left out', async () => {
    const { runtime, own, spans } = observed([refundTool(new Remote())], { tracer: false });
    expect(runtime).toBe(own);
    await runtime.call(call);
    expect(spans()).toEqual([]);
    const unmetered = observed([refundTool(new Remote())], { meter: false });
    await unmetered.runtime.call(call);
    expect(await unmetered.points(names.calls)).toEqual([]);
    expect(unmetered.spans()).toHaveLength(1);
  });

  it('cost nothing and harm nothing without a registered SDK', async () => {
    trace.disable();
    const own = createRuntime({
      tools: [refundTool(new Remote())],
      ledger: memoryLedger(),
      logger: silent,
    });
    const { result } = await withTelemetry(own).call(call);
    expect(result.outcome).toBe('ok');
  });
});
