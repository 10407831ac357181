import { Chooser } from './choose.ts';
import { judgeEnd } from './end-promises.ts';
import { comeToRest } from './ending.ts';
import { type Move, moveOf, start } from './moves.ts';
import { drain } from './passing.ts';
import type { ProcessOptions } from './process.ts';
import type { Violation } from './promises.ts';
import { Random } from './random.ts';
import type { Step } from './step.ts';
import { drawWeather, type Weather } from './weather.ts';
import { World } from './world.ts';

/** What may happen in a story beyond what the design assumes; all of it is left out by default. */
export interface Liberties {
  /** Operators may be wrong: what they misjudge may happen twice, and everything else still holds. */
  readonly wrongVerdicts: boolean;
  /** A process may stand still for long between its last look at the time and its send. */
  readonly freezesBeforeSend: boolean;
}

/** One story as it was played. */
export interface Played {
  readonly violation: Violation | undefined;
  /** Empty where it was not recorded. */
  readonly steps: readonly Step[];
  readonly lines: readonly string[];
}

/** What a story is made of. */
export interface Script extends Liberties {
  readonly seed: number;
  /** The steps to take; left out, the seed chooses them. */
  readonly steps?: readonly Step[];
  readonly recorded: boolean;
}

/** Plays one story to its end, or to the first promise that does not hold. The same script, the same story. */
export async function play(script: Script): Promise<Played> {
  const random = new Random(script.seed);
  const weather = drawWeather(random, script.wrongVerdicts);
  const world = new World(script);
  open(world, weather, random);
  await drain();
  const steps = script.steps
    ? await replay(world, script.steps)
    : await choose(world, new Chooser(random, weather), weather.steps);
  if (world.promises.violation === undefined) await comeToRest(world);
  if (world.promises.violation === undefined) await judgeEnd(world);
  return { violation: world.promises.violation, steps, lines: world.lines };
}

function open(world: World, weather: Weather, random: Random): void {
  for (let n = 1; n <= weather.processes; n += 1) {
    const options: ProcessOptions = {
      skewMs: random.chance(0.5) ? weather.skewMs : -weather.skewMs,
      offersCheck: weather.check > 0,
      hears: weather.hears,
    };
    start(world, `p${n}`, options);
  }
}

async function choose(world: World, chooser: Chooser, count: number): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (let n = 0; n < count && world.promises.violation === undefined; n += 1) {
    const move: Move | undefined = chooser.next(world);
    if (move === undefined) continue;
    if (world.options.recorded) steps.push(move.step());
    await move.make();
    await drain();
  }
  return steps;
}

/** Takes the steps that can be taken; one that cannot is passed over. */
async function replay(world: World, script: readonly Step[]): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const step of script) {
    if (world.promises.violation !== undefined) break;
    const move = moveOf(world, step);
    if (move === undefined) continue;
    steps.push(step);
    await move.make();
    await drain();
  }
  return steps;
}
