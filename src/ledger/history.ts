import type { Entry, EntryState, Verdict } from './entry.ts';
import type { Asker, ClaimAnswer, CompleteRequest, SettleRequest } from './ledger.ts';
import type { Transition } from './transition.ts';

/** What a repeated call was told of the entry that it met. */
export type RepeatAnswer =
  | Extract<
      ClaimAnswer['kind'],
      'already_done' | 'in_progress' | 'still_confirming' | 'key_conflict'
    >
  | 'not_done';

/** What happened to an entry. */
export type Happening =
  /** An attempt began. */
  | { readonly what: 'claimed' }
  /** A request may leave from now on. */
  | { readonly what: 'dispatched' }
  /** The same is sent again under the same key, to ask what became of it. */
  | { readonly what: 'sent_again' }
  /** An attempt ended without having sent anything. */
  | { readonly what: 'unsent' }
  /** No answer in time. */
  | { readonly what: 'given_up' }
  /** The remote system is being asked. */
  | { readonly what: 'asked' }
  /** An attempt's request was proven; `late`: its call had been told something else by then. */
  | { readonly what: 'answered' | 'rejected'; readonly late: boolean }
  /** A second attempt was proven too: it may have happened twice. */
  | { readonly what: 'doubled' }
  | ({ readonly what: 'settled' } & Pick<Verdict, 'verdict' | 'by' | 'why'>)
  /** An identical call met the entry, and sent nothing. */
  | { readonly what: 'repeated'; readonly told: RepeatAnswer }
  /** The model asked by `check_write`. */
  | { readonly what: 'checked' };

/** One line of an entry's history. */
export type EntryEvent = Happening & {
  /** By the store's clock, in milliseconds since 1970. */
  readonly atMs: number;
  /** The attempt that it is about: for a late answer not always the latest one. */
  readonly token: number;
  readonly generation: number;
  /** The state that the entry had after it. */
  readonly state: EntryState;
};

/** What happened to an entry, oldest first. */
export interface EntryHistory {
  readonly events: readonly EntryEvent[];
  /** Whether some in the middle are left out, since there were too many to keep. */
  readonly isCut: boolean;
}

type Of<A> = Pick<Transition<A>, 'answer' | 'entry'>;

/** What a claim is in its entry's history: nothing where another entry was in its way. */
export function ofClaim({ answer, entry }: Of<ClaimAnswer>): Happening | undefined {
  switch (answer.kind) {
    case 'claimed':
      return entry === undefined ? undefined : { what: 'claimed' };
    case 'lane_busy':
    case 'lane_unsettled':
      return undefined;
    default:
      return { what: 'repeated', told: answer.kind };
  }
}

/** What a proof is in its entry's history. */
export function ofProof(
  { evidence }: CompleteRequest,
  { answer, entry }: Of<{ readonly kind: string }>,
  before: Entry | undefined,
): Happening | undefined {
  if (answer.kind === 'doubled') return { what: 'doubled' };
  if (entry === undefined || (before?.state === 'ok' && before.provenToken !== null)) return;
  return { what: evidence, late: before?.state !== 'dispatched' };
}

/** What a verdict is in its entry's history. */
export function ofVerdict({ verdict, by, why }: SettleRequest): Happening {
  return { what: 'settled', verdict, by: cut(by), why: cut(why) };
}

/** What a telling is in its entry's history. */
export function ofTelling(asked: Asker, { state }: Entry): Happening {
  if (asked === 'check') return { what: 'checked' };
  const told = toldOf[state];
  return { what: 'repeated', told: asked === 'twin' && state === 'ok' ? 'in_progress' : told };
}

const toldOf: Readonly<Record<EntryState, RepeatAnswer>> = {
  claimed: 'in_progress',
  dispatched: 'in_progress',
  ok: 'already_done',
  failed: 'not_done',
  unknown: 'still_confirming',
};

const longestText = 500;

function cut(text: string): string {
  return text.slice(0, longestText).toWellFormed();
}

const provingAttempt: ReadonlySet<string> = new Set(['answered', 'rejected', 'doubled']);

/** A line of a history, as stores append it. */
export function lineOf(
  happening: Happening,
  entry: Entry,
  asked: { readonly token?: number },
  nowMs: number,
): string {
  const { generation, state } = entry;
  const isProof = provingAttempt.has(happening.what);
  const token = (isProof ? asked.token : undefined) ?? entry.token;
  const event: EntryEvent = { atMs: nowMs, ...happening, token, generation, state };
  return `${JSON.stringify(event)}\n`;
}

/** From this length on, in UTF-16 units or characters, a history loses its middle before it grows on. */
export const longestHistory = 16_000;
/** How much of its beginning and of its end is kept then. */
export const keptHistory = { start: 4_000, end: 8_000 } as const;

/** A history with one more line; stores that append in SQL do the same there. */
export function appended(history: string, line: string): string {
  if (history.length < longestHistory) return history + line;
  return `${history.slice(0, keptHistory.start)}\n${history.slice(-keptHistory.end)}${line}`;
}

/** Reads a history as a store keeps it: a line that was cut through is left out. */
export function readHistory(text: string): EntryHistory {
  const events: EntryEvent[] = [];
  let isCut = false;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const event = parse(line);
    if (event === undefined) isCut = true;
    else events.push(event);
  }
  return { events, isCut };
}

function parse(line: string): EntryEvent | undefined {
  try {
    return JSON.parse(line) as EntryEvent;
  } catch {
    return undefined;
  }
}
