import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../call/json.ts';
import { checkedText, checkReply, type ReplyEntry } from './index.ts';

const words = fc.constantFrom(
  ...'I|have|refunded|cancelled|order|#W1|#W7001|$20.00|not|could|if|?|!|.|,|:|;|"|(|)|\n|\n\n|- |1. || a | b ||{|}|[|]|```|> |it|both|all|Done|✅|will be|you will receive a refund of|been|was|is|and|that|wurde|storniert|nicht|a été|remboursé|ha sido|the refund|went through|é|漢|😀|\u0000|\ud800'.split(
    '|',
  ),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(words, { maxLength: 60 }).map((parts) => parts.join(' ')),
);
const sentences = fc.constantFrom(
  'Thanks for waiting, Ann.',
  'Great news!',
  'I have refunded $20.00 on order #W7001.',
  'I refunded $25.00 on order #W7001.',
  'Order #W7002 has been cancelled.',
  'Order #W7001 was already cancelled.',
  'Both orders have been cancelled.',
  'You will receive a refund of $20.00.',
  'Your refund of $20.00 will be processed to your card.',
  'It is still being confirmed.',
  'The request was sent.',
  'Your request has been submitted.',
  'The refund failed.',
  'Nothing was changed.',
  'Would you like me to proceed?',
  'Please confirm (yes or no).',
  'The total is $45.00.',
  'I have cancelled these orders:\n\n- #W7001\n- #W7002\n\n',
  'Done:\n\n1. Order #W7001: cancelled\n2. Order #W7002: refunded ($20.00)\n\n',
  '| Order | Status |\n|---|---|\n| #W7001 | Cancelled |\n| #W7002 | Refunded |\n\n',
  '{"order": "#W7001", "status": "refunded"}\n',
  'Is there anything else?',
  'Now I will go on:',
);
const reply = fc.oneof(
  fc.array(sentences, { maxLength: 8 }).map((parts) => parts.join(' ')),
  fc.array(sentences, { maxLength: 8 }).map((parts) => parts.join('\n\n')),
  text,
);
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const outcome = fc.constantFrom('ok', 'failed', 'unknown', 'already_done', 'skipped');
const anyEntry: fc.Arbitrary<ReplyEntry> = fc.record({
  tool: fc.oneof(fc.constantFrom('refund_order', 'cancelOrder', 'get_order', ''), fc.string()),
  input: fc.oneof(json, fc.string(), fc.constant({ order_id: '#W7001', amount: 20 })),
  outcome,
  data: json,
});
const entry: fc.Arbitrary<ReplyEntry> = fc.record({
  tool: fc.constantFrom('refund_order', 'cancel_order'),
  input: fc.constantFrom(
    { order_id: '#W7001', amount: 20.0 },
    { order_id: '#W7002', amount: 20.0 },
    { order_id: '#W7001' },
  ),
  outcome,
});
const entries = fc.array(fc.oneof(entry, anyEntry), { maxLength: 4 });

test('nothing throws, and each finding says where its sentence stands', () => {
  fc.assert(
    fc.property(reply, entries, (said, against) => {
      const { verdict, reply: shown, findings } = checkReply(said, against, { reads: [] });
      if (verdict === 'pass') expect(shown).toBe(said);
      expect(findings.length > 0).toBe(verdict === 'corrected');
      for (const { start, end, sentence } of findings) {
        expect(said.slice(start, end).startsWith(sentence)).toBe(true);
      }
    }),
    { numRuns: 600 },
  );
});

test('nothing that is shown claims a deed that the record does not bear out', () => {
  fc.assert(
    fc.property(reply, fc.array(entry, { maxLength: 4 }), (said, against) => {
      const options = { reads: [], language: 'en' };
      const checked = checkReply(said, against, options);
      const again = checkReply(checked.reply, against, options);
      // A total may be left whose parts were taken out.
      const claims = again.findings.filter(({ code }) => code !== 'differs');
      expect(claims, checked.reply).toEqual([]);
    }),
    { numRuns: 600 },
  );
});

/** A text in pieces whose lengths go round. */
async function* cut(said: string, lengths: readonly number[]): AsyncGenerator<string> {
  let turn = 0;
  for (let at = 0; at < said.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield said.slice(at, at + length);
    at += length;
  }
}

test('however a reply is cut, a stream shows what the check of the whole shows, and takes nothing back', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(reply, entries, lengths, async (said, against, sizes) => {
      const options = { reads: [], language: 'en' };
      const whole = checkReply(said, against, options).reply;
      let shown = '';
      const source = cut(said, sizes);
      for await (const piece of checkedText(source, { entries: () => against, ...options })) {
        shown += piece;
        expect(whole.startsWith(shown), JSON.stringify({ said, whole, shown })).toBe(true);
      }
      expect(shown).toBe(whole);
    }),
    { numRuns: 1_000 },
  );
});
