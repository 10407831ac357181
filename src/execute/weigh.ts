import type { Evidence } from '../call/evidence.ts';
import { failed, type ToolResult, unknown } from '../call/result.ts';
import type { SendRecord } from './dispatcher.ts';
import type { SeenEnd } from './run-scope.ts';

/** What to record of a run, and what to tell of it: the weaker of its word and the evidence. */
export interface Weighed {
  /** `unsent` and `rejected` are proof that nothing changed, `answered` that it happened. */
  readonly record: 'answered' | 'rejected' | 'unsent' | 'open';
  readonly result: ToolResult;
  /** What the host ought to hear of loudly. */
  readonly report?: 'ok_without_send' | 'unmarked_send' | 'ok_against_evidence' | 'hidden_retry';
}

/** Says what a run came to. `word` is what it returned, or undefined where it threw. */
export function weigh(word: ToolResult | undefined, sent: SendRecord): Weighed {
  if (!sent.left) return sent.unmarked.length > 0 ? afterUnmarked(word) : withoutSend(word);
  const evidence = sent.evidence;
  if (evidence === undefined || evidence.evidence === 'none') return open(word, evidence);
  const isHidden = sent.requests > 1 || contradicts(evidence.evidence, sent.ends);
  if (evidence.evidence === 'answered') {
    const weighed = answered(word, evidence);
    return isHidden ? { ...weighed, report: 'hidden_retry' } : weighed;
  }
  if (isHidden || sent.unmarked.length > 0) {
    return { ...open(word, undefined), report: isHidden ? 'hidden_retry' : 'unmarked_send' };
  }
  return nothingChanged(word, evidence.evidence);
}

/**
 * A client's own retry may start unseen. What gives it away is that the request which was seen ended
 * in another way than the evidence says: a rejection after a failure, or nothing sent after a byte was.
 */
function contradicts(
  evidence: 'answered' | 'rejected' | 'not_sent',
  ends: readonly SeenEnd[],
): boolean {
  if (evidence === 'not_sent') return ends.some((end) => end !== 'failed');
  return ends.some((end) => end === 'failed' || isInconclusive(end));
}

function isInconclusive(end: SeenEnd): boolean {
  return typeof end === 'number' && (end >= 500 || end === 408 || (end >= 300 && end < 400));
}

/** The run ended before it was dispatched. */
function withoutSend(word: ToolResult | undefined): Weighed {
  switch (word?.outcome) {
    case 'ok':
      return { record: 'answered', result: word, report: 'ok_without_send' };
    case 'unknown':
      return { record: 'open', result: word };
    case 'failed':
      return { record: 'unsent', result: word };
    case undefined:
      return { record: 'unsent', result: unexpected };
  }
}

/** Something unsafe left past the mark: only the run's own `ok` says what became of it. */
function afterUnmarked(word: ToolResult | undefined): Weighed {
  if (word?.outcome === 'ok') return { record: 'answered', result: word, report: 'unmarked_send' };
  return { ...open(word, undefined), report: 'unmarked_send' };
}

function answered(word: ToolResult | undefined, evidence: Evidence): Weighed {
  return word?.outcome === 'ok' ? { record: 'answered', result: word } : open(word, evidence);
}

function nothingChanged(word: ToolResult | undefined, evidence: 'rejected' | 'not_sent'): Weighed {
  const record = evidence === 'rejected' ? 'rejected' : 'unsent';
  if (word?.outcome === 'unknown') return { record: 'open', result: word };
  if (word?.outcome === 'failed') return { record, result: word };
  const result = evidence === 'rejected' ? wasRejected : neverLeft;
  return word === undefined
    ? { record, result }
    : { record, result, report: 'ok_against_evidence' };
}

function open(word: ToolResult | undefined, evidence: Evidence | undefined): Weighed {
  if (word?.outcome === 'unknown') return { record: 'open', result: word };
  const accepted = evidence?.evidence === 'none' && evidence.accepted;
  return { record: 'open', result: accepted ? acceptedNotDone : noAnswer };
}

const unexpected = failed('tool_failed', 'The tool failed unexpectedly; nothing was sent.');
const wasRejected = failed('rejected', 'The request was refused; nothing changed.');
const neverLeft = failed('not_sent', 'The request could not be sent; nothing changed.');
const acceptedNotDone = unknown(
  'accepted_not_done',
  'The request was accepted and is not done yet.',
);

/** Told when something left and nothing proves what became of it. */
export const noAnswer: ToolResult = unknown(
  'sent_no_answer',
  'The request was sent and there is no proof of what became of it; it may have happened.',
);
