import type { Process } from './process.ts';
import type { World } from './world.ts';

/** How much may come up while time goes by; whatever is left then stays pending. */
const mostSteps = 200;

/**
 * Lets every promise run as far as it can by itself: Node runs a tick only once all microtasks are
 * done, so that what happens between two steps is the same each time.
 */
export function drain(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** How far time may go on at most: a process that runs is not late with its timers. */
export function longestWaitMs(world: World): number {
  let nextMs = Infinity;
  for (const process of world.processes.values()) {
    if (process.isRunning) nextMs = Math.min(nextMs, process.nextTimerMs);
  }
  return Math.max(0, nextMs - world.nowMs);
}

/** Lets time go on, as far as it may. */
export function wait(world: World, ms: number): void {
  world.nowMs += Math.min(ms, longestWaitMs(world));
  world.remote.expire();
}

/**
 * Lets time go by: timers fire, and what comes up because of that ends undisturbed; what was pending
 * before stays so.
 */
export async function pass(world: World, ms: number): Promise<void> {
  const untilMs = world.nowMs + ms;
  const before = new Set(world.agenda.possible());
  for (let step = 0; step < mostSteps && world.promises.violation === undefined; step += 1) {
    const news = world.agenda.possible().find((one) => !before.has(one));
    const due = late(world);
    if (news !== undefined) world.end(news, news.ends[0]);
    else if (due !== undefined) due.fireTimer();
    else if (world.nowMs < untilMs) wait(world, untilMs - world.nowMs);
    else return;
    await drain();
  }
}

/** A process that runs and has a timer due. */
function late(world: World): Process | undefined {
  for (const process of world.processes.values()) {
    if (process.isRunning && process.nextTimerMs <= world.nowMs) return process;
  }
  return undefined;
}
