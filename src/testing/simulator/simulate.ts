import { type Liberties, type Played, play, type Script } from './play.ts';
import type { Violation } from './promises.ts';
import { shrink } from './shrink.ts';
import type { Step } from './step.ts';

/** What to simulate. */
export interface SimulateOptions extends Partial<Liberties> {
  /** The first story's seed; 1 if left out. The same seed always tells the same story. */
  readonly seed?: number;
  /** How many stories are tried, each with the next seed; 1 if left out. */
  readonly stories?: number;
  /** A story to replay, as an earlier simulation gave its steps; the seed is then that simulation's. */
  readonly steps?: readonly Step[];
  /** Whether a story that breaks a promise is made short; true if left out. */
  readonly shrink?: boolean;
}

/** What a simulation came to. */
export type Simulation =
  | { readonly ok: true; readonly stories: number }
  | {
      readonly ok: false;
      /** How many were tried, the one that breaks a promise included. */
      readonly stories: number;
      readonly seed: number;
      readonly violation: Violation;
      /** To replay it: `simulate({ seed, steps })`. */
      readonly steps: readonly Step[];
      /** The same in words, one line for each thing that happened. */
      readonly story: string;
    };

/**
 * Runs the real runtime in several simulated processes over one ledger, with a remote system, users and
 * operators, on a virtual clock; a seed decides what happens next. Holds every promise after every step,
 * and stops at the first story that breaks one. Uses no timer and no network of the machine's.
 */
export async function simulate(options: SimulateOptions = {}): Promise<Simulation> {
  const { seed: first = 1, stories = 1, steps } = options;
  const liberties: Liberties = {
    wrongVerdicts: options.wrongVerdicts ?? false,
    freezesBeforeSend: options.freezesBeforeSend ?? false,
  };
  for (let tried = 1; tried <= stories; tried += 1) {
    const seed = first + tried - 1;
    const script: Script = { ...liberties, seed, recorded: false, ...(steps ? { steps } : {}) };
    const { violation } = await play(script);
    if (violation !== undefined) return broken(script, tried, options.shrink ?? true);
    if (tried % 100 === 0) await breathe();
  }
  return { ok: true, stories };
}

async function broken(script: Script, stories: number, short: boolean): Promise<Simulation> {
  const recorded = { ...script, recorded: true };
  const whole = await play(recorded);
  const told: Played = short ? await shrink(recorded, whole) : whole;
  const { violation, steps, lines } = told;
  if (violation === undefined)
    throw new Error(`Seed ${script.seed} did not tell the same story twice.`);
  return { ok: false, stories, seed: script.seed, violation, steps, story: lines.join('\n') };
}

/** Lets the rest of the process have its turn. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
