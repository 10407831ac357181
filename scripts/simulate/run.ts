import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SimulateOptions, Simulation } from '../../src/testing/simulator/simulate.ts';
import { bundle } from './bundle.ts';
import { type Mutant, mutants } from './mutants.ts';

const threads: number = Math.max(1, Math.min(8, availableParallelism()));

/** How many stories one worker is given at a time. */
const batch = 1000;

/** What became of the search for a story in which a mutant breaks a promise. */
export interface Hunt {
  readonly mutant: Mutant;
  readonly simulation: Simulation;
}

/** Simulates in a thread of its own, from the text of a bundle. */
function simulateIn(script: string, options: SimulateOptions): Promise<Simulation> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { eval: true, workerData: options });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A worker ended early, with ${code}.`)));
  });
}

/** Tries many stories on all processors; resolves to the first that breaks a promise, if one does. */
export async function simulateMany(options: {
  readonly seed: number;
  readonly stories: number;
  readonly wrongVerdicts: boolean;
}): Promise<Simulation> {
  const script = await bundle();
  const { seed, stories, wrongVerdicts } = options;
  const starts = Array.from({ length: Math.ceil(stories / batch) }, (_, at) => seed + at * batch);
  let found: Simulation | undefined;
  await inParallel(starts, async (start) => {
    if (found !== undefined) return;
    const count = Math.min(batch, seed + stories - start);
    const simulation = await simulateIn(script, { seed: start, stories: count, wrongVerdicts });
    if (!simulation.ok) found ??= simulation;
  });
  return found ?? { ok: true, stories };
}

/** Looks, for each mutant, for a story that shows what its guard is for: in `stories` of them at most. */
export async function huntAll(options: {
  readonly seed: number;
  readonly stories: number;
  /** Whether what is found is made short. */
  readonly shrink: boolean;
  readonly onHunt?: (hunt: Hunt) => void;
}): Promise<readonly Hunt[]> {
  const { seed, stories, shrink, onHunt } = options;
  const hunts: Hunt[] = [];
  await inParallel(mutants, async (mutant) => {
    const script = await bundle(mutant.patches);
    const { wrongVerdicts = false } = mutant;
    const simulation = await simulateIn(script, { seed, stories, wrongVerdicts, shrink });
    const hunt = { mutant, simulation };
    hunts.push(hunt);
    onHunt?.(hunt);
  });
  return hunts;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: threads }, lane));
}
