import type { Entry } from '../../ledger/entry.ts';
import type { CallRecord } from './acts.ts';
import type { Request } from './remote.ts';
import { kinds } from './tools.ts';
import type { World } from './world.ts';

/** Holds what a story came to against what is promised of its end. */
export async function judgeEnd(world: World): Promise<void> {
  for (const call of world.calls) {
    if (call.told === undefined && !call.process.isDead) {
      world.promises.broken('told_in_time', `call ${call.plan.n} is never told anything`);
    }
  }
  for (const entry of await world.store.list({ limit: 1000 })) {
    if (isOpen(entry)) judgeOpen(world, entry);
    else if (entry.state !== 'claimed') judgeSettled(world, entry);
  }
}

function isOpen({ state, restsOn }: Entry): boolean {
  if (state === 'claimed') return restsOn === 'unknown';
  return state === 'unknown' || state === 'dispatched';
}

function judgeOpen(world: World, entry: Entry): void {
  const kind = kinds.find(({ name }) => name === entry.tool);
  const name = world.nameOfKey(entry.key);
  if (kind?.asked === true) {
    world.promises.broken(
      'settled_in_the_end',
      `${name} stays ${entry.state} though it was asked about`,
    );
    return;
  }
  const requests = requestsOf(world, entry);
  if (requests.some(isAnswered)) {
    world.promises.broken(
      'settled_in_the_end',
      `${name} stays ${entry.state} though it was answered`,
    );
  }
  const hasLost = callsOf(world, entry).some(({ process }) => process.isDead);
  if (requests.length === 0 && !hasLost && !world.wasAskedAgain(entry.key)) {
    world.promises.broken(
      'settled_in_the_end',
      `${name} stays ${entry.state} though nothing was sent`,
    );
  }
}

function judgeSettled(world: World, entry: Entry): void {
  const { key, state } = entry;
  const { promises } = world;
  if (promises.isMisjudged(key)) return;
  const name = world.nameOfKey(key);
  const didHappen = requestsOf(world, entry).some((request) => request.state === 'done');
  if (state === 'ok' && !didHappen)
    promises.broken('ok_has_proof', `${name} is ok in the end, and is not`);
  if (state === 'failed' && didHappen) {
    promises.broken('failed_is_true', `${name} is failed in the end, and it happened`);
  }
  if (isUnheard(world, entry)) {
    promises.broken('settlement_told', `${name} is ${state}, of which nobody heard`);
  }
}

/** Whether somebody was left with another word than the one that it came to. */
function isUnheard(world: World, entry: Entry): boolean {
  // Whoever was told by a process that died right then, did not hear of it.
  if (callsOf(world, entry).some(({ told, process }) => !told && process.isDead)) return false;
  if (world.promises.isOvertaken(entry.key)) return false;
  const hearings = world.promises.hearingsOf(entry.key);
  // An attempt that sent nothing came after the one that was told unknown and heard to be done.
  const sentNothing = entry.state === 'failed' && requestsOf(world, entry).length === 0;
  if (sentNothing && hearings.some(({ of }) => of === 'ok')) return false;
  const last = hearings.at(-1)?.of;
  const isStale = last === 'unknown' || (last === 'not done' && entry.state === 'ok');
  const isTold = hearings.some(
    ({ of, atMs }) =>
      of !== 'unknown' &&
      (of === 'ok') === (entry.state === 'ok') &&
      atMs >= (entry.settledAtMs ?? 0),
  );
  return isStale && !isTold;
}

function requestsOf(world: World, { key, generation }: Entry): readonly Request[] {
  return world.remote.requests.filter(
    ({ act, grant }) => act.key === key && grant.generation === generation,
  );
}

function callsOf(world: World, { key }: Entry): readonly CallRecord[] {
  return world.calls.filter((call) => call.key === key || call.acts.some((act) => act.key === key));
}

/** Whether proof reached code that lived on and told the truth about it. */
function isAnswered({ wasAnswered, process, act }: Request): boolean {
  const after = act.call?.plan.manner.after ?? 'is truthful';
  return wasAnswered && !process.isDead && after === 'is truthful';
}
