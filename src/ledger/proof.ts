import { type Entry, isReplayOver, isUnsettled } from './entry.ts';
import type {
  AskRequest,
  AttemptAnswer,
  CompleteAnswer,
  CompleteRequest,
  SettleAnswer,
  SettleRequest,
} from './ledger.ts';
import {
  changed,
  type LedgerView,
  releasing,
  releasingProven,
  repeated,
  type Transition,
  unsettling,
} from './transition.ts';

/** complete: what an attempt's request came to. Proof that it happened wins over every state. */
export function complete(
  request: CompleteRequest,
  view: LedgerView,
  nowMs: number,
): Transition<CompleteAnswer> {
  const { entry } = view;
  if (entry === undefined || entry.generation !== request.generation) {
    return { answer: { kind: 'refused', entry: entry ?? null } };
  }
  return request.evidence === 'answered'
    ? proven(entry, request, view, nowMs)
    : rejection(entry, request, view, nowMs);
}

/** settle: a verdict from outside. */
export function settle(
  request: SettleRequest,
  view: LedgerView,
  nowMs: number,
): Transition<SettleAnswer> {
  const { entry } = view;
  if (entry === undefined) return { answer: { kind: 'no_entry' } };
  // A webhook may come late, and an asking may take long: what was one write may be the next by now.
  if (entry.generation !== (request.generation ?? entry.generation)) {
    return { answer: { kind: 'not_settleable', entry } };
  }
  // Two operators at once: the second one's verdict is on something that is no more.
  const { seen = entry } = request;
  if (entry.state !== seen.state || entry.token !== seen.token) {
    return { answer: { kind: 'not_settleable', entry } };
  }
  return request.verdict === 'happened'
    ? settleHappened(entry, request, view, nowMs)
    : settleDidNotHappen(entry, request, view, nowMs);
}

/** ask: one asker at a time takes the turn to ask the remote system about an unsettled entry. */
export function ask(
  request: AskRequest,
  view: LedgerView,
  nowMs: number,
): Transition<AttemptAnswer> {
  const { entry } = view;
  const isOpen = entry !== undefined && isUnsettled(entry, nowMs);
  if (!isOpen || nowMs < (entry.askAtMs ?? 0)) {
    return { answer: { kind: 'refused', entry: entry ?? null } };
  }
  const turn = { asks: entry.asks + 1, askAtMs: nowMs + request.holdMs };
  const next = changed(entry, { ...turn, state: 'unknown', leaseUntilMs: null }, nowMs);
  return unsettling(view, next, { kind: 'done', entry: next });
}

/** tell: the replay window starts when the model first hears the settled outcome. */
export function tell(view: LedgerView, nowMs: number): Transition<undefined> {
  const { entry } = view;
  const isSettled = entry?.state === 'ok' || entry?.state === 'failed';
  if (!isSettled || entry.toldAtMs !== null) return { answer: undefined };
  return { answer: undefined, entry: changed(entry, { toldAtMs: nowMs }, nowMs) };
}

/** announced: the host was told of the settlement that the entry had at this version. */
export function announced(version: number, view: LedgerView, nowMs: number): Transition<undefined> {
  const { entry } = view;
  if (entry?.announce !== true || entry.version !== version) return { answer: undefined };
  return { answer: undefined, entry: changed(entry, { announce: false }, nowMs) };
}

/** Whether an entry has served: settled, told, old, and its answer no longer replayed. */
export function mayPurge(entry: Entry, olderThanMs: number, nowMs: number): boolean {
  if (entry.announce || entry.settledAtMs === null) return false;
  if (nowMs - entry.settledAtMs < olderThanMs) return false;
  return entry.state === 'failed' || (entry.state === 'ok' && isReplayOver(entry, nowMs));
}

function proven(
  entry: Entry,
  request: CompleteRequest,
  view: LedgerView,
  nowMs: number,
): Transition<CompleteAnswer> {
  if (entry.state === 'ok') return repeated(view, request, provenAgain(entry, request, nowMs));
  const next = changed(
    entry,
    {
      ...happenedNow(request.result, nowMs),
      provenToken: request.token,
      toldAtMs: request.told ? nowMs : null,
      announce: isUntold(entry, request),
    },
    nowMs,
  );
  return releasingProven(view, entry, request.token, next, { kind: 'done', entry: next });
}

/** Whether the host is to be told: nobody else is, or somebody was told before that it is open, or was not done. */
function isUntold({ state }: Entry, { told }: CompleteRequest): boolean {
  return !told || state === 'unknown' || state === 'failed';
}

function provenAgain(
  entry: Entry,
  request: CompleteRequest,
  nowMs: number,
): Transition<CompleteAnswer> {
  if (entry.provenToken !== null && entry.provenToken !== request.token) {
    return { answer: { kind: 'doubled', entry } };
  }
  const isNews = entry.provenToken === null || (request.told && entry.toldAtMs === null);
  if (!isNews) return { answer: { kind: 'done', entry } };
  const told = request.told ? { toldAtMs: entry.toldAtMs ?? nowMs, announce: false } : {};
  const next = changed(entry, { provenToken: request.token, ...told }, nowMs);
  return { answer: { kind: 'done', entry: next }, entry: next };
}

/** Counts from the latest attempt only, and proves nothing while an earlier send is unproven. */
function rejection(
  entry: Entry,
  request: CompleteRequest,
  view: LedgerView,
  nowMs: number,
): Transition<CompleteAnswer> {
  const counts = entry.token === request.token && entry.state !== 'ok' && entry.state !== 'claimed';
  if (!counts) return repeated(view, request, { answer: { kind: 'refused', entry } });
  if (!entry.marked) return { answer: { kind: 'done', entry } };
  const unproven = entry.unproven - 1;
  const own = { unproven, marked: false, leaseUntilMs: null };
  if (entry.state === 'failed') {
    const failedBy = unproven > 0 ? entry.failedBy : 'rejected';
    const next = changed(entry, { ...own, failedBy }, nowMs);
    return { answer: { kind: 'done', entry: next }, entry: next };
  }
  if (unproven > 0) {
    const next = changed(entry, { ...own, state: 'unknown' }, nowMs);
    return unsettling(view, next, { kind: 'done', entry: next });
  }
  const next = changed(
    entry,
    {
      ...own,
      state: 'failed',
      failedBy: 'rejected',
      result: request.result,
      settledAtMs: nowMs,
      toldAtMs: request.told ? nowMs : null,
      announce: isUntold(entry, request),
    },
    nowMs,
  );
  return releasing(view, next, { kind: 'done', entry: next });
}

/** Accepted wherever something that was sent is unproven: a webhook may be faster than the answer. */
function settleHappened(
  entry: Entry,
  request: SettleRequest,
  view: LedgerView,
  nowMs: number,
): Transition<SettleAnswer> {
  if (entry.unproven === 0) return { answer: { kind: 'not_settleable', entry } };
  const next = changed(
    entry,
    {
      ...happenedNow(request.result, nowMs),
      verdict: verdictOf(request, nowMs),
      toldAtMs: null,
      announce: true,
    },
    nowMs,
  );
  return releasingProven(view, entry, null, next, { kind: 'settled', entry: next });
}

/** Only once nothing that was sent can still take effect, and nobody is trying. */
function settleDidNotHappen(
  entry: Entry,
  request: SettleRequest,
  view: LedgerView,
  nowMs: number,
): Transition<SettleAnswer> {
  if (!isUnsettled(entry, nowMs)) return { answer: { kind: 'not_settleable', entry } };
  const lookedAtMs = Math.min(request.lookedAtMs ?? nowMs, nowMs);
  if (lookedAtMs < (entry.patientUntilMs ?? 0)) return { answer: { kind: 'too_early', entry } };
  const next = changed(
    entry,
    {
      state: 'failed',
      failedBy: 'verdict',
      leaseUntilMs: null,
      result: request.result,
      verdict: verdictOf(request, nowMs),
      settledAtMs: nowMs,
      toldAtMs: null,
      announce: true,
    },
    nowMs,
  );
  return releasing(view, next, { kind: 'settled', entry: next });
}

function happenedNow(result: string, nowMs: number): Partial<Entry> {
  return {
    state: 'ok',
    result,
    unproven: 0,
    marked: false,
    failedBy: null,
    leaseUntilMs: null,
    settledAtMs: nowMs,
  };
}

function verdictOf(request: SettleRequest, atMs: number): Entry['verdict'] {
  return { verdict: request.verdict, by: request.by, why: request.why, atMs };
}
