import type { JsonValue } from './json.ts';

/** What is known of a request once it has ended. */
export type Evidence<T = unknown> = Answered<T> | Rejected | NotSent | NoEvidence;

/** Proof that it happened. */
export interface Answered<T = unknown> {
  readonly evidence: 'answered';
  readonly value: T;
}

/** Proof that nothing changed: the remote system refused it. */
export interface Rejected {
  readonly evidence: 'rejected';
  readonly reason: string;
  readonly data: JsonValue;
}

/** Nothing left this process. */
export interface NotSent {
  readonly evidence: 'not_sent';
  readonly reason: string;
}

/** No proof either way; `accepted` says that the remote system took it and has not done it yet. */
export interface NoEvidence {
  readonly evidence: 'none';
  readonly accepted: boolean;
  readonly reason: string;
}

/** The remote system did it and said so. */
export function answered<T>(value: T): Answered<T> {
  return { evidence: 'answered', value };
}

/** The remote system refused it and changed nothing; `reason` is for the host's logger. */
export function rejected(reason: string, data: JsonValue = null): Rejected {
  return { evidence: 'rejected', reason, data };
}

/** The request never left. */
export function notSent(reason: string): NotSent {
  return { evidence: 'not_sent', reason };
}

/** It left, and there is no telling. */
export function noEvidence(reason: string): NoEvidence {
  return { evidence: 'none', accepted: false, reason };
}

/** The remote system will do it later; a webhook or `reconcile` settles it. */
export function accepted(reason: string): NoEvidence {
  return { evidence: 'none', accepted: true, reason };
}

const kinds: ReadonlySet<unknown> = new Set(['answered', 'rejected', 'not_sent', 'none']);

/** Whether a value is evidence, whichever copy of the package made it. */
export function isEvidence(value: unknown): value is Evidence {
  return typeof value === 'object' && value !== null && kinds.has(Reflect.get(value, 'evidence'));
}

/** The evidence that an error carries in its field `evidence`, if it carries any. */
export function evidenceOf(error: unknown): Evidence | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const carried: unknown = Reflect.get(error, 'evidence');
  return isEvidence(carried) ? carried : undefined;
}

/** What the remote system says of a write that is asked about. */
export type Finding =
  | { readonly finding: 'happened'; readonly data: JsonValue }
  | { readonly finding: 'did_not_happen' }
  | { readonly finding: 'not_known_yet' };

/** The remote system has it; `data` is what the write would have answered. */
export function happened(data: JsonValue = null): Finding {
  return { finding: 'happened', data };
}

/** The remote system does not have it and will not do it any more. */
export function didNotHappen(): Finding {
  return { finding: 'did_not_happen' };
}

/** It cannot be said yet. */
export function notKnownYet(): Finding {
  return { finding: 'not_known_yet' };
}
