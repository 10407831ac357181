import { describe, expect, it } from 'vitest';
import {
  alreadyDone,
  blocked,
  failed,
  needsClarification,
  ok,
  skipped,
  unknown,
} from '../call/result.ts';
import { statusOf } from './plan.ts';

describe('where a step stands', () => {
  it.each([
    [ok('Done.'), 'completed'],
    [alreadyDone('Done before.', null), 'already_done'],
    [unknown('sent_no_answer', 'It was sent.'), 'unknown'],
    [skipped('It runs.'), 'skipped'],
    [failed('tool_failed', 'No.'), 'failed'],
    [blocked('Not now.'), 'blocked'],
    [needsClarification('ticketId', 'Which ticket?'), 'needs_clarification'],
  ] as const)('%j', (result, status) => {
    expect(statusOf(result)).toBe(status);
  });
});
