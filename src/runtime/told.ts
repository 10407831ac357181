import type { JsonValue } from '../call/json.ts';
import {
  type AlreadyDoneResult,
  alreadyDone,
  type FailedResult,
  failed,
  isResult,
  type OkResult,
  ok,
  type Result,
  skipped,
  type ToolResult,
  unknown,
  withWarning,
} from '../call/result.ts';
import { safeJson } from '../call/safe-json.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Parts } from './parts.ts';

const longestSummary = 2000;

/** What a run returned, as plain JSON within bounds; undefined where it is no result of a tool's. */
export function readWord(value: unknown, tool: AnyTool, parts: Parts): ToolResult | undefined {
  if (!isResult(value) || value.outcome === 'already_done' || value.outcome === 'skipped') {
    return undefined;
  }
  const said = {
    nextActions: strings(value.nextActions),
    warnings: value.warnings.filter((one) => typeof one?.message === 'string'),
    outputs: readOutputs(value.outputs, parts),
  };
  const summary = value.summary.slice(0, longestSummary).toWellFormed();
  switch (value.outcome) {
    case 'ok':
      return withData(ok(summary, null, { ...said, code: value.code }), value.data, tool, parts);
    case 'failed':
      return failed(value.code, summary, {
        ...said,
        ...(value.clarification ? { clarification: value.clarification } : {}),
      });
    case 'unknown':
      return unknown(value.code, summary, said);
  }
}

function withData(
  word: OkResult<JsonValue>,
  data: unknown,
  tool: AnyTool,
  parts: Parts,
): OkResult<JsonValue> {
  const { value, problem } = safeJson(data, parts.settings.maxDataLength);
  if (problem !== undefined) {
    const message = `The data could not be passed on: ${problem}.`;
    return withWarning(word, { code: 'data_left_out', message });
  }
  return withWarningOnMismatch({ ...word, data: value }, tool, parts);
}

function withWarningOnMismatch<R extends Result & { readonly data: JsonValue }>(
  result: R,
  tool: AnyTool,
  parts: Parts,
): R {
  const accepted = tool.acceptData(result.data);
  if (accepted.ok) return result;
  parts.events.report({
    code: 'unexpected_data',
    tool: tool.name,
    message: `the data of ${tool.name} is not what its output schema says: ${accepted.error}`,
  });
  const message = 'The data is not of the form that the tool promises.';
  return withWarning(result, { code: 'unexpected_data', message });
}

/** What a repeated call is told of the entry that it met, or of the one that took its place. */
export async function tellEntry(entry: Entry, tool: AnyTool, parts: Parts): Promise<Result> {
  switch (entry.state) {
    case 'ok':
      return tellAlreadyDone(entry, tool, parts);
    case 'failed':
      return failed('lease_lost', 'Another attempt took over; this one sent nothing.');
    case 'unknown':
      return tellUnsettled(entry);
    case 'claimed':
    case 'dispatched':
      return skipped('An identical call is running; this one sent nothing.', { ref: entry.key });
  }
}

/** What a repeated call is told while it is open what became of the first one. */
export function tellUnsettled(entry: Entry): Result {
  return unknown(
    'still_confirming',
    'An earlier identical call was sent and is not confirmed yet; this one sent nothing.',
    { ref: entry.key },
  );
}

async function tellAlreadyDone(entry: Entry, tool: AnyTool, parts: Parts): Promise<Result> {
  const first = await openResult(entry, parts);
  const result = repeatOf(first);
  return first?.outcome === 'ok' ? withWarningOnMismatch(result, tool, parts) : result;
}

/** What a repeated call is told of the result of the one that did it. */
export function repeatOf(first: ToolResult | undefined): AlreadyDoneResult {
  const summary = first === undefined ? 'It was done.' : first.summary;
  const data = first?.outcome === 'ok' ? first.data : null;
  return alreadyDone(`An earlier identical call did this: ${summary}`, data, {
    ...(first ? { outputs: first.outputs, warnings: first.warnings } : {}),
  });
}

/** Told where the ledger did not answer before anything could be sent. */
export function ledgerUnavailable(): FailedResult {
  const why = 'The record of writes cannot be reached, so nothing was sent.';
  return failed('ledger_unavailable', why);
}

/** The text that the ledger keeps of a result; empty where it cannot be sealed. Never rejects. */
export async function sealResult(result: ToolResult, tool: string, parts: Parts): Promise<string> {
  try {
    return await parts.settings.sealer.seal(JSON.stringify(result));
  } catch (cause) {
    const message = 'a result could not be sealed; only its outcome is kept';
    parts.events.report({ code: 'ledger_failed', tool, cause, message });
    return '';
  }
}

/** The result that the ledger keeps of an entry; undefined where there is none, or it cannot be opened. */
export async function openResult(entry: Entry, parts: Parts): Promise<ToolResult | undefined> {
  if (entry.result === null || entry.result === '') return undefined;
  try {
    const opened: unknown = JSON.parse(await parts.settings.sealer.open(entry.result));
    return isResult(opened) && opened.outcome !== 'already_done' && opened.outcome !== 'skipped'
      ? opened
      : undefined;
  } catch (cause) {
    const message = 'the stored result of an entry could not be opened';
    parts.events.report({
      code: 'ledger_failed',
      tool: entry.tool,
      key: entry.key,
      cause,
      message,
    });
    return undefined;
  }
}

function strings(list: readonly unknown[]): readonly string[] {
  return list.filter((item): item is string => typeof item === 'string');
}

function readOutputs(outputs: unknown, parts: Parts): { readonly [key: string]: JsonValue } {
  const { value } = safeJson(outputs, parts.settings.maxDataLength);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as { readonly [key: string]: JsonValue }) : {};
}
