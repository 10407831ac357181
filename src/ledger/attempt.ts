import { type Entry, isUnsettled } from './entry.ts';
import type {
  AskAgainRequest,
  AttemptAnswer,
  AttemptRef,
  MarkRequest,
  RenewRequest,
  WithdrawRequest,
} from './ledger.ts';
import {
  changed,
  type LedgerView,
  laneFor,
  later,
  releasing,
  repeated,
  type Transition,
  unsettling,
} from './transition.ts';

/** fail: claimed → failed, own token: whatever ends before the mark. */
export function fail(
  request: AttemptRef & { readonly result: string },
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const entry = owned(request, view);
  if (entry?.state !== 'claimed') return refused(view);
  return rest(entry, request.result, view, nowMs);
}

/** mark: claimed → dispatched, own token, and only while the lane names this attempt. */
export function mark(
  request: MarkRequest,
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const entry = owned(request, view);
  if (entry?.state !== 'claimed') return refused(view);
  const holdsLane = view.holder?.key === entry.key && view.holder.token === entry.token;
  if (!holdsLane) return displaced(entry, view, nowMs);
  return done(changed(entry, dispatched(entry, request, nowMs), nowMs));
}

/** withdraw: claimed, dispatched or unknown → failed, own token: marked perhaps, and never sent. */
export function withdraw(
  request: WithdrawRequest,
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const entry = owned(request, view);
  if (entry === undefined || entry.state === 'ok') return repeated(view, request, refused(view));
  if (entry.state !== 'claimed' && !entry.marked) return { answer: { kind: 'done', entry } };
  // A verdict came first and stands: only the count of open sends gets smaller.
  if (entry.state === 'failed') return done(changed(entry, unsent(entry), nowMs));
  return rest(entry, request.result, view, nowMs, request.told);
}

/** give up: dispatched → unknown, own token: no answer in time. */
export function giveUp(
  request: AttemptRef,
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const entry = owned(request, view);
  if (entry?.state === 'unknown') return { answer: { kind: 'done', entry } };
  if (entry?.state !== 'dispatched') return refused(view);
  const next = changed(entry, { state: 'unknown', leaseUntilMs: null }, nowMs);
  return unsettling(view, next, { kind: 'done', entry: next });
}

/** ask again: unknown → dispatched with a token of its own, while the remote still knows the key. */
export function askAgain(
  request: AskAgainRequest,
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const entry = owned(request, view);
  if (entry === undefined || !isOpen(entry, nowMs) || entry.firstSentAtMs === null) {
    return refused(view);
  }
  const keyKnown = nowMs + request.sendWindowMs <= entry.firstSentAtMs + request.remoteKeyMs;
  const laneFree = laneFor(entry.key, view, nowMs) === 'free';
  if (!keyKnown || !laneFree) return refused(view);
  const next = changed(
    entry,
    {
      ...dispatched(entry, request, nowMs),
      attemptId: request.attemptId,
      token: entry.token + 1,
      restsOn: 'unknown',
    },
    nowMs,
  );
  return {
    ...done(next),
    lane: { name: next.lane, holder: { key: next.key, token: next.token } },
  };
}

/** renew: the owner lives. What it sent may still take effect, whoever came after it. */
export function renew(
  request: RenewRequest,
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const { entry } = view;
  if (entry === undefined || entry.state === 'failed') return refused(view);
  const isProven = entry.state === 'ok';
  const isOwner = entry.token === request.token && !isProven && entry.state !== 'unknown';
  const holdsOff = isProven ? view.holder?.key === entry.key : entry.unproven > 0;
  const isPending = request.patienceMs !== null && holdsOff;
  if (!isOwner && !isPending) return refused(view);
  const lease = isOwner ? { leaseUntilMs: nowMs + request.leaseMs } : {};
  const patience = isPending
    ? { patientUntilMs: later(entry.patientUntilMs, nowMs + (request.patienceMs ?? 0)) }
    : {};
  return done(changed(entry, { ...lease, ...patience }, nowMs));
}

/** note: keeps the remote system's reference. */
export function note(
  request: AttemptRef & { readonly note: string },
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const entry = owned(request, view);
  if (entry === undefined) return refused(view);
  return done(changed(entry, { note: request.note }, nowMs));
}

function owned(request: AttemptRef, view: LedgerView): Entry | undefined {
  return view.entry?.token === request.token ? view.entry : undefined;
}

function isOpen(entry: Entry, nowMs: number): boolean {
  return entry.state !== 'claimed' && isUnsettled(entry, nowMs);
}

function dispatched(entry: Entry, request: MarkRequest, nowMs: number): Partial<Entry> {
  const sendByMs = nowMs + request.sendWindowMs;
  return {
    state: 'dispatched',
    leaseUntilMs: nowMs + request.leaseMs,
    sendByMs,
    patientUntilMs: later(entry.patientUntilMs, sendByMs + request.patienceMs),
    firstSentAtMs: entry.firstSentAtMs ?? nowMs,
    unproven: entry.unproven + 1,
    marked: true,
  };
}

/** The attempt ends without having sent anything: back to where the entry rests. */
function rest(
  entry: Entry,
  result: string | null,
  view: LedgerView,
  nowMs: number,
  told = true,
): Transition<AttemptAnswer> {
  const own = unsent(entry);
  if (entry.restsOn === 'unknown') {
    const next = changed(entry, { ...own, state: 'unknown' }, nowMs);
    return unsettling(view, next, { kind: 'done', entry: next });
  }
  const failedBy = own.unproven > 0 ? 'verdict' : 'unsent';
  // An unknown entry may have been told to somebody.
  const announce = !told || entry.state === 'unknown';
  const next = changed(
    entry,
    { ...own, state: 'failed', failedBy, result, announce, settledAtMs: nowMs },
    nowMs,
  );
  return releasing(view, next, { kind: 'done', entry: next });
}

/** What is left of an attempt that sent nothing, though it may have been marked. */
function unsent(entry: Entry): Pick<Entry, 'unproven' | 'marked' | 'leaseUntilMs' | 'sendByMs'> {
  const unproven = entry.unproven - (entry.marked ? 1 : 0);
  return { unproven, marked: false, leaseUntilMs: null, sendByMs: null };
}

/** Another attempt took the lane meanwhile: nothing was sent and nothing will be. */
function displaced(entry: Entry, view: LedgerView, nowMs: number): Transition<AttemptAnswer> {
  const rested = rest(entry, null, view, nowMs);
  return { ...rested, answer: { kind: 'refused', entry: rested.answer.entry } };
}

function done(entry: Entry): Transition<AttemptAnswer> {
  return { answer: { kind: 'done', entry }, entry };
}

function refused(view: LedgerView): Transition<AttemptAnswer> {
  return { answer: { kind: 'refused', entry: view.entry ?? null } };
}
