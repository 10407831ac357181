import { expect, test } from 'vitest';
import { adapterCaseTable } from './adapter-cases/cases.ts';
import { adapterContract } from './adapter-contract.ts';

const never = async (): Promise<never> => {
  throw new Error('nothing is run');
};

test('a case that a framework makes impossible is left out, and no other', () => {
  const names = (impossible: Record<string, string>): readonly string[] =>
    adapterContract({ run: never, runPlain: never, impossible }).map(({ name }) => name);
  const all = adapterCaseTable.flatMap(({ name }) => [`${name}, generated`, `${name}, streamed`]);
  expect(names({})).toEqual(all);
  expect(all).toContain('__proto__, generated');
  expect(names({ 'duplicate keys': 'The text is gone.' })).toEqual(
    all.filter((name) => !name.startsWith('duplicate keys')),
  );
  expect(names({ 'truncated text, generated': 'The text is gone.' })).toEqual(
    all.filter((name) => name !== 'truncated text, generated'),
  );
});
