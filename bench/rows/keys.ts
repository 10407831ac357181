import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import stableStringify from 'safe-stable-stringify';
import type { JsonValue } from '../../src/call/json.ts';
import { intentKey } from '../internals.ts';
import { type Effort, interleaved, type Timing } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row } from '../row.ts';
import { repeating } from './decode.ts';

const items = (count: number): JsonValue => ({
  orderId: 4512,
  lines: Array.from({ length: count }, (_, at) => ({
    title: `A thing, number ${at}`,
    sku: `SKU-${at}`,
    quantity: at,
    price: at / 4,
    gift: at % 2 === 0,
  })),
});
const sizes: Readonly<Record<string, JsonValue>> = {
  '40 B': { orderId: 4512, amountCents: 2000, to: 'ada' },
  '2 kB': items(24),
  '200 kB': items(2400),
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Canonical JSON and the key of it. */
export const keys: Row = {
  name: 'keys',
  work: 'canonical JSON and key',
  async measure(effort: Effort): Promise<Measured> {
    const timings: Record<string, readonly Timing[]> = {};
    const findings: Finding[] = [];
    for (const [name, value] of Object.entries(sizes)) {
      const intent = { scope: 's', tool: 'refund_order', value, ordinal: 1 };
      const at = await interleaved(
        [
          repeating('safe-stable-stringify + SHA-256', () => sha256(stableStringify(value) ?? '')),
          repeating('forthright key', () => intentKey(intent)),
          repeating('canonicalize + SHA-256', () => sha256(canonicalize(value) ?? '')),
        ],
        effort,
      );
      timings[name] = at;
      const work = `canonical JSON and key, ${name}`;
      const ours = 'forthright key';
      findings.push(
        atMost(at, { work, ours, beside: 'canonicalize + SHA-256', most: 1 }),
        atMost(at, { work, ours, beside: 'safe-stable-stringify + SHA-256', most: 1.2 }),
      );
    }
    return { timings, findings };
  },
};
