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
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const entry: fc.Arbitrary<ReplyEntry> = fc.record({
  tool: fc.oneof(fc.constantFrom('refund_order', 'cancelOrder', 'get_order', ''), fc.string()),
  input: fc.oneof(json, fc.string(), fc.constant({ order_id: '#W7001', amount: 20 })),
  outcome: fc.constantFrom('ok', 'failed', 'unknown', 'already_done', 'skipped'),
  data: json,
});

test('nothing throws, and what is shown passes when it is checked again', () => {
  fc.assert(
    fc.property(text, fc.array(entry, { maxLength: 4 }), (reply, entries) => {
      const checked = checkReply(reply, entries, { reads: [], language: 'en' });
      if (checked.verdict === 'pass') {
        expect(checked.reply).toBe(reply);
        return;
      }
      expect(checked.findings.length).toBeGreaterThan(0);
      const again = checkReply(checked.reply, entries, { reads: [], language: 'en' });
      expect(again.verdict, checked.reply).toBe('pass');
    }),
    { numRuns: 400 },
  );
});

test('a stream shows a reply that passes as it is, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (reply, length) => {
      const entries: ReplyEntry[] = [
        { tool: 'refund_order', input: { order_id: '#W7001' }, outcome: 'ok' },
      ];
      async function* source(): AsyncGenerator<string> {
        for (let at = 0; at < reply.length; at += length) yield reply.slice(at, at + length);
      }
      let shown = '';
      const options = { entries: () => entries, language: 'en' };
      for await (const piece of checkedText(source(), options)) shown += piece;
      if (checkReply(reply, entries, { language: 'en' }).verdict === 'pass') {
        expect(shown).toBe(reply);
      }
    }),
    { numRuns: 300 },
  );
});
