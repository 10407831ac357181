import { type Entry, isLostClaim, isUnsettled, type LaneHolder } from './entry.ts';
import type { AttemptRef } from './ledger.ts';

/** What a transition decides on: the entry, and who holds its lane. */
export interface LedgerView {
  readonly entry: Entry | undefined;
  readonly holder: LaneHolder | undefined;
  /** The entry that `holder` names. */
  readonly holderEntry: Entry | undefined;
}

/** What a transition decides: an answer, and what has to be written for it to be true. */
export interface Transition<Answer> {
  readonly answer: Answer;
  readonly entry?: Entry;
  /** The lane's new holder; null frees it. */
  readonly lane?: { readonly name: string; readonly holder: LaneHolder | null };
}

/** The lane whose holder a transition has to see: an entry that still holds one keeps it. */
export function laneInQuestion(entry: Entry | undefined, requested?: string): string | undefined {
  const holdsOne = entry !== undefined && entry.state !== 'ok' && entry.state !== 'failed';
  return holdsOne ? entry.lane : (requested ?? entry?.lane);
}

/** The same entry, changed now. */
export function changed(entry: Entry, patch: Partial<Entry>, nowMs: number): Entry {
  return { ...entry, ...patch, updatedAtMs: nowMs, version: entry.version + 1 };
}

/** Writes an entry that no longer needs its lane. */
export function releasing<A>(view: LedgerView, entry: Entry, answer: A): Transition<A> {
  const holdsLane = view.holder?.key === entry.key;
  return holdsLane
    ? { answer, entry, lane: { name: entry.lane, holder: null } }
    : { answer, entry };
}

/**
 * Writes an entry of which one send is proven. That says nothing of a later one, as when an idempotent
 * write runs again: the lane stays closed until that one is answered too, or can take effect no more.
 */
export function releasingProven<A>(
  view: LedgerView,
  before: Entry,
  provenToken: number | null,
  next: Entry,
  answer: A,
): Transition<A> {
  const isOnlySend = before.unproven < 2 || !before.marked || before.token === provenToken;
  return isOnlySend || !next.keepsLane ? releasing(view, next, answer) : { answer, entry: next };
}

/** Whether a proven write still holds its lane, since a later send of it may still take effect. */
export function isRepeating(entry: Entry, view: LedgerView, nowMs: number): boolean {
  const holdsLane = view.holder?.key === entry.key;
  return entry.state === 'ok' && holdsLane && nowMs < (entry.patientUntilMs ?? 0);
}

/** Frees the lane that a proven write still holds, once its latest send has ended. */
export function repeated<A>(
  view: LedgerView,
  { key, token }: AttemptRef,
  transition: Transition<A>,
): Transition<A> {
  const { entry, holder } = view;
  const isOver = entry?.state === 'ok' && entry.token === token && holder?.key === key;
  return isOver ? { ...transition, lane: { name: entry.lane, holder: null } } : transition;
}

/** Writes an entry that became unknown: its lane stays closed unless its tool opted out. */
export function unsettling<A>(view: LedgerView, entry: Entry, answer: A): Transition<A> {
  return entry.keepsLane ? { answer, entry } : releasing(view, entry, answer);
}

/** Whether the lane is free for an entry, live and busy with another, or closed by an unsettled one. */
export function laneFor(
  key: string,
  view: LedgerView,
  nowMs: number,
): 'free' | 'busy' | 'unsettled' {
  const other = view.holderEntry;
  if (other === undefined || other.key === key) return 'free';
  if (other.state === 'ok') return isRepeating(other, view, nowMs) ? 'busy' : 'free';
  if (isUnsettled(other, nowMs)) return other.keepsLane ? 'unsettled' : 'free';
  return isLostClaim(other, nowMs) ? 'free' : 'busy';
}

/** The later of two moments. */
export function later(a: number | null, b: number): number {
  return a === null ? b : Math.max(a, b);
}
