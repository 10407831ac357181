import type { JsonValue } from '../call/json.ts';
import { wireKey } from '../key/key.ts';
import { type Entry, isLive, isUnsettled } from '../ledger/entry.ts';
import type { EntryHistory } from '../ledger/history.ts';
import type { ConsoleOptions, Redact, RedactedField } from './options.ts';
import type { EntryRow, EntryView, Shown, Standing } from './views.ts';

/** What a list shows of an entry. */
export function rowOf(entry: Entry, nowMs: number): EntryRow {
  const { key, tool, scope, lane, state, failedBy, generation, token } = entry;
  const { createdAtMs, firstSentAtMs, settledAtMs, updatedAtMs } = entry;
  const what = { key, tool, scope, lane, state, failedBy, generation, token };
  const when = { createdAtMs, firstSentAtMs, settledAtMs, updatedAtMs };
  return { ...what, ...when, standing: standingOf(entry, nowMs) };
}

function standingOf(entry: Entry, nowMs: number): Standing {
  if (entry.state === 'ok' || entry.state === 'failed') return entry.state;
  if (isUnsettled(entry, nowMs)) return 'unknown';
  return entry.state === 'dispatched' ? 'sent' : 'waiting';
}

/** All that may be shown of an entry. */
export async function viewOf(
  entry: Entry,
  history: EntryHistory | undefined,
  options: ConsoleOptions,
  nowMs: number,
): Promise<EntryView> {
  const { turn, attemptId, leaseUntilMs, patientUntilMs, unproven, verdict } = entry;
  const { toldAtMs, asks, askAtMs, keepsLane } = entry;
  const show = (field: RedactedField, text: string | null): Promise<Shown> =>
    shown(text, { tool: entry.tool, field }, options);
  return {
    ...rowOf(entry, nowMs),
    ...{ turn, attemptId, patientUntilMs, unproven, verdict },
    ...{ toldAtMs, asks, askAtMs, keepsLane },
    leaseUntilMs: isLive(entry, nowMs) ? leaseUntilMs : null,
    wireKey: wireKey(entry),
    arguments: await show('arguments', entry.input),
    result: await show('result', entry.result),
    reference: await show('reference', entry.note),
    events: history?.events ?? [],
    historyIsCut: history?.isCut ?? false,
    canAsk: canAsk(entry, options),
    nowMs,
  };
}

function canAsk(entry: Entry, { runtime }: ConsoleOptions): boolean {
  const tool = runtime?.toolset.find(entry.tool);
  if (tool?.spec.effect !== 'write') return false;
  return tool.spec.reconcile !== undefined || tool.spec.remoteKeyMs !== undefined;
}

async function shown(
  text: string | null,
  of: { readonly tool: string; readonly field: RedactedField },
  { sealer, redact }: ConsoleOptions,
): Promise<Shown> {
  if (text === null || text === '') return { kind: 'none' };
  try {
    const opened = sealer === undefined ? text : await sealer.open(text);
    // The remote system's reference is a text of its own, not JSON.
    const value = of.field === 'reference' ? opened : (JSON.parse(opened) as JsonValue);
    return { kind: 'json', value: redacted(value, redact, of) };
  } catch {
    return { kind: 'closed' };
  }
}

const hidden = '•••';

function redacted(
  value: JsonValue,
  redact: Redact | undefined,
  of: { readonly tool: string; readonly field: RedactedField },
): JsonValue {
  if (redact === undefined) return value;
  if (typeof redact === 'function') return redact(value, of);
  return redact.includes('*') ? hideAll(value) : hideNamed(value, new Set(redact));
}

function hideNamed(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => hideNamed(item, names));
  const entries = Object.entries(value as { readonly [name: string]: JsonValue });
  return Object.fromEntries(
    entries.map(([name, its]) => [name, names.has(name) ? hidden : hideNamed(its, names)]),
  );
}

/** The names stay, so that one sees what there is. */
function hideAll(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return hidden;
  if (Array.isArray(value)) return value.map(hideAll);
  const entries = Object.entries(value as { readonly [name: string]: JsonValue });
  return Object.fromEntries(entries.map(([name, its]) => [name, hideAll(its)]));
}
