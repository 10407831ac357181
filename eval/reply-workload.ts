import type { ReplyEntry, ReplyRead } from '../src/reply/index.ts';

/** A reply of 2 kB with what it is held against: what the speed of the check is measured on. */
export interface ReplyWorkload {
  readonly reply: string;
  readonly entries: readonly ReplyEntry[];
  readonly reads: readonly ReplyRead[];
}

const orders = 20;

/** A reply of 2,000 characters about 20 writes, each of them done. */
export function replyWorkload(): ReplyWorkload {
  const ids = Array.from({ length: orders }, (_, at) => `#W${7_000_001 + at}`);
  const entries = ids.map((order_id, at) => ({
    tool: at % 2 === 0 ? 'cancel_order' : 'refund_order',
    input: { order_id, amount: 20.5 + at, reason: 'no longer needed' },
    outcome: 'ok' as const,
    data: { order_id, status: at % 2 === 0 ? 'cancelled' : 'refunded' },
  }));
  const reads = [{ tool: 'get_user', input: { user_id: 'ann_lee_12' }, data: { orders: ids } }];
  const lines = entries.map(({ tool, input: { order_id, amount } }) =>
    tool === 'cancel_order'
      ? `- Order ${order_id} has been cancelled as you asked.`
      : `- I refunded $${amount.toFixed(2)} on order ${order_id} to your card.`,
  );
  const opening = 'Thanks for waiting, Ann. I went through all of your orders:\n\n';
  const closing =
    '\n\nThe money is back on your card within 5 to 7 business days. Is there anything else I can do for you today?';
  const body = opening + lines.join('\n') + closing;
  const filler = ' If a parcel still reaches you, simply send it back with the label inside.';
  const reply = body + filler.repeat(Math.ceil((2_000 - body.length) / filler.length));
  return { reply: reply.slice(0, 2_000), entries, reads };
}
