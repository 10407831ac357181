import { reply, scriptedModel, toolCall, toolCalls } from 'forthright/agent';
import type { Scenario } from '../scenario.ts';

const ask = 'Please refund 20.00 on order 4512 because it came late.';
const askAgain = 'It is not there yet. Refund 20.00 on order 4512 because the lamp was late.';

/** What becomes of an answer: never sent, late, lost, refused, given twice. */
export const answers: readonly Scenario[] = [
  {
    name: 'timeout-before-send',
    title: 'Time runs out before anything is sent; the second try works',
    refunds: [2000],
    told: ['failed timeout_before_send', 'ok done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say, jump }) {
      note('Billing hangs on the look-up of the order.');
      billing.nextRead('hang_before_commit');
      const said = say(ask);
      await billing.held();
      await jump(4_500);
      await said;
    },
  },
  {
    name: 'late-answer',
    title: 'Billing refunds, and answers when nobody waits any more',
    refunds: [2000],
    told: ['unknown sent_no_answer', 'unknown still_confirming', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say, jump, settled }) {
      note('Billing will refund and keep its answer to itself; its search lags behind.');
      billing.next('hang_after_commit');
      billing.searchable = false;
      const said = say(ask);
      await billing.held();
      await jump(4_500);
      await said;
      await say(askAgain);
      note('Now the first answer arrives.');
      billing.release();
      await settled();
      await say(askAgain);
    },
  },
  {
    name: 'lost-answer',
    title: 'Billing refunds, and the answer is lost for good',
    refunds: [2000],
    told: ['unknown sent_no_answer', 'unknown still_confirming', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say, jump, asked, ask: askBilling }) {
      note('Billing will refund, and the connection will break; its search lags behind.');
      billing.next('lose_answer');
      billing.searchable = false;
      await say(ask);
      await say(askAgain);
      await asked();
      billing.searchable = true;
      await jump(60_000);
      await askBilling();
      await say(askAgain);
    },
  },
  {
    name: 'commit-503',
    title: 'Billing refunds, and a gateway says 503',
    refunds: [2000],
    told: ['unknown sent_no_answer', 'unknown still_confirming', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say, settled }) {
      note('Billing will refund, and the gateway in front of it will answer 503.');
      billing.next('commit_then_503');
      await say(ask);
      await say(askAgain);
      await settled();
      await say(askAgain);
    },
  },
  {
    name: 'false-claim',
    title: 'The model claims a success that nobody has proven',
    refunds: [2000],
    told: ['unknown sent_no_answer'],
    ledger: ['refund_order unknown'],
    async play({ billing, note, say }) {
      note('Billing will refund, and the connection will break; its search lags behind.');
      billing.next('lose_answer');
      billing.searchable = false;
      const refund = { orderId: 4512, amountCents: 2000, reason: 'it came late' };
      const model = scriptedModel([
        toolCalls(toolCall('refund_order', refund)),
        reply('Good news: I have refunded 20.00 on order 4512!'),
      ]);
      await say(ask, { model });
    },
  },
  {
    name: 'check-write',
    title: 'The customer asks what became of it',
    refunds: [2000],
    told: ['unknown sent_no_answer', 'ok done', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say }) {
      note('Billing will refund, and the connection will break.');
      billing.next('lose_answer');
      await say(ask);
      await say('What became of my refund on order 4512?');
      await say(askAgain);
    },
  },
  {
    name: 'never-arrived',
    title: 'It was sent and never arrived; once that is certain, it is sent again',
    refunds: [2000],
    told: ['unknown sent_no_answer', 'ok done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say, jump, ask: askBilling }) {
      note('A gateway will answer 503, and billing will never hear of it.');
      billing.next('503_without_commit');
      await say(ask);
      await jump(120_000);
      await askBilling();
      await say(askAgain);
    },
  },
  {
    name: 'refused',
    title: 'Billing refuses: more than was paid',
    refunds: [],
    told: ['failed exceeds_order'],
    ledger: ['refund_order failed'],
    async play({ say }) {
      await say('Please refund 99.00 on order 4512 because I am sad.');
    },
  },
  {
    name: 'twins',
    title: 'The model makes the same call twice in one turn',
    refunds: [2000],
    told: ['ok done', 'skipped already_in_progress'],
    ledger: ['refund_order ok'],
    async play({ say }) {
      await say('Refund 20.00 on order 4512, please; do refund 20.00 on order 4512.');
    },
  },
  {
    name: 'reworded',
    title: 'The model makes the same call again, in other words',
    refunds: [2000],
    told: ['ok done', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ say }) {
      const refund = (reason: string) =>
        toolCalls(toolCall('refund_order', { orderId: 4512, amountCents: 2000, reason }));
      const model = scriptedModel([
        refund('late delivery'),
        refund('the delivery was late'),
        reply('Your 20.00 are on their way.'),
      ]);
      await say(ask, { model });
    },
  },
  {
    name: 'later-turn',
    title: 'The customer asks for the same refund once more, later on',
    refunds: [2000],
    told: ['ok done', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ say }) {
      await say(ask);
      await say(askAgain);
    },
  },
  {
    name: 'customer-leaves',
    title: 'The customer closes the window while billing works',
    refunds: [2000],
    told: ['ok done', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ billing, note, say }) {
      billing.next('hang_after_commit');
      const leave = new AbortController();
      const said = say(ask, { leave: leave.signal });
      await billing.held();
      note('The customer closes the window.');
      leave.abort();
      billing.release();
      await said;
      await say(askAgain);
    },
  },
  {
    name: 'another-amount',
    title: 'A slightly different amount while the first is not certain',
    refunds: [2000],
    told: ['unknown sent_no_answer', 'failed lane_unsettled'],
    ledger: ['refund_order unknown'],
    async play({ billing, note, say }) {
      note('Billing will refund, and the connection will break; its search lags behind.');
      billing.next('lose_answer');
      billing.searchable = false;
      await say(ask);
      await say('Then refund 19.99 on order 4512 because it still is not there.');
    },
  },
];
