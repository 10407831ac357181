import { describe, expect, test } from 'vitest';
import {
  accepted,
  answered,
  type Evidence,
  noEvidence,
  notSent,
  rejected,
} from '../call/evidence.ts';
import { failed, ok, type ToolResult, unknown } from '../call/result.ts';
import type { SendRecord } from './dispatcher.ts';
import { weigh } from './weigh.ts';

const words: Record<Said, ToolResult | undefined> = {
  ok: ok('Done.', 1),
  failed: failed('no_stock', 'There is none.'),
  unknown: unknown('queued', 'It is queued.'),
  threw: undefined,
};

const saids = ['ok', 'failed', 'unknown', 'threw'] as const;
type Said = (typeof saids)[number];

function sent(evidence: Evidence | undefined, more: Partial<SendRecord> = {}): SendRecord {
  return { left: true, evidence, unmarked: [], requests: 1, ends: [], ...more };
}

const unsent: SendRecord = {
  left: false,
  evidence: undefined,
  unmarked: [],
  requests: 0,
  ends: [],
};
const stray = { method: 'POST', host: 'billing', path: '/refunds' };

const table: [string, SendRecord, Record<Said, string>][] = [
  [
    'nothing sent',
    unsent,
    {
      ok: 'answered done',
      failed: 'unsent no_stock',
      unknown: 'open queued',
      threw: 'unsent tool_failed',
    },
  ],
  [
    'sent unmarked',
    { ...unsent, unmarked: [stray] },
    {
      ok: 'answered done',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
  [
    'answered',
    sent(answered(1)),
    {
      ok: 'answered done',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
  [
    'rejected',
    sent(rejected('no')),
    {
      ok: 'rejected rejected',
      failed: 'rejected no_stock',
      unknown: 'open queued',
      threw: 'rejected rejected',
    },
  ],
  [
    'not sent',
    sent(notSent('refused')),
    {
      ok: 'unsent not_sent',
      failed: 'unsent no_stock',
      unknown: 'open queued',
      threw: 'unsent not_sent',
    },
  ],
  [
    'no evidence',
    sent(noEvidence('reset')),
    {
      ok: 'open sent_no_answer',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
  [
    'accepted',
    sent(accepted('202')),
    {
      ok: 'open accepted_not_done',
      failed: 'open accepted_not_done',
      unknown: 'open queued',
      threw: 'open accepted_not_done',
    },
  ],
  [
    'still pending',
    sent(undefined),
    {
      ok: 'open sent_no_answer',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
  [
    'rejected after a hidden retry',
    sent(rejected('no'), { requests: 2 }),
    {
      ok: 'open sent_no_answer',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
  [
    'rejected beside an unmarked send',
    sent(rejected('no'), { unmarked: [stray] }),
    {
      ok: 'open sent_no_answer',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
  [
    'not sent after a hidden retry',
    sent(notSent('no'), { requests: 2 }),
    {
      ok: 'open sent_no_answer',
      failed: 'open sent_no_answer',
      unknown: 'open queued',
      threw: 'open sent_no_answer',
    },
  ],
];

describe.each(table)('%s', (_name, record, expected) => {
  test.each(saids)('and the run said: %s', (said) => {
    const weighed = weigh(words[said], record);
    expect(`${weighed.record} ${weighed.result.code}`).toBe(expected[said]);
  });
});

const unseenRetries: [string, Evidence, SendRecord['ends'], string][] = [
  ['a rejection after a 503', rejected('404'), ['written', 503], 'open'],
  ['a rejection after a 408', rejected('404'), ['written', 408], 'open'],
  ['a rejection after a redirect', rejected('404'), ['written', 307], 'open'],
  ['a rejection after a reset', rejected('404'), ['written', 'failed'], 'open'],
  ['nothing sent after a byte was written', notSent('refused'), ['written', 'failed'], 'open'],
  ['a rejection by the request that was seen', rejected('404'), ['written', 404], 'rejected'],
  ['a refused connection', notSent('refused'), ['failed'], 'unsent'],
];

test.each(unseenRetries)('%s', (_name, evidence, ends, record) => {
  const weighed = weigh(words.failed, sent(evidence, { ends }));
  expect(weighed.record).toBe(record);
  expect(weighed.report).toBe(record === 'open' ? 'hidden_retry' : undefined);
});

test('what contradicts the evidence is reported', () => {
  expect(weigh(words.ok, unsent).report).toBe('ok_without_send');
  expect(weigh(words.threw, { ...unsent, unmarked: [stray] }).report).toBe('unmarked_send');
  expect(weigh(words.ok, sent(rejected('no'))).report).toBe('ok_against_evidence');
  expect(weigh(words.threw, sent(rejected('no'), { requests: 2 })).report).toBe('hidden_retry');
  expect(weigh(words.ok, sent(answered(1), { requests: 2 })).report).toBe('hidden_retry');
  expect(weigh(words.ok, sent(answered(1))).report).toBeUndefined();
});
