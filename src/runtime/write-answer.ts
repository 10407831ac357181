import { failed, type Result } from '../call/result.ts';
import type { WriteTool } from '../call/tool.ts';
import type { NoPlace } from '../execute/line.ts';
import { type Entry, isLostClaim, isReplayOver, isUnsettled } from '../ledger/entry.ts';
import type { ClaimAnswer } from '../ledger/ledger.ts';
import type { Intent } from './intent.ts';
import { type Parts, step } from './parts.ts';
import type { WriteRequest } from './requests.ts';
import { tellEntry, tellUnsettled } from './told.ts';

/** For the entry's history alone, so that no answer waits for it. */
export function keepTwin(parts: Parts, key: string): void {
  void step(parts, 'tell', parts.ledger.tell(key, 'twin')).catch(() => undefined);
}

/** What a call is told whose claim was not granted. */
export async function tellClaim(
  parts: Parts,
  { tool }: WriteRequest,
  claim: Exclude<ClaimAnswer, { readonly kind: 'claimed' | 'lane_busy' }>,
): Promise<Result> {
  switch (claim.kind) {
    case 'already_done':
    case 'in_progress':
      return tellEntry(claim.entry, tool, parts);
    case 'still_confirming':
      parts.askAbout(claim.entry.key);
      return tellUnsettled(claim.entry);
    case 'key_conflict':
      return failed(
        'key_conflict',
        'This key was used before with other arguments; nothing was sent.',
      );
    case 'lane_unsettled':
      parts.askAbout(claim.holder.key);
      return failed(
        'lane_unsettled',
        'An earlier write to the same thing is not confirmed yet; nothing was sent.',
        { outputs: { toolName: claim.holder.tool, ref: claim.holder.key } },
      );
  }
}

/** Tells why a call had no turn, unless its own entry has an answer for it by now. */
export async function tellNoTurn(
  parts: Parts,
  request: WriteRequest,
  intent: Intent,
  refusal: Result,
): Promise<Result> {
  return (await tellKnown(parts, request, intent, answersInTheEnd)) ?? refusal;
}

/** What a call is told though it had no turn, if its own entry has an answer for it. */
export async function tellKnown(
  parts: Parts,
  request: WriteRequest,
  intent: Intent,
  answers: (entry: Entry, tool: WriteTool, nowMs: number) => boolean,
): Promise<Result | undefined> {
  const nowMs = parts.settings.clock.nowMs();
  const entry = await step(parts, 'get', parts.ledger.get(intent.key)).catch(() => undefined);
  if (entry === undefined || !answers(entry, request.tool, nowMs)) return undefined;
  if (entry.fingerprint !== intent.fingerprint) {
    return tellClaim(parts, request, { kind: 'key_conflict', entry });
  }
  if (isUnsettled(entry, nowMs)) {
    keepTwin(parts, entry.key);
    return tellClaim(parts, request, { kind: 'still_confirming', entry });
  }
  await step(parts, 'tell', parts.ledger.tell(entry.key)).catch(() => undefined);
  return tellEntry(entry, request.tool, parts);
}

/** Before it would wait for its lane: what it would be told after that too. */
export function answersBeforeTheLane(entry: Entry, tool: WriteTool, nowMs: number): boolean {
  if (entry.state !== 'ok' && entry.state !== 'unknown') return false;
  return tool.spec.idempotent !== true && !isReplayOver(entry, nowMs);
}

/** After it has waited in vain: nobody is told to have failed whose write was sent, or is being sent. */
function answersInTheEnd(entry: Entry, tool: WriteTool, nowMs: number): boolean {
  if (entry.state === 'failed' || isLostClaim(entry, nowMs)) return false;
  return entry.state !== 'ok' || (tool.spec.idempotent !== true && !isReplayOver(entry, nowMs));
}

/** What a call is told that had no turn, where its own entry says nothing. */
export function noTurn(parts: Parts, why: NoPlace, where: 'lane' | 'cap'): Result {
  if (parts.closing.aborted) {
    return failed('shutting_down', 'The service is being stopped; nothing was sent.');
  }
  if (why === 'late' && where === 'lane') {
    return failed(
      'lane_busy',
      'Another write to the same thing is still running; nothing was sent.',
    );
  }
  return noPlace(why);
}

/** What a call is told that had no place in a line. */
export function noPlace(why: NoPlace): Result {
  switch (why) {
    case 'full':
      return failed('overloaded', 'Too many calls are waiting; nothing was sent.');
    case 'late':
      return failed('timeout_before_send', 'Its turn did not come in time; nothing was sent.');
    case 'aborted':
      return failed(
        'cancelled_before_send',
        'It was cancelled before anything was sent; nothing changed.',
      );
  }
}
