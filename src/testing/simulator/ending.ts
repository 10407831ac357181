import { start } from './moves.ts';
import { times } from './numbers.ts';
import { drain, wait } from './passing.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** How often everything open is asked about, an asking's pause apart, before a story is over. */
const rounds = 12;
const longestEndingSteps = 5000;

/**
 * Brings a story to its end: what stands still goes on, what died is started anew, nothing is lost any
 * more, and whatever is open is asked about until all is quiet.
 */
export async function comeToRest(world: World): Promise<void> {
  world.tell(() => 'from now on nothing goes wrong any more');
  for (let round = 0; round < rounds && world.promises.violation === undefined; round += 1) {
    heal(world);
    await settleDown(world);
    for (const process of running(world)) {
      void process.runtime.reconcile().catch(() => undefined);
      await drain();
      await settleDown(world);
    }
    if (round > 0 && !hasOpen(world)) return;
    wait(world, 0);
    world.nowMs = nextAskingMs(world);
    world.remote.expire();
    await settleDown(world);
  }
}

function heal(world: World): void {
  for (const process of [...world.processes.values()]) {
    if (process.isDead) start(world, process.name, process.options).listen();
    else {
      process.resume();
      process.listen();
    }
  }
}

function running(world: World): readonly Process[] {
  return [...world.processes.values()].filter(({ isDead }) => !isDead);
}

/** Everything that is pending ends undisturbed, and time goes on until every call was told. */
async function settleDown(world: World): Promise<void> {
  for (let step = 0; step < longestEndingSteps; step += 1) {
    if (world.promises.violation !== undefined) return;
    const happening = world.agenda.possible()[0];
    if (happening !== undefined) world.end(happening, happening.ends[0]);
    else if (!passTime(world)) return;
    await drain();
  }
  world.promises.broken('told_in_time', 'the world does not come to rest');
}

/** Fires what is due, or goes to what is due next; false where nobody waits for anything. */
function passTime(world: World): boolean {
  const due = running(world).find(({ nextTimerMs }) => nextTimerMs <= world.nowMs);
  if (due !== undefined) {
    due.fireTimer();
    return true;
  }
  const nextMs = Math.min(...running(world).map(({ nextBusyTimerMs }) => nextBusyTimerMs));
  if (!Number.isFinite(nextMs)) return false;
  world.nowMs = Math.max(world.nowMs, nextMs);
  world.remote.expire();
  return true;
}

function hasOpen(world: World): boolean {
  return [...world.entries.values()].some(
    ({ state, restsOn }) =>
      state === 'unknown' ||
      state === 'dispatched' ||
      (state === 'claimed' && restsOn === 'unknown'),
  );
}

/** When an entry that is open may be asked about, or counts as left, or as not having happened. */
function nextAskingMs(world: World): number {
  let nextMs = world.nowMs + times.leaseMs;
  for (const { askAtMs, patientUntilMs, leaseUntilMs } of world.entries.values()) {
    nextMs = Math.max(nextMs, askAtMs ?? 0, patientUntilMs ?? 0, leaseUntilMs ?? 0);
  }
  return Math.min(nextMs, world.nowMs + 2 * 3_600_000);
}
