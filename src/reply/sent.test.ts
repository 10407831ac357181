import { describe, expect, test } from 'vitest';
import { checkReply, type ReplyEntry } from './index.ts';

/** What is sent is the call itself: it says that it left, and no message is claimed. */
const sent: Readonly<Record<string, readonly string[]>> = {
  en: [
    'The request was sent and is being confirmed.',
    'An earlier identical call was sent and is not confirmed yet. There is no need to ask again.',
    'Your cancellation request has been sent and is still being confirmed.',
    'The call has been sent; it is not confirmed yet.',
    'I have sent your request to the hotel, and it is being confirmed.',
  ],
  de: [
    'Die Anfrage wurde gesendet und wird noch bestätigt.',
    'Ein früherer gleicher Aufruf wurde gesendet und ist noch nicht bestätigt.',
    'Ich habe Ihren Antrag abgeschickt, er wird noch bestätigt.',
  ],
  fr: [
    'La demande a été envoyée et est en cours de confirmation.',
    "Un appel identique a été envoyé et n'est pas encore confirmé.",
    "J'ai envoyé votre demande, elle est en cours de confirmation.",
  ],
  es: [
    'La solicitud ha sido enviada y se está confirmando.',
    'Una llamada idéntica fue enviada y aún no está confirmada.',
    'He enviado su solicitud y se está confirmando.',
  ],
  pt: [
    'A solicitação foi enviada e está sendo confirmada.',
    'Uma chamada idêntica foi enviada e ainda não foi confirmada.',
    'Enviei a sua solicitação e ela está sendo confirmada.',
  ],
  it: [
    'La richiesta è stata inviata ed è in corso di conferma.',
    'Una chiamata identica è stata inviata e non è ancora confermata.',
    'Ho inviato la sua richiesta, è in attesa di conferma.',
  ],
  nl: [
    'Het verzoek is verzonden en wordt nog bevestigd.',
    'De eerdere gelijke aanroep is verstuurd en is nog niet bevestigd.',
    'Ik heb uw aanvraag verstuurd, die wordt nog bevestigd.',
  ],
};

const cancel = (outcome: ReplyEntry['outcome']): ReplyEntry => ({
  tool: 'cancel_booking',
  input: { code: 'HX29QT' },
  outcome,
});

const all = Object.entries(sent).flatMap(([language, texts]) =>
  texts.map((text) => ({ language, text })),
);

describe('a request that was sent', () => {
  test.each(all)('$language: is true of a write that is unknown: $text', ({ language, text }) => {
    for (const outcome of ['unknown', 'skipped'] as const) {
      expect(checkReply(text, [cancel(outcome)], { reads: [], language }).findings).toEqual([]);
    }
    expect(checkReply(text, [cancel('unknown')], { reads: [] }).verdict).toBe('pass');
  });

  test.each(all)('$language: is false where no request left: $text', ({ language, text }) => {
    const failed = checkReply(text, [cancel('failed')], { reads: [], language });
    expect(failed.findings).toMatchObject([{ code: 'not_proven', tool: 'cancel_booking' }]);
    const never = checkReply(text, [], { reads: [], language });
    expect(never.findings).toMatchObject([{ code: 'never_called', entry: null }]);
  });
});

test('a message is claimed as ever', () => {
  const text = 'I have sent the report to kim@example.org.';
  expect(checkReply(text, [cancel('ok')], { reads: [] }).verdict).toBe('corrected');
});

test('an order that was sent is a shipment, and may be one that is being confirmed', () => {
  const order: ReplyEntry = { tool: 'place_order', input: { sku: 'A-17' }, outcome: 'unknown' };
  const waiting = 'The order was sent and is being confirmed.';
  expect(checkReply(waiting, [order], { reads: [] }).verdict).toBe('pass');
  expect(checkReply('The order has been sent.', [order], { reads: [] }).verdict).toBe('corrected');
});
