import { type Entry, isLive, isLostClaim, isReplayOver } from './entry.ts';
import type { ClaimAnswer, ClaimRequest } from './ledger.ts';
import {
  changed,
  isRepeating,
  type LedgerView,
  laneFor,
  laneInQuestion,
  type Transition,
  unsettling,
} from './transition.ts';

/** claim: new, failed, lost or past its replay → claimed, with a new token. */
export function claim(
  request: ClaimRequest,
  view: LedgerView,
  nowMs: number,
): Transition<ClaimAnswer> {
  const { entry } = view;
  if (entry === undefined) return take(request, view, firstAttempt(request, nowMs), nowMs);
  if (entry.state === 'claimed' && entry.attemptId === request.attemptId) {
    return { answer: { kind: 'claimed', entry } };
  }
  const isFree =
    entry.state === 'failed' || isLostClaim(entry, nowMs) || isReplayOver(entry, nowMs);
  if (!isFree && entry.fingerprint !== request.fingerprint) {
    return { answer: { kind: 'key_conflict', entry } };
  }
  switch (entry.state) {
    case 'ok':
      return (isFree || request.mayRerun) && !isRepeating(entry, view, nowMs)
        ? take(request, view, nextGeneration(entry, request, nowMs), nowMs)
        : replay(entry, nowMs);
    case 'failed':
      return take(request, view, afterFailure(entry, request, nowMs), nowMs);
    case 'claimed':
      return isLive(entry, nowMs)
        ? { answer: { kind: 'in_progress', entry } }
        : take(request, view, nextAttempt(entry, request, nowMs), nowMs);
    case 'dispatched':
      return isLive(entry, nowMs)
        ? { answer: { kind: 'in_progress', entry } }
        : askUnknown(lostAnswer(entry, nowMs), request, view, nowMs);
    case 'unknown':
      return askUnknown(entry, request, view, nowMs);
  }
}

/**
 * An unknown entry answers for itself. An idempotent tool may try again once nothing is on its way and
 * if no other write came between, since the lane was kept: in the same generation, so that whoever asks
 * about the write, or proves it, speaks of the first send too.
 */
function askUnknown(
  entry: Entry,
  request: ClaimRequest,
  view: LedgerView,
  nowMs: number,
): Transition<ClaimAnswer> {
  const keptLane = view.holder?.key === entry.key;
  if (request.mayRerun && keptLane && nowMs >= (entry.patientUntilMs ?? 0)) {
    const next = nextAttempt(entry, request, nowMs);
    return take(request, view, { ...next, restsOn: 'unknown' }, nowMs);
  }
  const answer: ClaimAnswer = { kind: 'still_confirming', entry };
  return entry === view.entry ? { answer } : unsettling(view, entry, answer);
}

function take(
  request: ClaimRequest,
  view: LedgerView,
  next: Entry,
  nowMs: number,
): Transition<ClaimAnswer> {
  const lane = laneInQuestion(view.entry, request.lane) ?? request.lane;
  const standing = laneFor(request.key, view, nowMs);
  if (standing !== 'free' && view.holderEntry !== undefined) {
    const kind = standing === 'busy' ? 'lane_busy' : 'lane_unsettled';
    return { answer: { kind, holder: view.holderEntry } };
  }
  const entry = { ...next, lane };
  return {
    answer: { kind: 'claimed', entry },
    entry,
    lane: { name: lane, holder: { key: entry.key, token: entry.token } },
  };
}

function replay(entry: Entry, nowMs: number): Transition<ClaimAnswer> {
  if (entry.toldAtMs !== null) return { answer: { kind: 'already_done', entry } };
  const told = changed(entry, { toldAtMs: nowMs }, nowMs);
  return { answer: { kind: 'already_done', entry: told }, entry: told };
}

function lostAnswer(entry: Entry, nowMs: number): Entry {
  return changed(entry, { state: 'unknown', leaseUntilMs: null }, nowMs);
}

/** A rejection is proof about one generation; what comes after it is another write on the wire. */
function afterFailure(entry: Entry, request: ClaimRequest, nowMs: number): Entry {
  const next = entry.failedBy === 'rejected' ? nextGeneration : nextAttempt;
  return { ...next(entry, request, nowMs), restsOn: 'failed' };
}

function nextGeneration(entry: Entry, request: ClaimRequest, nowMs: number): Entry {
  return {
    ...nextAttempt(entry, request, nowMs),
    generation: entry.generation + 1,
    firstSentAtMs: null,
    provenToken: null,
    result: null,
    note: null,
    asks: 0,
    askAtMs: null,
    restsOn: 'failed',
  };
}

function nextAttempt(entry: Entry, request: ClaimRequest, nowMs: number): Entry {
  return changed(
    entry,
    {
      ...asked(request),
      state: 'claimed',
      token: entry.token + 1,
      leaseUntilMs: nowMs + request.leaseMs,
      sendByMs: null,
      marked: false,
      failedBy: null,
      settledAtMs: null,
      toldAtMs: null,
      announce: false,
    },
    nowMs,
  );
}

function firstAttempt(request: ClaimRequest, nowMs: number): Entry {
  // Field by field: an object that starts with a spread is built twenty times more slowly.
  return {
    key: request.key,
    scope: request.scope,
    tool: request.tool,
    lane: request.lane,
    turn: request.turn,
    fingerprint: request.fingerprint,
    input: request.input,
    state: 'claimed',
    generation: 1,
    token: 1,
    attemptId: request.attemptId,
    leaseUntilMs: nowMs + request.leaseMs,
    sendByMs: null,
    patientUntilMs: null,
    firstSentAtMs: null,
    unproven: 0,
    marked: false,
    restsOn: 'failed',
    provenToken: null,
    failedBy: null,
    verdict: null,
    result: null,
    note: null,
    keepsLane: request.keepsLane,
    replayMs: request.replayMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    settledAtMs: null,
    toldAtMs: null,
    asks: 0,
    askAtMs: null,
    announce: false,
    version: 1,
  };
}

type Asked = Pick<Entry, 'turn' | 'fingerprint' | 'input' | 'attemptId' | 'keepsLane' | 'replayMs'>;

function asked(request: ClaimRequest): Asked {
  const { turn, fingerprint, input, attemptId, keepsLane, replayMs } = request;
  return { turn, fingerprint, input, attemptId, keepsLane, replayMs };
}
