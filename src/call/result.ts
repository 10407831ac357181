import { type Code, codes, type OutcomeName } from './codes.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** A caveat that is not fatal. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A question that only the user can answer. */
export interface Clarification {
  readonly question: string;
  readonly parameterName: string;
}

interface ResultParts {
  /** One short sentence for the model. */
  readonly summary: string;
  /** Exactly what to do next. */
  readonly nextActions: readonly string[];
  readonly warnings: readonly Warning[];
  /** Compact facts for programs: `toolName`, `parameterName`, `expectedShape`, … */
  readonly outputs: JsonObject;
}

/** It happened and there is proof. */
export interface OkResult<T = JsonValue> extends ResultParts {
  readonly outcome: 'ok';
  readonly code: string;
  readonly data: T;
}

/** Nothing changed, and this attempt never will change anything. */
export interface FailedResult extends ResultParts {
  readonly outcome: 'failed';
  readonly code: string;
  /** Present only when the user must supply something. */
  readonly clarification?: Clarification;
}

/** It left and there is no proof either way. */
export interface UnknownResult extends ResultParts {
  readonly outcome: 'unknown';
  readonly code: string;
  /** What `check_write` takes. */
  readonly ref?: string;
}

/** An earlier identical call did it; `data` is the first answer. */
export interface AlreadyDoneResult<T = JsonValue> extends ResultParts {
  readonly outcome: 'already_done';
  readonly code: 'already_done';
  readonly data: T;
}

/** An identical call is running now; this one sent nothing. */
export interface SkippedResult extends ResultParts {
  readonly outcome: 'skipped';
  readonly code: 'already_in_progress';
  readonly ref?: string;
}

/** What one tool call came to: small JSON, one variant per outcome. */
export type Result<T = JsonValue> =
  | OkResult<T>
  | FailedResult
  | UnknownResult
  | AlreadyDoneResult<T>
  | SkippedResult;

/** What a tool may say of its own run; the rest is for the runtime to say. */
export type ToolResult<T = JsonValue> = OkResult<T> | FailedResult | UnknownResult;

/** What may be added to any result. */
export interface ResultExtras {
  readonly nextActions?: readonly string[];
  readonly warnings?: readonly (Warning | string)[];
  readonly outputs?: JsonObject;
}

/** What may be added to a failure. */
export interface FailureExtras extends ResultExtras {
  readonly clarification?: Clarification;
}

/** It happened: `summary` says so in one sentence, `data` is the payload. */
export function ok<const T extends JsonValue = null>(
  summary: string,
  data?: T,
  extras: ResultExtras & { readonly code?: string } = {},
): OkResult<T> {
  return {
    outcome: 'ok',
    code: extras.code ?? 'done',
    data: (data ?? null) as T,
    ...parts(summary, extras),
  };
}

/**
 * Nothing changed: `code` is the tool's own or one of forthright's, `summary` says why.
 * Said after a request has left without proof, it is told to the model as `unknown`.
 */
export function failed(code: string, summary: string, extras: FailureExtras = {}): FailedResult {
  return {
    outcome: 'failed',
    code,
    ...parts(summary, { ...extras, nextActions: extras.nextActions ?? defaultActions(code) }),
    ...(extras.clarification ? { clarification: extras.clarification } : {}),
  };
}

/** It may have happened. */
export function unknown(
  code: string,
  summary: string,
  extras: ResultExtras & { readonly ref?: string } = {},
): UnknownResult {
  return {
    outcome: 'unknown',
    code,
    ...parts(summary, { ...extras, nextActions: extras.nextActions ?? defaultActions(code) }),
    ...(extras.ref ? { ref: extras.ref } : {}),
  };
}

/** An earlier identical call did it. */
export function alreadyDone<T extends JsonValue>(
  summary: string,
  data: T,
  extras: ResultExtras = {},
): AlreadyDoneResult<T> {
  const nextActions = extras.nextActions ?? defaultActions('already_done');
  return {
    outcome: 'already_done',
    code: 'already_done',
    data,
    ...parts(summary, { ...extras, nextActions }),
  };
}

/** An identical call is running. */
export function skipped(
  summary: string,
  extras: ResultExtras & { readonly ref?: string } = {},
): SkippedResult {
  const nextActions = extras.nextActions ?? defaultActions('already_in_progress');
  return {
    outcome: 'skipped',
    code: 'already_in_progress',
    ...parts(summary, { ...extras, nextActions }),
    ...(extras.ref ? { ref: extras.ref } : {}),
  };
}

/** A rule forbids it for now. */
export function blocked(summary: string, extras: ResultExtras = {}): FailedResult {
  return failed('blocked', summary, extras);
}

/** The request is valid in shape and cannot be met as it stands; the summary says why. */
export function recoverableFailure(summary: string, extras: ResultExtras = {}): FailedResult {
  return failed('recoverable_failure', summary, extras);
}

/** The values are well formed and not valid together. */
export function invalidArguments(summary: string, extras: ResultExtras = {}): FailedResult {
  return failed('invalid_arguments', summary, extras);
}

/** The user must supply `parameterName`. */
export function needsClarification(
  parameterName: string,
  question: string,
  extras: ResultExtras & { readonly code?: string; readonly summary?: string } = {},
): FailedResult {
  return failed(extras.code ?? 'missing_argument', extras.summary ?? question, {
    ...extras,
    nextActions: extras.nextActions ?? [`Ask the user: ${question}`],
    outputs: { parameterName, ...extras.outputs },
    clarification: { question, parameterName },
  });
}

/** The same result with one more warning; blanks are dropped, and what it already says. */
export function withWarning<R extends Result>(result: R, warning: Warning | string): R {
  return { ...result, warnings: distinctWarnings([...result.warnings, warning]) };
}

/** The same result with one more thing to do next; blanks are dropped, and what it already says. */
export function withNextAction<R extends Result>(result: R, action: string): R {
  return { ...result, nextActions: distinctTexts([...result.nextActions, action]) };
}

/** The same result with one more fact; a later one of the same name wins. */
export function withOutput<R extends Result>(result: R, name: string, value: JsonValue): R {
  const key = name.trim();
  return key === '' ? result : { ...result, outputs: { ...result.outputs, [key]: value } };
}

/** The text that goes to the model: the result as JSON, without what is empty. */
export function renderResult(result: Result): string {
  const { nextActions, warnings, outputs, ...rest } = result;
  return JSON.stringify({
    ...rest,
    ...(nextActions.length > 0 ? { nextActions } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
  });
}

/** What the table of codes says to do; nothing for a tool's own code. */
export function defaultActions(code: string): readonly string[] {
  return isCode(code) ? [codes[code].nextAction] : [];
}

/** Whether a code is one of forthright's own. */
function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code);
}

/** Whether a value has the shape of a result, whichever copy of the package made it. */
export function isResult(value: unknown): value is Result {
  if (typeof value !== 'object' || value === null) return false;
  const { outcome, code, summary, nextActions, warnings, outputs } = value as Partial<Result>;
  return (
    typeof outcome === 'string' &&
    outcomes.has(outcome) &&
    typeof code === 'string' &&
    typeof summary === 'string' &&
    Array.isArray(nextActions) &&
    Array.isArray(warnings) &&
    typeof outputs === 'object' &&
    outputs !== null
  );
}

const outcomes: ReadonlySet<OutcomeName> = new Set([
  'ok',
  'failed',
  'unknown',
  'already_done',
  'skipped',
]);

function parts(summary: string, extras: ResultExtras): ResultParts {
  return {
    summary,
    nextActions: distinctTexts(extras.nextActions ?? []),
    warnings: distinctWarnings(extras.warnings ?? []),
    outputs: extras.outputs ?? {},
  };
}

function distinctTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
}

function distinctWarnings(warnings: readonly (Warning | string)[]): readonly Warning[] {
  const byMessage = new Map<string, Warning>();
  for (const warning of warnings) {
    const { code, message } =
      typeof warning === 'string' ? { code: 'warning', message: warning } : warning;
    const text = message.trim();
    if (text !== '' && !byMessage.has(text)) byMessage.set(text, { code, message: text });
  }
  return [...byMessage.values()];
}
