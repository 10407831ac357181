import { type Played, play, type Script } from './play.ts';
import type { Step } from './step.ts';

/** How many stories are tried, at most, to find a shorter one. */
const mostTrials = 3000;

/**
 * Looks for a shorter story that breaks the same promise: leaves steps out, in ever smaller pieces
 * (delta debugging), as long as that helps.
 */
export async function shrink(script: Script, found: Played): Promise<Played> {
  let best = await play({ ...script, steps: found.steps, recorded: true });
  if (best.violation?.promise !== found.violation?.promise) return found;
  let trials = 0;
  const holds = async (steps: readonly Step[]): Promise<boolean> => {
    trials += 1;
    const tried = await play({ ...script, steps, recorded: true });
    if (tried.violation?.promise !== found.violation?.promise) return false;
    best = tried;
    return true;
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; ) {
    const before = best.steps.length;
    for (let at = best.steps.length - size; at > -size && trials < mostTrials; at -= size) {
      const from = Math.max(0, at);
      await holds([...best.steps.slice(0, from), ...best.steps.slice(from + size)]);
    }
    if (trials >= mostTrials) break;
    if (size > 1) size = Math.floor(size / 2);
    else if (best.steps.length === before) break;
  }
  return best;
}
