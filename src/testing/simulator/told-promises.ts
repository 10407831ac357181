import type { JsonObject } from '../../call/json.ts';
import type { Result } from '../../call/result.ts';
import type { CallRecord } from './acts.ts';
import { times } from './numbers.ts';
import type { Request } from './remote.ts';
import type { World } from './world.ts';

/** Holds what a call was told against what became of its requests. */
export function judgeTold(world: World, call: CallRecord, result: Result): void {
  const { n } = call.plan;
  const requests = call.acts.flatMap((act) => act.requests);
  judgeTime(world, call);
  if (call.key !== undefined) world.promises.hears(call.key, result.outcome);
  switch (result.outcome) {
    case 'failed': {
      const open = requests.find(({ state }) => state !== 'over');
      if (open === undefined) return;
      // Told because of a verdict, and not because of what became of the call itself.
      if (result.code === 'confirmed_not_done' && world.promises.isMisjudged(call.key ?? ''))
        return;
      const how = open.state === 'done' ? 'took effect' : 'may take effect';
      world.promises.broken(
        'failed_is_true',
        `call ${n} is told failed; its request ${open.n} ${how}`,
      );
      return;
    }
    case 'ok':
      judgeOk(world, call, requests, result.data);
      return;
    case 'already_done':
      judgeAlreadyDone(world, call, result.data);
      return;
    case 'skipped':
      if (!world.wasAnotherOpen(call)) {
        world.promises.broken(
          'skipped_is_true',
          `call ${n} is told skipped, and no other is running`,
        );
      }
  }
}

function judgeOk(
  world: World,
  call: CallRecord,
  requests: readonly Request[],
  data: unknown,
): void {
  const { n, manner } = call.plan;
  const wires = new Set(requests.map(({ wire }) => wire));
  const own = world.remote.effects.filter(
    ({ request, wasToldOk }) =>
      !wasToldOk && request.act.intent === call.intent && wires.has(request.wire),
  );
  const told = confirmationOf(data);
  // Where an idempotent write ran again, each of its effects belongs to the call that sent it.
  const effect =
    own.find(({ confirmation }) => confirmation === told) ??
    own.find(({ request }) => requests.includes(request)) ??
    own[0];
  if (effect === undefined) {
    world.promises.broken('ok_has_proof', `call ${n} is told ok without an effect`);
    return;
  }
  effect.wasToldOk = true;
  if (manner.after !== 'does not wait' && told !== effect.confirmation) {
    world.promises.broken('first_answer', `call ${n} is told ok with ${JSON.stringify(data)}`);
  }
}

function judgeAlreadyDone(world: World, call: CallRecord, data: unknown): void {
  const { n } = call.plan;
  const own = world.remote.effects.filter(({ request }) => request.act.intent === call.intent);
  if (own.length === 0) {
    world.promises.broken('ok_has_proof', `call ${n} is told already_done, and it is not`);
    return;
  }
  const isBare = own.some(({ request }) => request.act.call?.plan.manner.after === 'does not wait');
  const isFirst = own.some(({ confirmation }) => confirmation === confirmationOf(data));
  if (!isFirst && !isBare) {
    world.promises.broken(
      'first_answer',
      `call ${n} is told already_done with ${JSON.stringify(data)}`,
    );
  }
}

function judgeTime(world: World, { plan, process, startedMs, acts }: CallRecord): void {
  const tookMs = world.nowMs - startedMs;
  const ranMs = world.nowMs - (acts.at(-1)?.startedMs ?? world.nowMs);
  if (process.wasPaused) return;
  if (tookMs <= times.longestCallMs && ranMs <= times.longestRunMs) return;
  world.promises.broken(
    'told_in_time',
    `call ${plan.n} took ${tookMs / 1000} s, ${ranMs / 1000} s of them to run`,
  );
}

function confirmationOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null ? (data as JsonObject).confirmation : undefined;
}
