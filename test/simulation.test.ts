import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle, patched } from '../scripts/simulate/bundle.ts';
import { mutants } from '../scripts/simulate/mutants.ts';
import { type Hunt, huntAll, simulateMany } from '../scripts/simulate/run.ts';

/*
 * Each version of Node plays stories of its own, so that CI comes to more than 20,000 on three of them; one
 * of them looks for all mutants. On a machine at work it is fewer, and `npm run simulate` plays more.
 */
const [major = ''] = process.versions.node.split('.');
const isCi = process.env.FORTHRIGHT_CI !== undefined;
const seed = Number(major) * 100_000;

describe('clean schedules', () => {
  test.each([
    { wrongVerdicts: false, stories: isCi ? 6000 : 400 },
    { wrongVerdicts: true, stories: isCi ? 1000 : 100 },
  ])(
    'break no promise: %j',
    async (options) => {
      expect(await simulateMany({ seed, ...options })).toEqual({
        ok: true,
        stories: options.stories,
      });
    },
    600_000,
  );
});

describe('mutants', () => {
  const patches = mutants.flatMap(({ name, patches }) => patches.map((patch) => ({ name, patch })));

  test.each(patches)('what $name replaces stands in the source', async ({ patch }) => {
    const source = await readFile(new URL(`../src/${patch.file}`, import.meta.url), 'utf8');
    expect(patched(source, patch)).not.toBe(source);
  });

  test('a patch whose text stands there no longer, or more than once, is refused', async () => {
    const stale = { file: 'key/key.ts', find: 'what is not there', put: '' };
    await expect(bundle([stale])).rejects.toThrow('src/key/key.ts: what is to be replaced');
    const vague = { file: 'key/key.ts', find: 'key', put: '' };
    await expect(bundle([vague])).rejects.toThrow(/stands there \d+ times, not once/);
    const absent = { file: 'cli/main.ts', find: 'main', put: '' };
    await expect(bundle([absent])).rejects.toThrow(
      'src/cli/main.ts is no part of what is simulated',
    );
  });
});

// One Node is enough: the same stories are found on each.
if (isCi && major === '24') {
  describe('a story is found that misses', () => {
    const hunts = new Map<string, Hunt>();

    beforeAll(async () => {
      const onHunt = (hunt: Hunt): void => void hunts.set(hunt.mutant.name, hunt);
      await huntAll({ seed: 1, stories: 20_000, shrink: false, onHunt });
    }, 1_200_000);

    test.each(mutants)('$name', ({ name }) => {
      expect(hunts.get(name)?.simulation).toMatchObject({ ok: false });
    });
  });
}
