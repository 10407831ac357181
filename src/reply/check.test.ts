import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../call/codes.ts';
import { checkReply } from './check.ts';
import type { ReplyEntry } from './types.ts';

function refund(outcome: OutcomeName, orderId = 4512, amountCents = 2000): ReplyEntry {
  return { tool: 'refund_order', input: { orderId, amountCents }, outcome };
}

function cancel(outcome: OutcomeName, orderId = '#W7001'): ReplyEntry {
  return { tool: 'cancel_order', input: { order_id: orderId, reason: 'late' }, outcome };
}

const unproven: readonly OutcomeName[] = ['unknown', 'failed', 'skipped'];

describe('a claim of success', () => {
  const claims = [
    'I have refunded $20.00 on order 4512.',
    "I've refunded order #4512.",
    'Your refund of $20 for order 4512 has been processed.',
    'The refund for order 4512 is complete.',
    'Order 4512 has been refunded.',
    'Good news! Order 4512 was refunded successfully.',
    'Your order 4512 has now been refunded in full.',
    '- Order 4512: refunded',
  ];

  test.each(claims.flatMap((claim) => unproven.map((outcome) => [claim, outcome] as const)))(
    '«%s» is not borne out by %s',
    (claim, outcome) => {
      const checked = checkReply(claim, [refund(outcome)], { reads: [] });
      expect(checked.verdict).toBe('corrected');
      expect(checked.findings[0]).toMatchObject({ claim: 'done', tool: 'refund_order', entry: 0 });
    },
  );

  test.each(claims)('«%s» is borne out by ok and by already_done', (claim) => {
    for (const outcome of ['ok', 'already_done'] as const) {
      expect(checkReply(claim, [refund(outcome)], { reads: [] })).toMatchObject({
        verdict: 'pass',
        reply: claim,
      });
    }
  });

  test('for what was never called is found', () => {
    const checked = checkReply('I have cancelled order #W7001.', [], { reads: [] });
    expect(checked.findings).toMatchObject([{ code: 'never_called', entry: null }]);
  });
});

describe('a claim of failure', () => {
  test.each([
    'I was unable to refund order 4512.',
    'The refund for order 4512 could not be processed.',
    'Unfortunately, the refund of order 4512 failed.',
  ])('«%s» is not borne out by ok or unknown, and is by failed', (claim) => {
    for (const outcome of ['ok', 'unknown'] as const) {
      expect(checkReply(claim, [refund(outcome)], { reads: [] })).toMatchObject({
        verdict: 'corrected',
        findings: [{ claim: 'not_done' }],
      });
    }
    expect(checkReply(claim, [refund('failed')], { reads: [] }).verdict).toBe('pass');
  });
});

describe('several writes', () => {
  const entries = [cancel('ok', '#W7001'), cancel('unknown', '#W7002')];

  test('one that is not proven is found beside one that is', () => {
    const reply = 'I have cancelled order #W7001. I have also cancelled order #W7002.';
    const { findings, reply: shown } = checkReply(reply, entries, { reads: [] });
    expect(findings).toMatchObject([{ entry: 1, sentence: 'I have also cancelled order #W7002.' }]);
    expect(shown).toContain('I have cancelled order #W7001.');
    expect(shown).not.toContain('also cancelled order #W7002');
  });

  test('both in one sentence', () => {
    const reply = 'Both orders, #W7001 and #W7002, have been cancelled.';
    expect(checkReply(reply, entries, { reads: [] }).verdict).toBe('corrected');
    expect(
      checkReply(reply, [entries[0] as ReplyEntry, cancel('ok', '#W7002')], { reads: [] }).verdict,
    ).toBe('pass');
  });
});

describe('no claim', () => {
  test.each([
    'Order 4512 has not been refunded yet.',
    'Once order 4512 is refunded, you will get an email.',
    'Would you like me to refund order 4512?',
    'I can refund order 4512 for you.',
    'If you confirm, I will refund $20.00 on order 4512.',
    'Your refund for order 4512 is being confirmed.',
    'Refunds take five to seven business days.',
    'Delivered orders cannot be cancelled.',
    'To refund order 4512, I need the reason. Please tell me (yes/no) whether it arrived.',
    'You asked: "has my order 4512 been refunded?"',
  ])('«%s» passes whatever the outcome', (reply) => {
    expect(checkReply(reply, [refund('unknown')], { reads: [] })).toMatchObject({
      verdict: 'pass',
      reply,
    });
  });

  test('what a read showed may be reported', () => {
    const reads = [
      {
        tool: 'get_order',
        input: { order_id: '#W7001' },
        data: { order_id: '#W7001', status: 'cancelled' },
      },
    ];
    expect(checkReply('Order #W7001 was already cancelled.', [], { reads }).verdict).toBe('pass');
  });
});

describe('amounts', () => {
  test.each(['$20', '$20.00', '20.00 dollars', '20 USD'])(
    '%s is the amount of 2000 cents',
    (amount) => {
      const reply = `I have refunded ${amount} on order 4512.`;
      expect(checkReply(reply, [refund('ok')], { reads: [] }).verdict).toBe('pass');
    },
  );

  test('another amount is found', () => {
    const { findings } = checkReply('I have refunded $25.00 on order 4512.', [refund('ok')], {
      reads: [],
    });
    expect(findings).toMatchObject([{ code: 'differs', claim: 'wrong_amount' }]);
  });
});

describe('a correction', () => {
  test('says what is true, keeps the rest, and tells nothing internal', () => {
    const entry = { ...refund('unknown'), key: 'a'.repeat(64), data: { secret: 'hunter2' } };
    const reply = 'Thanks for waiting. I have refunded $20.00 on order 4512. Have a nice day!';
    const checked = checkReply(reply, [entry], { reads: [] });
    expect(checked.reply).toMatch(/^Thanks for waiting\./);
    expect(checked.reply).toMatch(/Have a nice day!$/);
    expect(checked.reply).toMatch(/confirmed/);
    expect(checked.reply).not.toMatch(/refund_order|hunter2|aaaa|ledger|unknown/);
  });
});

describe('hostile text', () => {
  test.each([
    ['brackets', '['.repeat(200_000)],
    ['quotes', '"'.repeat(200_000)],
    ['digits', '1'.repeat(200_000)],
    ['claims', 'I have refunded order 4512. '.repeat(8000)],
    ['bullets', '- '.repeat(100_000)],
    ['dashes', '—'.repeat(200_000)],
    ['surrogates', '\ud800'.repeat(200_000)],
    ['table bars', '|'.repeat(200_000)],
  ])('%s are read to their end', (_name, text) => {
    const { verdict } = checkReply(text, [refund('ok')], { reads: [] });
    expect(['pass', 'corrected']).toContain(verdict);
  });
});
