import { describe, expect, test } from 'vitest';
import { keyedHeaders, keyHeaderValue } from './key-header.ts';

const settings = { keyHeader: 'Idempotency-Key', keyFormat: 'bare' } as const;
const keyed = (headers: Record<string, string>, keyHeader?: string | false, over: object = {}) => {
  const request = { headers: new Headers(headers), keyHeader };
  const keying = keyedHeaders(request, { ...settings, ...over }, 'k-1');
  return keying && { keyed: keying.keyed, headers: Object.fromEntries(keying.headers) };
};

describe('the key’s header', () => {
  test('is added', () => {
    expect(keyed({ a: 'b' })).toEqual({
      keyed: true,
      headers: { a: 'b', 'idempotency-key': 'k-1' },
    });
  });

  test('stays as the caller set it', () => {
    expect(keyed({ 'IDEMPOTENCY-KEY': 'mine' })).toEqual({
      keyed: true,
      headers: { 'idempotency-key': 'mine' },
    });
  });

  test('has the name that the API gives it', () => {
    expect(keyed({}, 'PayPal-Request-Id')?.headers).toEqual({ 'paypal-request-id': 'k-1' });
    expect(keyed({}, undefined, { keyHeader: 'X-Key' })?.headers).toEqual({ 'x-key': 'k-1' });
  });

  test('is left out where it is not wanted; the caller’s own still counts', () => {
    expect(keyed({}, false)).toEqual({ keyed: false, headers: {} });
    expect(keyed({ 'idempotency-key': 'mine' }, false)?.keyed).toBe(true);
  });

  test('is quoted as RFC 8941 has it, on request', () => {
    expect(keyHeaderValue('a"b\\c', 'quoted')).toBe('"a\\"b\\\\c"');
    expect(keyHeaderValue('a"b\\c', 'bare')).toBe('a"b\\c');
  });

  test.each(['', ' a', 'a\nb', 'schlüssel', '\u0000'])('cannot be %j', (key) => {
    expect(keyHeaderValue(key, 'bare')).toBeUndefined();
    expect(keyHeaderValue(key, 'quoted')).toBeUndefined();
  });
});
