import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import { NewestMap } from '../call/newest-map.ts';
import type { RuntimeEvent } from '../runtime/events.ts';
import type { CallRequest } from '../runtime/runtime.ts';
import { resultAttributes, settledBy, toolAttributes } from './names.ts';

type Told = Extract<RuntimeEvent, { type: 'told' }>;
type Late = Extract<RuntimeEvent, { type: 'settled' | 'asked' }>;

/** The spans of writes that may be settled later: so many are remembered, the oldest forgotten. */
const mostRemembered = 10_000;

/** A span for each call, with its steps as events; and one for what is heard of a write later. */
export class CallSpans {
  readonly #tracer: Tracer;
  readonly #captureContent: boolean;
  readonly #isTool: (name: string) => boolean;
  readonly #open = new Map<number, Span>();
  readonly #unsettled = new NewestMap<string, SpanContext>(mostRemembered);
  #entering: Span | undefined;

  constructor(tracer: Tracer, captureContent: boolean, isTool: (name: string) => boolean) {
    this.#tracer = tracer;
    this.#captureContent = captureContent;
    this.#isTool = isTool;
  }

  /** Makes a call in a span of its own, so that what its tool does stands under it. */
  around<T>({ name }: Pick<CallRequest, 'name'>, work: () => Promise<T>): Promise<T> {
    return this.#tracer.startActiveSpan(this.#nameOf(name), { kind: SpanKind.INTERNAL }, (span) => {
      this.#entering = span;
      try {
        return work();
      } finally {
        this.#entering = undefined;
      }
    });
  }

  on(event: RuntimeEvent): void {
    switch (event.type) {
      case 'called':
        this.#start(event);
        break;
      case 'told':
        this.#end(event);
        break;
      case 'settled':
      case 'asked':
        this.#heard(event);
        break;
      case 'decoded':
      case 'waited':
      case 'claimed':
      case 'dispatched':
      case 'ran':
        this.#note(event);
    }
  }

  /** What a model calls is no name to trust: there is no end to those. */
  #nameOf(tool: string): string {
    return this.#isTool(tool) ? `execute_tool ${tool}` : 'execute_tool';
  }

  #start({ call, tool, scope, callId }: Extract<RuntimeEvent, { type: 'called' }>): void {
    const span =
      this.#entering ?? this.#tracer.startSpan(this.#nameOf(tool), { kind: SpanKind.INTERNAL });
    this.#open.set(call, span);
    if (!span.isRecording()) return;
    span.setAttributes({
      ...toolAttributes(this.#isTool(tool) ? tool : undefined),
      'gen_ai.tool.type': 'function',
      'gen_ai.conversation.id': scope,
      ...(callId === undefined ? {} : { 'gen_ai.tool.call.id': callId }),
    });
  }

  #note(event: Extract<RuntimeEvent, { call: number; durationMs: number }>): void {
    const span = this.#open.get(event.call);
    if (span === undefined || !span.isRecording()) return;
    span.addEvent(`forthright.${event.type}`, stepAttributes(event));
    if (event.type !== 'decoded') return;
    span.setAttribute('forthright.effect', event.effect);
    if (!this.#captureContent) return;
    span.setAttribute('gen_ai.tool.call.arguments', JSON.stringify(event.args));
  }

  #end({ call, key, effect, result }: Told): void {
    const span = this.#open.get(call);
    if (span === undefined) return;
    this.#open.delete(call);
    span.setAttributes({
      ...resultAttributes(result),
      ...(effect === undefined ? {} : { 'forthright.effect': effect }),
      ...(key === undefined ? {} : { 'forthright.key': key }),
      ...(this.#captureContent ? { 'gen_ai.tool.call.result': JSON.stringify(result) } : {}),
    });
    if (result.outcome === 'failed') {
      span.setStatus({ code: SpanStatusCode.ERROR, message: result.code });
    }
    if (key !== undefined && result.outcome === 'unknown')
      this.#unsettled.set(key, span.spanContext());
    span.end();
  }

  /** In a trace of its own, linked to the call that it is about. */
  #heard(event: Late): void {
    const { tool, key } = event;
    const call = this.#unsettled.get(key);
    const links: readonly Link[] = call === undefined ? [] : [{ context: call }];
    const endMs = Date.now();
    const durationMs = event.type === 'asked' ? event.durationMs : 0;
    const span = this.#tracer.startSpan(
      event.type === 'asked' ? `reconcile ${tool}` : `settle ${tool}`,
      {
        kind: SpanKind.INTERNAL,
        startTime: endMs - durationMs,
        links: [...links],
        attributes: { 'gen_ai.tool.name': tool, 'forthright.key': key, ...lateAttributes(event) },
      },
      ROOT_CONTEXT,
    );
    span.end(endMs);
    if (event.type === 'settled') this.#unsettled.delete(key);
  }
}

function stepAttributes(event: Extract<RuntimeEvent, { durationMs: number }>): Attributes {
  const took = { 'forthright.duration': event.durationMs / 1000 };
  switch (event.type) {
    case 'waited':
      return { ...took, 'forthright.wait.for': event.for, 'forthright.wait.had': event.had };
    case 'claimed':
    case 'dispatched':
      return { ...took, 'forthright.generation': event.generation };
    case 'ran': {
      const { evidence } = event;
      return { ...took, ...(evidence === undefined ? {} : { 'forthright.evidence': evidence }) };
    }
    default:
      return took;
  }
}

function lateAttributes(event: Late): Attributes {
  return event.type === 'asked'
    ? { 'forthright.finding': event.finding }
    : { 'forthright.outcome': event.state, 'forthright.settled.by': settledBy(event) };
}
