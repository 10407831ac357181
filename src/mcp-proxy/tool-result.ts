import type { JsonObject, JsonValue } from '../call/json.ts';
import type { Result } from '../call/result.ts';
import { contentBlocks, isAllText } from './content.ts';
import { rawObject, splice } from './raw-json.ts';
import type { Answer } from './upstream.ts';

/** The key of the outcome in a result's `_meta`. */
const metaKey = 'forthright/result';

/** What a call came to, and what the server said to it. */
export interface ToldCall {
  readonly result: Result;
  readonly answer: Answer | undefined;
  readonly effect: 'read' | 'write';
  /** A client holds `structuredContent` against the schema, so there the outcome has no place in it. */
  readonly hasOutputSchema: boolean;
}

/** A response's member and its text. */
export interface ResponseBody {
  readonly name: 'result' | 'error';
  readonly raw: string;
}

/** What a client is answered: the server's own text wherever it says all there is to say. */
export function responseBody(told: ToldCall): ResponseBody {
  const { result, answer, effect } = told;
  if (answer?.kind === 'error' && (effect === 'read' || isUrlElicitation(answer.raw))) {
    return { name: 'error', raw: answer.raw };
  }
  if (answer?.kind === 'result') {
    if (isInputRequired(answer.raw)) return { name: 'result', raw: answer.raw };
    if (startedTask(answer.raw) !== undefined) {
      return { name: 'result', raw: withMeta(answer.raw, outcomeOf(result)) };
    }
    if (effect === 'read') return { name: 'result', raw: withWarnings(answer.raw, result) };
    if (result.outcome === 'ok') return { name: 'result', raw: withOutcome(told, answer.raw) };
  }
  return { name: 'result', raw: JSON.stringify(builtResult(told)) };
}

/** The client itself has to act on these two. */
function isUrlElicitation(error: string): boolean {
  return (JSON.parse(error) as JsonObject).code === -32_042;
}

function isInputRequired(result: string): boolean {
  return (JSON.parse(result) as JsonObject).resultType === 'input_required';
}

/** The id of the task as which a call goes on (MCP 2025-11-25, tasks), if it does. */
export function startedTask(result: string): string | undefined {
  const { task, content } = JSON.parse(result) as JsonObject;
  if (content !== undefined || typeof task !== 'object' || task === null) return undefined;
  const { taskId } = task as JsonObject;
  return typeof taskId === 'string' ? taskId : undefined;
}

/** The server's result as it stands, with the outcome beside it. */
function withOutcome({ result, hasOutputSchema }: ToldCall, raw: string): string {
  const body = JSON.parse(raw) as JsonObject;
  const outcome = outcomeOf(result);
  const meta = withMeta(withWarnings(raw, result), outcome);
  if (hasOutputSchema || body.structuredContent !== undefined || !isAllText(body.content)) {
    return meta;
  }
  const structured = { ...outcome, data: dataOf(body.content) };
  return withMember(meta, 'structuredContent', JSON.stringify(structured));
}

/** Some clients show a model `structuredContent` alone: then it has to say what the server said. */
function dataOf(content: JsonValue | undefined): JsonValue {
  const texts = contentBlocks(content).map(({ text }) => text ?? '');
  return texts.length === 1 ? (texts[0] ?? '') : texts;
}

/** The outcome without what the content says already, and without what is empty. */
function outcomeOf(result: Result): JsonObject {
  const { nextActions, warnings, outputs, ...said } = result;
  const { data: _, ...rest } = { data: null, ...said };
  return {
    ...(rest as unknown as JsonObject),
    ...(nextActions.length > 0 ? { nextActions } : {}),
    ...(warnings.length > 0 ? { warnings: warnings as unknown as JsonValue } : {}),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
  };
}

function builtResult({ result, answer, hasOutputSchema }: ToldCall): JsonObject {
  const outcome = outcomeOf(result);
  const first = firstAnswer(result);
  const own = answer?.kind === 'result' ? (JSON.parse(answer.raw) as JsonObject) : first;
  const content = [{ type: 'text', text: sentenceOf(result) }, ...contentBlocks(own?.content)];
  const structured = structuredOf(result, outcome, first, hasOutputSchema);
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    // Without the structure that the schema promises, clients take nothing but an error.
    isError: result.outcome === 'failed' || (hasOutputSchema && structured === undefined),
    _meta: { [metaKey]: outcome },
  };
}

function structuredOf(
  result: Result,
  outcome: JsonObject,
  first: JsonObject | undefined,
  hasOutputSchema: boolean,
): JsonValue | undefined {
  if (hasOutputSchema || first?.structuredContent !== undefined) return first?.structuredContent;
  if (first === undefined) return 'data' in result ? { ...outcome, data: result.data } : outcome;
  return isAllText(first.content) ? { ...outcome, data: dataOf(first.content) } : undefined;
}

/** The server's answer that the ledger kept, where this is a replay. */
function firstAnswer(result: Result): JsonObject | undefined {
  if (result.outcome !== 'already_done') return undefined;
  const data = result.data as JsonObject | null;
  if (typeof data !== 'object' || data === null) return undefined;
  const { raw } = data;
  if (typeof raw === 'string') return JSON.parse(raw) as JsonObject;
  return data.content === undefined ? undefined : data;
}

/** The outcome in words, for a model that is shown nothing else. */
export function sentenceOf(result: Result): string {
  const { outcome, code, summary, nextActions, warnings } = result;
  const ref = 'ref' in result && result.ref !== undefined ? [`ref: ${result.ref}`] : [];
  const data = result.outcome === 'ok' ? [JSON.stringify(result.data)] : [];
  return [
    `${outcome === code ? outcome : `${outcome} (${code})`}: ${summary}`,
    ...data,
    ...nextActions,
    ...warnings.map(({ message }) => message),
    ...ref,
  ].join(' ');
}

function withWarnings(raw: string, { warnings }: Result): string {
  const content = warnings.length === 0 ? undefined : rawObject(raw)?.members.get('content');
  if (content === undefined || raw[content.start] !== '[') return raw;
  const texts = warnings.map(({ message }) => JSON.stringify({ type: 'text', text: message }));
  const isEmpty = /^\[\s*\]$/.test(raw.slice(content.start, content.end));
  const at = content.end - 1;
  const added = `${isEmpty ? '' : ','}${texts.join(',')}`;
  return splice(raw, [{ span: { start: at, end: at }, with: added }]);
}

function withMeta(raw: string, outcome: JsonObject): string {
  const span = rawObject(raw)?.members.get('_meta');
  const text = JSON.stringify(outcome);
  if (span === undefined) return withMember(raw, '_meta', `{"${metaKey}":${text}}`);
  const meta = raw.slice(span.start, span.end);
  return splice(raw, [{ span, with: withMember(meta, metaKey, text) }]);
}

/** The text of an object with one more member at its end, unless it has one of that name. */
function withMember(text: string, name: string, value: string): string {
  const object = rawObject(text);
  if (object === undefined || object.close < 0 || object.members.has(name)) return text;
  const comma = object.members.size > 0 ? ',' : '';
  const at = { start: object.close, end: object.close };
  return splice(text, [{ span: at, with: `${comma}${JSON.stringify(name)}:${value}` }]);
}
