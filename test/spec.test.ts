import { beforeAll, describe, expect, test } from 'vitest';
import {
  check,
  environments,
  guards,
  missingPrograms,
  storyOf,
  twoAtATime,
  type Verdict,
} from '../spec/check.ts';

const missing = missingPrograms();
const needs = missing.length === 0 ? '' : ` (needs Debian's ${missing.join(' and ')})`;

const sound = Object.entries(environments);
const unsound = guards.map(({ flag, guard, around }) => ({
  guard,
  flags: [...environments[around], flag],
}));

describe.skipIf(missing.length > 0)(`the models of the protocol${needs}`, () => {
  const verdicts = new Map<readonly string[], Verdict>();

  beforeAll(async () => {
    const all = [...sound.map(([, flags]) => flags), ...unsound.map(({ flags }) => flags)];
    await twoAtATime(all, async (flags) => void verdicts.set(flags, await check(flags)));
  }, 900_000);

  test.each(sound)('hold over all interleavings: %s', (_around, flags) => {
    expect(verdicts.get(flags)).toMatchObject({ violated: undefined, story: '' });
    expect(verdicts.get(flags)?.states).toBeGreaterThan(100_000);
  });

  test.each(unsound)('find what happens without this: $guard', ({ flags }) => {
    expect(verdicts.get(flags)?.violated).toBeTypeOf('string');
    expect(verdicts.get(flags)?.story).toContain('claims');
  });
});

test.each(['', 'spin: warning, "protocol.pml" is newer than protocol.pml.trail\n'])(
  'a story is what is printed between warnings and the end: %j',
  (warning) => {
    const steps = '      attempt 2 claims: done\n        entry 0: claimed\n';
    const end =
      'spin: protocol.pml:57, Error: assertion violated\nspin: trail ends after 2 steps\n';
    expect(storyOf(`${warning}${steps}${end}#processes: 3\n`)).toBe(
      'attempt 2 claims: done\n    entry 0: claimed',
    );
  },
);
