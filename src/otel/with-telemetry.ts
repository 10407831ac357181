import { type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { callMetrics } from './metrics.ts';
import { CallSpans } from './spans.ts';

/** What {@link withTelemetry} takes. */
export interface TelemetryOptions {
  /** The tracer of the globally registered provider if left out; `false` for no spans. */
  readonly tracer?: Tracer | false;
  /** The meter of the globally registered provider if left out; `false` for no metrics. */
  readonly meter?: Meter | false;
  /** Whether arguments and results stand in spans; false if left out, since they may be personal. */
  readonly captureContent?: boolean;
}

const library = 'forthright';

/**
 * The same runtime with OpenTelemetry's spans and metrics (docs/telemetry.md): use what is returned in
 * its place, so that what a tool does stands under the span of its call. Without a registered SDK it
 * does nothing.
 */
export function withTelemetry<const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: TelemetryOptions = {},
): Runtime<Tools> {
  const { captureContent = false } = options;
  const isTool = (name: string): boolean => runtime.toolset.find(name) !== undefined;
  const meter = options.meter ?? metrics.getMeter(library);
  if (meter !== false) runtime.on(callMetrics(meter, isTool));
  const tracer = options.tracer ?? trace.getTracer(library);
  if (tracer === false) return runtime;
  const spans = new CallSpans(tracer, captureContent, isTool);
  runtime.on((event) => spans.on(event));
  return {
    toolset: runtime.toolset,
    tools: (context) => runtime.tools(context),
    call: (request) => spans.around(request, () => runtime.call(request)),
    reconcile: (key) => runtime.reconcile(key),
    settle: (key, verdict, grounds) => runtime.settle(key, verdict, grounds),
    onSettled: (handler) => runtime.onSettled(handler),
    on: (listener) => runtime.on(listener),
    load: () => runtime.load(),
    checkReply: (scope, text, more) => runtime.checkReply(scope, text, more),
    guardReply: (scope, more) => runtime.guardReply(scope, more),
    entries: (query) => runtime.entries(query),
    close: (more) => runtime.close(more),
  };
}
