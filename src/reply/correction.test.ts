import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../call/codes.ts';
import { checkReply, type ReplyEntry, readableLanguages } from './index.ts';
import { languageOf } from './lexicon/languages.ts';

const claims: Readonly<Record<string, string>> = {
  en: 'I have refunded order #W7001.',
  de: 'Ich habe die Bestellung #W7001 erstattet.',
  fr: "J'ai remboursé la commande #W7001.",
  es: 'He reembolsado el pedido #W7001.',
  pt: 'Reembolsei o pedido #W7001.',
  it: "Ho rimborsato l'ordine #W7001.",
  nl: 'Ik heb bestelling #W7001 terugbetaald.',
};

function refund(outcome: OutcomeName): ReplyEntry {
  const input = {
    order_id: '#W7001',
    amountCents: 2000,
    user_id: 'ann_li_3668',
    payment_id: 'credit_card_4421486',
    reason: 'Stack trace: secret-token',
  };
  return { tool: 'refund_order', input, outcome };
}

describe.each(readableLanguages)('a correction in %s', (language) => {
  const claim = claims[language] as string;

  test.each(['unknown', 'failed', 'skipped'] as const)('of %s is true itself', (outcome) => {
    const { reply } = checkReply(claim, [refund(outcome)], { reads: [] });
    expect(reply).toContain('#W7001');
    expect(reply).not.toBe(claim);
    expect(checkReply(reply, [refund(outcome)], { reads: [] })).toMatchObject({ verdict: 'pass' });
  });

  test('of a write that was never called is true itself', () => {
    const { reply } = checkReply(claim, [], { reads: [] });
    expect(checkReply(reply, [], { reads: [] })).toMatchObject({ verdict: 'pass' });
  });

  test('names the action in the language, and nothing internal', () => {
    const { reply } = checkReply(claim, [refund('unknown')], { reads: [] });
    const name = languageOf(language)?.names.refund as string;
    expect(reply.toLowerCase()).toContain(name.toLowerCase());
    expect(reply).not.toMatch(/refund_order|ann_li|credit_card|secret|amountCents/);
  });
});

test('a sum is written as the reply writes its own', () => {
  const { reply } = checkReply('I have refunded $20.00 for #W7001.', [refund('unknown')]);
  expect(reply).toContain('(#W7001, $20.00)');
  const german = checkReply('Ich habe 20,00 € für Bestellung #W7001 erstattet.', [
    refund('unknown'),
  ]);
  expect(german.reply).toContain('(#W7001, 20,00 €)');
});

test('a label of the host names the action', () => {
  const options = { tools: { refund_order: { labels: { en: 'your money back' } } } };
  const { reply } = checkReply('I have refunded #W7001.', [refund('unknown')], options);
  expect(reply).toMatch(/^Your money back \(#W7001\) is still being confirmed/);
});

test('what leans on a false sentence goes with it, what does not stays', () => {
  const said =
    'Hello Ann! Great news! Order #W7001 has been refunded. You will see it within 5 days.\n\nOur shop opens at nine. Is there anything else?';
  const { reply } = checkReply(said, [refund('unknown')], { reads: [] });
  expect(reply).toBe(
    'Hello Ann! The refund (#W7001) is still being confirmed; there is no need to request it again.\n\nOur shop opens at nine. Is there anything else?',
  );
});

test('a list keeps its true items and gets a heading that is true', () => {
  const cancel = (id: string, outcome: OutcomeName): ReplyEntry => ({
    tool: 'cancel_order',
    input: { order_id: id },
    outcome,
  });
  const said =
    'The following orders have been cancelled:\n\n1. #W7001\n2. #W7002\n\nAnything else?';
  const entries = [cancel('#W7001', 'ok'), cancel('#W7002', 'unknown')];
  const { reply, findings } = checkReply(said, entries, { reads: [] });
  expect(findings).toHaveLength(1);
  expect(reply).toBe(
    'Here is where things stand:\n\n1. The cancellation (#W7001) has been completed.\n2. The cancellation (#W7002) is still being confirmed; there is no need to request it again.\n\nAnything else?',
  );
});
