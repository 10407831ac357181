import { describe, expect, test } from 'vitest';
import { simulate } from './simulate.ts';
import type { CallPlan, Step } from './step.ts';

describe('simulate', () => {
  test('the same seed tells the same story; a story that breaks a promise is made short, and is replayed', async () => {
    const whole = await simulate({
      seed: 1,
      stories: 3000,
      freezesBeforeSend: true,
      shrink: false,
    });
    if (whole.ok) throw new Error('It found nothing.');
    const { seed, violation } = whole;
    const short = await simulate({ seed, freezesBeforeSend: true });
    if (short.ok) throw new Error('The same seed did not tell the same story.');
    expect(short.violation.promise).toBe(violation.promise);
    expect(short.steps.length).toBeLessThan(whole.steps.length / 2);
    const lines = short.story.split('\n');
    expect(lines.every((line) => /^ *\d+\.\d{3} s {2}\S/.test(line))).toBe(true);
    expect(lines.at(-1)).toContain(`BROKEN: ${violation.promise}`);

    for (const { steps, story } of [whole, short]) {
      const again = await simulate({ seed, steps, freezesBeforeSend: true, shrink: false });
      expect(again).toMatchObject({ ok: false, steps, story });
    }
    expect(await simulate({ seed, freezesBeforeSend: true })).toEqual(short);
  }, 300_000);

  test('each run of an idempotent write is proof for the call that sent it', async () => {
    const call = (n: number, after: CallPlan['manner']['after']): CallPlan => ({
      n,
      tool: 'address',
      scope: 'talk',
      order: 1,
      amount: 1999,
      reason: '',
      occurrence: 1,
      turn: 1,
      manner: { before: 'sends', connects: false, after },
    });
    const end = (what: string, how = 'is done'): Step => ({ do: 'let', what, end: how });
    const steps: readonly Step[] = [
      { do: 'call', process: 'p2', call: call(1, 'is truthful') },
      end('p2: claim of address 1/1999'),
      end('p2: mark of address 1/1999'),
      { do: 'pause', process: 'p2' },
      end('request 1'),
      { do: 'wait', ms: 60_000 },
      { do: 'call', process: 'p1', call: call(2, 'does not wait') },
      end('p1: claim of address 1/1999'),
      end('p1: mark of address 1/1999'),
      end('request 2'),
      end('the answer to request 2', 'arrives'),
    ];
    // Two processes, by this seed. What the first call is told comes after what the second one is.
    expect(await simulate({ seed: 2, steps })).toEqual({ ok: true, stories: 1 });
  });
});
