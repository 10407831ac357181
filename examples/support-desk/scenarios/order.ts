import { reply, scriptedModel, toolCall, toolCalls } from 'forthright/agent';
import type { Scenario } from '../scenario.ts';

/** What runs side by side, one after the other, again, and only with a person's word. */
export const order: readonly Scenario[] = [
  {
    name: 'five-at-once',
    title: 'Refunds on five orders: side by side',
    refunds: [500, 500, 500, 500, 500],
    told: ['ok done', 'ok done', 'ok done', 'ok done', 'ok done'],
    ledger: [
      'refund_order ok',
      'refund_order ok',
      'refund_order ok',
      'refund_order ok',
      'refund_order ok',
    ],
    async play({ billing, note, say }) {
      const orders = [4512, 4513, 4514, 4515, 4516];
      billing.next(...orders.map(() => 'hang_before_commit' as const));
      const said = say(orders.map((id) => `Refund 5.00 on order ${id}`).join('; '));
      await billing.held(orders.length);
      note('All five are at billing at the same time.');
      billing.release();
      await said;
    },
  },
  {
    name: 'three-in-order',
    title: 'Three refunds on one order: one after the other, in their order',
    billing: { latencyMs: 20 },
    refunds: [100, 200, 300],
    told: ['ok done', 'ok done', 'ok done'],
    ledger: ['refund_order ok', 'refund_order ok', 'refund_order ok'],
    async play({ billing, note, say }) {
      await say('Refund 1.00 on order 4515; refund 2.00 on order 4515; refund 3.00 on order 4515.');
      note(`At most ${billing.mostAtOnce} at billing at the same time.`);
    },
  },
  {
    name: 'address',
    title: 'An address is set to A, to B, and to A again: all three are meant',
    refunds: [],
    addresses: ['Rosenweg 1', 'Hafenstrasse 9', 'Rosenweg 1'],
    told: ['ok done', 'ok done', 'ok done'],
    ledger: ['set_address ok', 'set_address ok'],
    async play({ say }) {
      await say('Send order 4512 to Rosenweg 1.');
      await say('Send order 4512 to Hafenstrasse 9.');
      await say('No, send order 4512 to Rosenweg 1.');
    },
  },
  {
    name: 'repeat',
    title: 'A second identical refund that is meant',
    refunds: [2000, 2000],
    told: ['ok done', 'failed repeat_not_allowed', 'ok done'],
    ledger: ['refund_order ok', 'refund_order ok'],
    async play({ note, say, kind }) {
      const refund = { orderId: 4512, amountCents: 2000, reason: 'a broken lamp' };
      const eager = scriptedModel([
        toolCalls(toolCall('refund_order', refund)),
        ...(kind === 'naive'
          ? []
          : [toolCalls(toolCall('refund_order', { ...refund, occurrence: 2 }))]),
        reply('Your 20.00 are on their way.'),
      ]);
      note('The model is eager to do it twice by itself.');
      await say('Please refund 20.00 on order 4512 because a lamp is broken.', { model: eager });
      await say('Refund 20.00 on order 4512 once more because the other lamp is broken too.');
    },
  },
  {
    name: 'approval',
    title: 'A large refund waits for a person, and runs once',
    refunds: [24_900],
    told: ['failed approval_required', 'ok done'],
    ledger: ['refund_order ok'],
    async play({ say, decide }) {
      await say('Please refund 249.00 on order 4513 because it never came.');
      await decide('granted');
      await decide('granted');
    },
  },
];
