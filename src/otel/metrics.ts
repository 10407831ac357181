import type { Attributes, Counter, Gauge, Histogram, Meter } from '@opentelemetry/api';
import type { RuntimeEvent } from '../runtime/events.ts';
import { names, resultAttributes, settledBy, toolAttributes } from './names.ts';

/** In seconds: from what a memory ledger takes to the longest timeouts. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type Handlers = {
  readonly [Type in RuntimeEvent['type']]?: (event: Extract<RuntimeEvent, { type: Type }>) => void;
};

/** Counts and times what happens in a runtime, by the events that it is given. */
export function callMetrics(
  meter: Meter,
  isTool: (name: string) => boolean,
): (event: RuntimeEvent) => void {
  const tool = (event: { readonly tool: string; readonly effect?: string }): Attributes =>
    toolAttributes(isTool(event.tool) ? event.tool : undefined, event.effect);
  const handlers: Handlers = {
    ...ofCalls(meter, tool),
    ...ofSettling(meter, tool),
    ...ofReplies(meter),
    ...ofReports(meter, tool),
  };
  return (event) => (handlers[event.type] as ((event: RuntimeEvent) => void) | undefined)?.(event);
}

type ToolAttributes = (event: { readonly tool: string; readonly effect?: string }) => Attributes;

function ofCalls(meter: Meter, tool: ToolAttributes): Handlers {
  const calls = counter(meter, names.calls, '{call}', 'Tool calls that were told.');
  const took = histogram(meter, names.toolDuration, 'From the call to what was told of it.');
  const waited = histogram(meter, names.wait, 'How long calls waited for a lane or for the cap.');
  const marked = histogram(meter, names.mark, 'How long a dispatch took to be marked durably.');
  const inFlight = meter.createUpDownCounter(names.inFlight, {
    unit: '{call}',
    description: 'Tool calls that were not told yet.',
  });
  return {
    called: (event) => inFlight.add(1, tool(event)),
    waited: (event) =>
      waited.record(event.durationMs / 1000, { ...tool(event), 'forthright.wait.for': event.for }),
    dispatched: (event) => marked.record(event.durationMs / 1000, tool(event)),
    told: (event) => {
      const attributes = { ...tool(event), ...resultAttributes(event.result) };
      calls.add(1, attributes);
      took.record(event.durationMs / 1000, attributes);
      inFlight.add(-1, tool({ tool: event.tool }));
    },
  };
}

function ofSettling(meter: Meter, tool: ToolAttributes): Handlers {
  const asked = counter(meter, names.asked, '{question}', 'Questions to remote systems.');
  const settled = counter(meter, names.settled, '{write}', 'Writes settled after all.');
  const open = gauge(meter, names.unsettled, '{write}', 'Writes in the ledger that are unsettled.');
  const oldest = gauge(meter, names.unsettledAge, 's', 'For how long the oldest has been so.');
  const overdue = gauge(meter, names.overdue, '{write}', 'Those that a person has to look at.');
  return {
    asked: (event) => asked.add(1, { ...tool(event), 'forthright.finding': event.finding }),
    settled: (event) =>
      settled.add(1, {
        ...tool(event),
        'forthright.outcome': event.state,
        'forthright.settled.by': settledBy(event),
      }),
    reconciled: (event) => {
      open.record(event.open);
      overdue.record(event.overdue);
      oldest.record(event.oldestMs / 1000);
    },
  };
}

function ofReplies(meter: Meter): Handlers {
  const replies = counter(meter, names.replies, '{reply}', 'Replies held against the record.');
  const claims = counter(meter, names.findings, '{finding}', 'False claims found in replies.');
  return {
    reply_checked: ({ verdict, findings }) => {
      replies.add(1, { 'forthright.verdict': verdict });
      for (const { claim } of findings) claims.add(1, { 'forthright.claim': claim });
    },
  };
}

function ofReports(meter: Meter, tool: ToolAttributes): Handlers {
  const reports = counter(meter, names.reports, '{report}', 'What a runtime reported loudly.');
  return {
    report: (event) => reports.add(1, { ...tool(event), 'forthright.code': event.code }),
  };
}

function counter(meter: Meter, name: string, unit: string, description: string): Counter {
  return meter.createCounter(name, { unit, description });
}

function gauge(meter: Meter, name: string, unit: string, description: string): Gauge {
  return meter.createGauge(name, { unit, description });
}

function histogram(meter: Meter, name: string, description: string): Histogram {
  const advice = { explicitBucketBoundaries: seconds };
  return meter.createHistogram(name, { unit: 's', description, advice });
}
