import { expect, test } from 'vitest';
import { NewestMap } from './newest-map.ts';

test('the one that was set longest ago is forgotten', () => {
  const map = new NewestMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
});

test('what is set again is new again', () => {
  const map = new NewestMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
