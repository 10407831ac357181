import { parseArgs } from 'node:util';
import { optionsOrUsage, wholeNumber } from '../options.ts';
import { mutants } from './mutants.ts';
import { type Hunt, huntAll, simulateMany } from './run.ts';

/*
 * npm run simulate -- --seeds 100000             tries many stories
 * npm run simulate -- --seed 42                  tells what one seed comes to
 * npm run simulate -- --mutants                  takes each guard out and looks for a story that misses it
 */
const usage = `Usage: npm run simulate -- [options]
  --seeds N          how many stories are tried, each with the next seed (1 with --seed, else 10000);
                     with --mutants, how many at most for each mutant (20000)
  --seed S           the first story's seed (1)
  --mutants          looks for a story that breaks a promise once a guard is taken out, guard by guard
  --wrong-verdicts   operators may be wrong`;

interface Options {
  readonly seeds: number;
  readonly seed: number;
  readonly mutants: boolean;
  readonly wrongVerdicts: boolean;
}

/** Throws a `TypeError` or a `RangeError` that names the option that is wrong. */
function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      seed: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      'wrong-verdicts': { type: 'boolean', default: false },
    },
  });
  const usual = values.mutants ? 20_000 : values.seed === undefined ? 10_000 : 1;
  return {
    seeds: wholeNumber('--seeds', values.seeds ?? String(usual), 1),
    seed: wholeNumber('--seed', values.seed ?? '1', 0),
    mutants: values.mutants,
    wrongVerdicts: values['wrong-verdicts'],
  };
}

async function simulateAll({ seed, seeds, wrongVerdicts }: Options): Promise<boolean> {
  const simulation = await simulateMany({ seed, stories: seeds, wrongVerdicts });
  if (simulation.ok) {
    console.log(`${seeds} stories from seed ${seed}: no promise is broken.`);
    return true;
  }
  const { story, violation } = simulation;
  console.log(
    `${story}\n\nSeed ${simulation.seed} breaks ${violation.promise}: ${violation.what}.`,
  );
  const more = wrongVerdicts ? ' --wrong-verdicts' : '';
  console.log(`To see it again: npm run simulate -- --seed ${simulation.seed}${more}`);
  return false;
}

async function huntMutants({ seed, seeds }: Options): Promise<boolean> {
  console.log(`${'without'.padEnd(54)}${'stories'.padStart(8)}  what is broken`);
  const hunts = await huntAll({ seed, stories: seeds, shrink: false, onHunt: sayHunt });
  const missed = hunts.filter(({ simulation }) => simulation.ok);
  console.log(`${mutants.length - missed.length} of ${mutants.length} are found.`);
  return missed.length === 0;
}

function sayHunt({ mutant, simulation }: Hunt): void {
  const found = simulation.ok
    ? 'NOTHING FOUND'
    : `${simulation.violation.promise}: ${simulation.violation.what}`;
  console.log(`${mutant.name.padEnd(54)}${String(simulation.stories).padStart(8)}  ${found}`);
}

const options = optionsOrUsage(usage, readOptions);
if (
  options !== undefined &&
  !(await (options.mutants ? huntMutants(options) : simulateAll(options)))
) {
  process.exitCode = 1;
}
