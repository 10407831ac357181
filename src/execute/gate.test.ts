import { expect, test } from 'vitest';
import { Gate } from './gate.ts';

test('a gate that was taken cannot be closed', () => {
  const gate = new Gate();
  expect(gate.take()).toBe(true);
  expect(gate.close()).toBe(false);
});

test('a gate that was closed cannot be taken, and can be closed again', () => {
  const gate = new Gate();
  expect(gate.close()).toBe(true);
  expect(gate.take()).toBe(false);
  expect(gate.close()).toBe(true);
  expect(gate.isOpen).toBe(false);
});

test('a gate is taken once', () => {
  const gate = new Gate();
  gate.take();
  expect(gate.take()).toBe(false);
});
