import {
  accepted,
  answered,
  type Evidence,
  noEvidence,
  notSent,
  rejected,
} from '../call/evidence.ts';
import type { StatusContract } from '../call/tool.ts';
import { type ErrorTrace, neverConnected } from './error-trace.ts';

/** How one exchange of a request and its response ended. */
export type ExchangeEnd =
  /** It was held back, before a client was given it. */
  | { readonly end: 'withheld'; readonly why: string }
  | { readonly end: 'response'; readonly status: number; readonly body: BodyEnd }
  | {
      readonly end: 'error';
      readonly traces: readonly ErrorTrace[];
      /** Whether a byte of it may have been written; undefined: the client does not tell. */
      readonly written: boolean | undefined;
    };

/** `truncated`: it broke off, or took too long. `too_long`: it went past the limit and was not read on. */
export type BodyEnd = 'complete' | 'truncated' | 'too_long';

/** What the classification depends on besides the end. */
export interface ClassifyRules {
  /** Whether the request carried an idempotency key in the header that we know of. */
  readonly keyed: boolean;
  readonly contract?: StatusContract | undefined;
}

/** Statuses by which a request is refused before it is acted on (RFC 9110, section 15.5). */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 412, 415]);

/** To an API with keys, "in progress" and "other arguments" (Idempotency-Key draft, section 2.7). */
const keyConflicts: ReadonlySet<number> = new Set([409, 422]);

/** Says what the end of one exchange proves of a write; the value of `answered` is the status. */
export function classify(end: ExchangeEnd, rules: ClassifyRules): Evidence<number> {
  switch (end.end) {
    case 'withheld':
      return notSent(end.why);
    case 'error':
      return classifyError(end.traces, end.written);
    case 'response':
      if (end.body !== 'complete') {
        const what = end.body === 'truncated' ? 'a body that broke off' : 'a body past the limit';
        return noEvidence(`answered ${end.status} with ${what}`);
      }
      return classifyStatus(end.status, rules);
  }
}

function classifyError(
  traces: readonly ErrorTrace[],
  written: boolean | undefined,
): Evidence<number> {
  const what = traces.map(({ code }) => code).join(', ') || 'an error without a code';
  if (written === false) return notSent(`${what}, before a byte was written`);
  if (written === undefined && neverConnected(traces)) return notSent(what);
  return noEvidence(what);
}

function classifyStatus(status: number, { keyed, contract }: ClassifyRules): Evidence<number> {
  const told = `answered ${status}`;
  if (mayAnswer(status) && contract?.answers?.includes(status)) return answered(status);
  if (status === 202) return accepted(told);
  if (status >= 200 && status < 300) return answered(status);
  if (keyConflicts.has(status)) return keyed ? noEvidence(told) : rejected(told, { status });
  if (refusals.has(status)) return rejected(told, { status });
  if (mayReject(status) && contract?.rejects?.includes(status)) return rejected(told, { status });
  return noEvidence(told);
}

/** Throws a `RangeError` that names a status of which no contract can make proof. */
export function checkContract(contract: StatusContract | undefined): void {
  const wrong =
    contract?.answers?.find((status) => !mayAnswer(status)) ??
    contract?.rejects?.find((status) => !mayReject(status));
  if (wrong === undefined) return;
  throw new RangeError(
    `contract: ${wrong} proves nothing; \`answers\` takes 202 and 3xx, \`rejects\` takes 4xx but 408.`,
  );
}

function mayAnswer(status: number): boolean {
  return status === 202 || (status >= 300 && status < 400);
}

function mayReject(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

/**
 * What several sends of one write prove together: once it is open what became of one of them, no
 * later rejection is proof. Of no send at all: `not_sent`.
 */
export function sumEvidence<T>(sends: readonly Evidence<T>[]): Evidence<T> {
  const last = (kind: Evidence['evidence']): Evidence<T> | undefined =>
    sends.findLast(({ evidence }) => evidence === kind);
  return (
    last('answered') ??
    last('none') ??
    last('rejected') ??
    last('not_sent') ??
    notSent('nothing was sent')
  );
}
