import { describe, expect, test } from 'vitest';
import { simulate } from './simulate.ts';

/** Each Node looks at stories of its own. */
const [major = '0'] = process.versions.node.split('.');
const stories = process.env.FORTHRIGHT_CI === undefined ? 500 : 2000;

describe('simulate', () => {
  test('no promise is broken in stories of crashes, lost answers, retries and verdicts', async () => {
    const simulation = await simulate({ seed: Number(major) * 100_000, stories });
    expect(simulation).toEqual({ ok: true, stories });
  }, 300_000);

  test('finds what the design cannot promise: a freeze between the last look and the send', async () => {
    const found = await simulate({ seed: 1, stories: 3000, freezesBeforeSend: true });
    if (found.ok) throw new Error('It found nothing.');
    expect(found.story.split('\n').length).toBeGreaterThan(3);
    const { seed, steps, violation } = found;
    const again = await simulate({ seed, steps, freezesBeforeSend: true, shrink: false });
    expect(again).toMatchObject({ ok: false, violation });
  }, 300_000);
});
