import { describe, expect, test } from 'vitest';
import { Stop } from './stop.ts';

const first = new Error('first');

describe('a stop', () => {
  test('aborts the signal that was looked at', () => {
    const stop = new Stop();
    const { signal } = stop;
    expect(signal.aborted).toBe(false);
    stop.abort(first);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(first);
    expect(stop.isOver).toBe(true);
  });

  test('has an aborted signal for who looks only afterwards, and for the first reason', () => {
    const stop = new Stop();
    stop.abort(first);
    stop.abort(new Error('second'));
    expect(stop.signal.aborted).toBe(true);
    expect(stop.signal.reason).toBe(first);
  });

  test('has one signal, however often it is looked at', () => {
    const stop = new Stop();
    expect(stop.signal).toBe(stop.signal);
  });
});
