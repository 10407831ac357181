import { checkReply, type ReplyEntry } from 'forthright/reply';
import { type Effort, interleaved, type Timing } from '../measure.ts';
import type { Finding, Measured, Row } from '../row.ts';
import { timingOf } from '../row.ts';
import { repeating } from './decode.ts';

const entries: readonly ReplyEntry[] = Array.from({ length: 20 }, (_, at) => ({
  tool: at % 2 === 0 ? 'refund_order' : 'cancel_order',
  input: { orderId: 4500 + at, amountCents: 2000 + at },
  outcome: at % 3 === 0 ? 'unknown' : 'ok',
  key: `key-${at}`,
  effect: 'write',
}));

function replyOf(length: number): string {
  const sentences: string[] = [];
  for (let at = 0; sentences.join(' ').length < length; at += 1) {
    const order = 4500 + (at % 20);
    sentences.push(
      at % 2 === 0
        ? `I have refunded $20.${String(at % 20).padStart(2, '0')} on order #${order} to your card.`
        : `Order ${order} could not be cancelled yet, and I will let you know once it is.`,
    );
  }
  return sentences.join(' ').slice(0, length);
}

const lengths: readonly number[] = [2_000, 8_000, 32_000];

/** A reply held against the record. */
export const reply: Row = {
  name: 'reply',
  work: 'reply check, 20 entries',
  async measure(effort: Effort): Promise<Measured> {
    const timings: readonly Timing[] = await interleaved(
      lengths.map((length) => {
        const text = replyOf(length);
        return repeating(`${length / 1000} kB`, () => checkReply(text, entries));
      }),
      effort,
    );
    const shortest = timingOf(timings, '2 kB');
    const growth = timingOf(timings, '32 kB').ratio / 16;
    const ours = 'forthright reply check';
    const findings: readonly Finding[] = [
      {
        work: 'reply check, 2 kB',
        ours,
        beside: 'a clock',
        value: shortest.medianUs / 1000,
        aim: 'under 1 ms',
        isMet: shortest.medianUs < 1000,
      },
      {
        work: 'reply check, 32 kB',
        ours,
        beside: '16 times that of 2 kB',
        value: growth,
        aim: 'linear: at most 1.3 ×',
        isMet: growth <= 1.3,
      },
    ];
    return { timings: { reply: timings }, findings };
  },
};
