import { expect, test } from 'vitest';
import { claimOf, markOf } from '../testing/ledger-cases/stage.ts';
import { claim, mark } from './transitions.ts';

test('mark: a lane that names an earlier attempt of the same entry is not this attempt’s', () => {
  const nobody = { entry: undefined, holder: undefined, holderEntry: undefined };
  const { entry } = claim(claimOf('a'), nobody, 0);
  if (entry === undefined) throw new Error('not claimed');
  const holder = { key: entry.key, token: entry.token - 1 };
  const { answer } = mark(markOf(entry), { entry, holder, holderEntry: entry }, 0);
  expect(answer).toMatchObject({ kind: 'refused', entry: { state: 'failed', failedBy: 'unsent' } });
});
