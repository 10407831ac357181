import { describe, expect, test } from 'vitest';
import { neverConnected, traceError } from './error-trace.ts';

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error(code), { code, ...more });

describe('traceError', () => {
  test('follows causes, and what an AggregateError holds', () => {
    const attempts = [
      coded('ECONNREFUSED', { syscall: 'connect' }),
      coded('ETIMEDOUT', { syscall: 'connect' }),
    ];
    const cause = Object.assign(new AggregateError(attempts), { code: 'ECONNREFUSED' });
    const traces = traceError(new TypeError('fetch failed', { cause }));
    expect(traces).toEqual([
      { code: 'ECONNREFUSED' },
      { code: 'ECONNREFUSED', syscall: 'connect' },
      { code: 'ETIMEDOUT', syscall: 'connect' },
    ]);
    expect(neverConnected(traces)).toBe(true);
  });

  test('one code that comes later takes the proof away', () => {
    const cause = new AggregateError([
      coded('ECONNREFUSED', { syscall: 'connect' }),
      coded('ECONNRESET', { syscall: 'read' }),
    ]);
    expect(neverConnected(traceError(new TypeError('fetch failed', { cause })))).toBe(false);
  });

  test('a timeout is one of connecting only by its system call', () => {
    expect(neverConnected(traceError(coded('ETIMEDOUT', { syscall: 'read' })))).toBe(false);
    expect(neverConnected(traceError(coded('EHOSTUNREACH', { syscall: 'read' })))).toBe(false);
    expect(neverConnected(traceError(coded('EHOSTUNREACH', { syscall: 'connect' })))).toBe(true);
  });

  test('an abort is listed by its name, its number is no code', () => {
    const abort = new DOMException('The operation was aborted', 'AbortError');
    expect(traceError(abort)).toEqual([{ code: 'AbortError' }]);
    expect(traceError(Object.assign(abort, { cause: coded('ECONNREFUSED') }))).toHaveLength(2);
  });

  test.each([undefined, null, 'ECONNREFUSED', 7, new Error('no code'), {}])(
    '%s proves nothing',
    (error) => {
      expect(neverConnected(traceError(error))).toBe(false);
    },
  );

  test('a circle of causes ends', () => {
    const one = coded('ECONNREFUSED');
    const two = coded('ENOTFOUND', { cause: one });
    Object.assign(one, { cause: two });
    expect(traceError(one)).toHaveLength(2);
  });

  test('what is past the bound counts as no proof', () => {
    const many = Array.from({ length: 100 }, () => coded('ECONNREFUSED'));
    expect(neverConnected(traceError(new AggregateError(many)))).toBe(false);
    expect(neverConnected(traceError(new AggregateError(many.slice(0, 20))))).toBe(true);
  });
});
