import { randomUUID } from 'node:crypto';
import { pause } from '../call/clock.ts';
import { failed, type Result, skipped } from '../call/result.ts';
import { longestLookMs } from '../execute/lanes.ts';
import type { Place } from '../execute/line.ts';
import { currentRun } from '../execute/run-scope.ts';
import type { ClaimAnswer, ClaimRequest } from '../ledger/ledger.ts';
import { type Intent, intentOf } from './intent.ts';
import { type Parts, patienceUntil, step, stopsOf, waitedFor, writeTimes } from './parts.ts';
import { repeatRefusal } from './repeat.ts';
import type { Told, WriteRequest } from './requests.ts';
import { ledgerUnavailable, repeatOf, tellEntry } from './told.ts';
import {
  answersBeforeTheLane,
  keepTwin,
  noPlace,
  noTurn,
  tellClaim,
  tellKnown,
  tellNoTurn,
} from './write-answer.ts';
import { WriteAttempt } from './write-attempt.ts';

/** Looks up, waits its turn, claims, attempts. Never rejects but for the tool's own key and lane functions. */
export async function callWrite(parts: Parts, request: WriteRequest): Promise<Told> {
  if (currentRun() !== undefined) {
    return {
      result: failed('nested_write', 'A write cannot be called from inside another write.'),
    };
  }
  const intent = intentOf(request);
  const { key } = intent;
  const twin = parts.running.get(key);
  if (twin !== undefined) return { key, result: await besideTwin(twin, request, parts, key) };
  const telling = tellIntent(parts, request, intent).then((result) => ({ key, result }));
  parts.running.set(key, telling);
  try {
    return await telling;
  } finally {
    parts.running.delete(key);
  }
}

/** An identical call is queued or runs in this process. */
async function besideTwin(
  twin: Promise<Told>,
  { tool, signal }: WriteRequest,
  parts: Parts,
  key: string,
): Promise<Result> {
  if (tool.spec.twin !== 'wait') {
    keepTwin(parts, key);
    return skipped('An identical call is running; this one sent nothing.', { ref: key });
  }
  await Promise.race([twin.catch(() => undefined), ...(signal ? [aborted(signal)] : [])]);
  if (signal?.aborted) return noPlace('aborted');
  const entry = await step(parts, 'get', parts.ledger.get(key)).catch(() => undefined);
  if (entry !== undefined && entry.state !== 'failed') return tellEntry(entry, tool, parts);
  const { result } = await twin;
  return result.outcome === 'ok' ? repeatOf(result) : result;
}

async function tellIntent(parts: Parts, request: WriteRequest, intent: Intent): Promise<Result> {
  if (parts.background.size >= parts.settings.maxLate) {
    const why = 'Too many earlier writes are still waiting for their answers; nothing was sent.';
    return tellNoTurn(parts, request, intent, failed('overloaded', why));
  }
  const refusal = request.ordinal > 1 ? await repeatRefusal(parts, request) : undefined;
  if (refusal !== undefined) return refusal;
  const { clock, waitMs } = parts.settings;
  const deadlineMs = clock.monotonicMs() + waitMs;
  const stops = stopsOf(request.signal);
  const lane = await placeOrAnswer(parts, request, intent, { deadlineMs, stops });
  if ('outcome' in lane) return lane;
  if (!lane.had) return tellNoTurn(parts, request, intent, noTurn(parts, lane.why, 'lane'));
  try {
    return await tellInTurn(parts, request, intent, { deadlineMs, stops });
  } finally {
    lane.leave();
  }
}

interface Waiting {
  readonly deadlineMs: number;
  readonly stops: readonly AbortSignal[];
}

/**
 * A place in the lane, in the order of arrival; where others are there already, its own entry is
 * looked up meanwhile, and may have the answer without a turn.
 */
async function placeOrAnswer(
  parts: Parts,
  request: WriteRequest,
  intent: Intent,
  { deadlineMs, stops }: Waiting,
): Promise<Place | Result> {
  const enter = (until: readonly AbortSignal[]): Promise<Place> =>
    parts.lanes.enter(intent.lane, patienceUntil(parts.settings.clock, deadlineMs, until));
  const waited = waitedFor(parts, request, 'lane');
  if (parts.lanes.isIdle(intent.lane)) {
    const place = await enter(stops);
    waited(place);
    return place;
  }
  const answered = new AbortController();
  const entering = enter([...stops, answered.signal]);
  try {
    const known = await tellKnown(parts, request, intent, answersBeforeTheLane);
    if (known !== undefined) answered.abort();
    const place = await entering;
    if (known === undefined) {
      waited(place);
      return place;
    }
    if (place.had) place.leave();
    return known;
  } catch (cause) {
    answered.abort();
    const place = await entering;
    if (place.had) place.leave();
    throw cause;
  }
}

/** In its lane's turn in this process: under the cap, and when no other process holds the lane. */
async function tellInTurn(
  parts: Parts,
  request: WriteRequest,
  intent: Intent,
  waiting: Waiting,
): Promise<Result> {
  const { clock } = parts.settings;
  const claimRequest = await claimRequestOf(parts, request, intent);
  for (let delayMs = 20; ; delayMs = Math.min(delayMs * 1.5, longestLookMs)) {
    const waited = waitedFor(parts, request, 'cap');
    const place = await parts.cap.enter(patienceUntil(clock, waiting.deadlineMs, waiting.stops));
    waited(place);
    if (!place.had) return tellNoTurn(parts, request, intent, noTurn(parts, place.why, 'cap'));
    const told = await claimAndAttempt(parts, request, claimRequest, place);
    if (told !== 'lane_busy') return told;
    const leftMs = waiting.deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) return tellNoTurn(parts, request, intent, noTurn(parts, 'late', 'lane'));
    await pause(
      clock,
      Math.min(leftMs, delayMs),
      AbortSignal.any([...waiting.stops, parts.closing]),
    );
  }
}

async function claimAndAttempt(
  parts: Parts,
  request: WriteRequest,
  claimRequest: ClaimRequest,
  place: Place & { readonly had: true },
): Promise<Result | 'lane_busy'> {
  const { clock } = parts.settings;
  const startedMs = clock.monotonicMs();
  try {
    const claim = await claimed(parts, request, claimRequest);
    if (claim === undefined) {
      return ledgerUnavailable();
    }
    if (claim.kind === 'lane_busy') return 'lane_busy';
    if (claim.kind !== 'claimed') return await tellClaim(parts, request, claim);
    const { call, tool } = request;
    const { key, generation } = claim.entry;
    const durationMs = clock.monotonicMs() - startedMs;
    parts.events.emit({ type: 'claimed', call, tool: tool.name, key, generation, durationMs });
    return await new WriteAttempt(parts, { ...request, entry: claim.entry }).tell();
  } finally {
    place.leave();
  }
}

/** Undefined where the ledger did not answer in time; a claim that arrives later is given back. */
async function claimed(
  parts: Parts,
  { tool }: WriteRequest,
  request: ClaimRequest,
): Promise<ClaimAnswer | undefined> {
  const claiming = parts.ledger.claim(request);
  try {
    return await step(parts, 'claim', claiming);
  } catch (cause) {
    const message = 'the ledger did not do: claim';
    parts.events.report({
      code: 'ledger_failed',
      tool: tool.name,
      key: request.key,
      cause,
      message,
    });
    parts.background.follow(
      claiming.then((late) => {
        if (late.kind !== 'claimed') return;
        const { key, token } = late.entry;
        return parts.ledger.fail({ key, token, result: '' });
      }),
    );
    return undefined;
  }
}

async function claimRequestOf(
  parts: Parts,
  request: WriteRequest,
  intent: Intent,
): Promise<ClaimRequest> {
  const { tool, scope, turn, args } = request;
  const { leaseMs, sealer } = parts.settings;
  return {
    ...intent,
    scope,
    turn,
    tool: tool.name,
    input: await sealer.seal(JSON.stringify(args)),
    attemptId: randomUUID(),
    leaseMs,
    keepsLane: tool.spec.keepLane ?? true,
    replayMs: writeTimes(tool, parts.settings).replayMs,
    mayRerun: tool.spec.idempotent ?? false,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
