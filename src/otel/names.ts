import type { Attributes } from '@opentelemetry/api';
import type { Result } from '../call/result.ts';
import type { RuntimeEvent } from '../runtime/events.ts';

/**
 * The names of spans, metrics and attributes. Those that begin with `gen_ai` and `error` are from the
 * OpenTelemetry semantic conventions for generative AI (execute_tool spans); docs/telemetry.md lists all.
 */
export const names = {
  calls: 'forthright.calls',
  toolDuration: 'gen_ai.execute_tool.duration',
  wait: 'forthright.wait.duration',
  mark: 'forthright.mark.duration',
  inFlight: 'forthright.calls.in_flight',
  unsettled: 'forthright.unsettled',
  unsettledAge: 'forthright.unsettled.age',
  overdue: 'forthright.unsettled.overdue',
  asked: 'forthright.reconcile.asked',
  settled: 'forthright.settled',
  replies: 'forthright.replies',
  findings: 'forthright.reply.findings',
  reports: 'forthright.reports',
} as const;

/**
 * What every span and every metric of a tool carries. What a model calls may be no tool, and there is
 * no end to such names: they all count as `_OTHER`.
 */
export function toolAttributes(tool: string | undefined, effect?: string): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool ?? '_OTHER',
    ...(effect === undefined ? {} : { 'forthright.effect': effect }),
  };
}

/** Who settled it, in one of three words: what an operator is called is not for metrics. */
export function settledBy({ verdict }: Extract<RuntimeEvent, { type: 'settled' }>): string {
  if (verdict === undefined) return 'answer';
  return verdict.by === 'reconcile' ? 'reconcile' : 'verdict';
}

/** What a result came to, in the words of spans and metrics. */
export function resultAttributes({ outcome, code }: Result): Attributes {
  return {
    'forthright.outcome': outcome,
    'forthright.code': code,
    ...(outcome === 'failed' ? { 'error.type': code } : {}),
  };
}
