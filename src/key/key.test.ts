import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { canonicalize } from './canonical-json.ts';
import { fingerprint, type Intent, intentKey, wireKey } from './key.ts';

const refund: Intent = {
  scope: 'conversation-1',
  tool: 'refund_order',
  value: { orderId: 4512, amountCents: 1250 },
  ordinal: 1,
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('intentKey', () => {
  it('is SHA-256 over the canonical array of version, scope, tool and value', () => {
    expect(intentKey(refund)).toBe(
      sha256(
        '["forthright/1","conversation-1","refund_order",{"amountCents":1250,"orderId":4512}]',
      ),
    );
  });

  it('never changes: keys of this version stand in ledgers', () => {
    expect(intentKey(refund)).toBe(
      '3e275504991b5e5497c9cb3b5ae6f32e42b520c110ebe859b173baa2626bc5f5',
    );
  });

  it('takes the ordinal in from the second on', () => {
    expect(intentKey({ ...refund, ordinal: 2 })).toBe(
      sha256(
        '["forthright/1","conversation-1","refund_order",{"amountCents":1250,"orderId":4512},2]',
      ),
    );
  });

  it('does not depend on the order of keys', () => {
    const value = { amountCents: 1250, orderId: 4512 };
    expect(intentKey({ ...refund, value })).toBe(intentKey(refund));
  });

  it('tells where the scope ends and the tool begins', () => {
    const key = (scope: string, tool: string, value: JsonValue = {}): string =>
      intentKey({ scope, tool, value, ordinal: 1 });
    expect(key('a', 'bc')).not.toBe(key('ab', 'c'));
    expect(key('a","b', 'c')).not.toBe(key('a', 'b","c'));
    expect(key('', 'ab')).not.toBe(key('ab', ''));
    expect(key('a', 'b', 2)).not.toBe(intentKey({ scope: 'a', tool: 'b', value: 1, ordinal: 2 }));
  });

  it('differs wherever the canonical text of scope, tool, value or ordinal differs', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '[', ']'), maxLength: 3 });
    const intent = fc.record({
      scope: short,
      tool: short,
      value: fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', '"', '1') }),
      ordinal: fc.integer({ min: 1, max: 3 }),
    }) as fc.Arbitrary<Intent>;
    const text = ({ scope, tool, value, ordinal }: Intent): string =>
      canonicalize({ scope, tool, value, ordinal });
    fc.assert(
      fc.property(intent, intent, (one, other) => {
        expect(intentKey(one) === intentKey(other)).toBe(text(one) === text(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a scope that has no canonical form', () => {
    expect(() => intentKey({ ...refund, scope: '\ud800' })).toThrow(TypeError);
  });
});

describe('fingerprint', () => {
  it('is SHA-256 of the canonical arguments', () => {
    expect(fingerprint({ b: 1, a: 'ö' })).toBe(sha256('{"a":"ö","b":1}'));
  });

  it('tells arguments apart that lax readers take for the same', () => {
    const texts = [
      '{"a":1}',
      '{"a":"1"}',
      '{"a":[1]}',
      '{"a":{"0":1}}',
      '{"a":1.0000000000000002}',
    ];
    const prints = texts.map((text) => fingerprint(JSON.parse(text) as JsonObject));
    expect(new Set(prints).size).toBe(texts.length);
  });
});

describe('wireKey', () => {
  const key = intentKey(refund);
  const createdAtMs = Date.UTC(2026, 11, 1);

  it('names the intent, its record and its generation in what every header takes', () => {
    const first = wireKey({ key, createdAtMs, generation: 1 });
    expect(first).toMatch(/^[0-9a-f]{22}-[0-9a-z]{8}-1$/);
    expect(key.startsWith(first.slice(0, 22))).toBe(true);
    expect(wireKey({ key, createdAtMs, generation: 2 })).toBe(first.replace(/1$/, '2'));
  });

  it('is another one for a record that was made anew', () => {
    const anew = wireKey({ key, createdAtMs: createdAtMs + 1, generation: 1 });
    expect(anew).not.toBe(wireKey({ key, createdAtMs, generation: 1 }));
  });

  it('stays within 36 characters up to generation 999, until 2059', () => {
    const late = Date.UTC(2059, 0, 1);
    expect(wireKey({ key, createdAtMs: late, generation: 999 }).length).toBeLessThanOrEqual(36);
  });
});
