import type { Happening } from './agenda.ts';
import { letEnd, type Move, moveOf, timerName } from './moves.ts';
import { times } from './numbers.ts';
import { longestWaitMs } from './passing.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import type { CallPlan, Manner, ProcessStep, Step } from './step.ts';
import type { Weather } from './weather.ts';
import type { World } from './world.ts';

/** Chooses, by its seed, what happens next. */
export class Chooser {
  readonly #random: Random;
  readonly #weather: Weather;
  #calls = 0;
  #steps = 0;
  /** Before which step something that is pending does not end, drawn when it is first seen. */
  readonly #notBefore = new WeakMap<Happening, number>();

  constructor(random: Random, weather: Weather) {
    this.#random = random;
    this.#weather = weather;
  }

  /** The next move; undefined where what was drawn cannot be done now. */
  next(world: World): Move | undefined {
    const random = this.#random;
    const weather = this.#weather;
    this.#steps += 1;
    const pending = world.agenda.possible().filter((one) => this.#isReady(one));
    const late = [...world.processes.values()].filter(
      (process) => process.isRunning && process.nextTimerMs <= world.nowMs,
    );
    const ready = pending.length + late.length;
    const callsLeft = weather.calls - this.#calls;
    const kind = random.weighed([
      ['let', ready > 0 ? 6 : 0],
      ['wait', ready > 0 ? weather.wait : 1],
      ['pass', ready > 0 ? weather.pass : 2],
      ['call', callsLeft > 0 ? callWeight(world, ready) : 0],
      ['crash', weather.crash],
      ['restart', 0.5],
      ['pause', weather.pause],
      ['resume', 0.5],
      ['close', weather.close],
      ['cancel', weather.cancel],
      ['reconcile', weather.reconcile],
      ['check', weather.check],
      ['webhook', weather.webhook],
      ['verdict', weather.verdict],
      ['wrong verdict', weather.wrongVerdicts],
      ['set_clock', weather.setClock],
    ] as const);
    if (kind === 'let') return this.#let(world, pending, late);
    const step = this.#step(world, kind ?? 'wait');
    return step && moveOf(world, step);
  }

  #let(world: World, pending: readonly Happening[], late: readonly Process[]): Move | undefined {
    const random = this.#random;
    const first = random.chance(this.#weather.order);
    const at = first ? 0 : random.below(pending.length + late.length);
    const happening = pending[at];
    if (happening !== undefined) return letEnd(world, happening, this.#end(happening));
    const process = late[at - pending.length];
    return process && moveOf(world, { do: 'let', what: timerName(process), end: 'fires' });
  }

  #isReady(happening: Happening): boolean {
    const random = this.#random;
    const known = this.#notBefore.get(happening);
    if (known !== undefined) return known <= this.#steps;
    const { slowLedger, slowRemote } = this.#weather;
    const slow = happening.where === 'ledger' ? slowLedger : slowRemote;
    const heldFor = random.chance(slow) ? 5 + random.below(50) : 0;
    this.#notBefore.set(happening, this.#steps + heldFor);
    return heldFor === 0;
  }

  #end({ ends, where }: Happening): string {
    const random = this.#random;
    const { ledgerTrouble, remoteTrouble } = this.#weather;
    const trouble = where === 'ledger' ? ledgerTrouble : remoteTrouble;
    return random.chance(trouble) ? (random.pick(ends) ?? ends[0]) : ends[0];
  }

  #step(world: World, kind: string): Step | undefined {
    const random = this.#random;
    const process = random.pick([...world.processes.keys()]) ?? '';
    const open = world.calls.filter(({ told }) => (told?.outcome ?? 'unknown') === 'unknown');
    const call = random.pick(random.chance(0.8) ? open : world.calls)?.plan.n ?? 0;
    switch (kind) {
      case 'wait':
        return this.#wait(world);
      case 'pass':
        return { do: 'pass', ms: this.#ahead(world, Infinity) };
      case 'call':
        return { do: 'call', process, call: this.#plan(world) };
      case 'cancel':
        return { do: 'cancel', call };
      case 'check':
        return { do: 'check', process, call };
      case 'webhook':
        return {
          do: 'webhook',
          process,
          request: random.pick(world.remote.effects)?.request.n ?? 0,
        };
      case 'verdict':
      case 'wrong verdict':
        return { do: 'verdict', process, call, wrong: kind === 'wrong verdict' };
      case 'set_clock':
        return { do: 'set_clock', process, ms: random.pick([-3_600_000, 0, 3_600_000]) ?? 0 };
      default:
        return { do: kind as ProcessStep, process };
    }
  }

  /** To the next moment at which something may change, or a little further. */
  #wait(world: World): Step {
    const longestMs = longestWaitMs(world);
    if (this.#random.chance(0.1)) return { do: 'wait', ms: 1 + this.#random.below(2000) };
    return { do: 'wait', ms: Math.min(longestMs, this.#ahead(world, longestMs)) };
  }

  /** How far ahead one of the moments lies at which something may change. */
  #ahead(world: World, longestMs: number): number {
    const moments = [...momentsOf(world)]
      .map((atMs) => atMs - world.nowMs)
      .filter((ms) => ms > 0 && ms < longestMs);
    if (Number.isFinite(longestMs)) moments.push(longestMs, longestMs);
    return this.#random.pick(moments) ?? 15_000;
  }

  /** Often the same again, or nearly so: that is where promises are kept or broken. */
  #plan(world: World): CallPlan {
    const random = this.#random;
    this.#calls += 1;
    const n = this.#calls;
    const earlier = this.#earlier(world);
    const manner = this.#manner();
    const reason = random.pick(['', 'damaged', 'was damaged']) ?? '';
    const turn = n > 2 && random.chance(0.5) ? 2 : 1;
    if (earlier !== undefined) {
      const isOther = random.chance(0.3);
      const amount = isOther ? 3999 - earlier.amount : earlier.amount;
      const mayRepeat = earlier.tool === 'parcel' && !isOther && random.chance(0.4);
      const occurrence = mayRepeat ? 2 : 1;
      return { ...earlier, n, amount, reason, turn, occurrence, manner };
    }
    const kind = random.pick(this.#weather.kinds);
    const order = random.chance(0.8) ? 1 : 2;
    const amount = random.chance(0.7) ? 2000 : 1999;
    const tool = kind?.name ?? '';
    const scope = random.chance(0.9) ? 'talk' : 'another talk';
    return { n, tool, scope, order, amount, reason, occurrence: 1, turn, manner };
  }

  /** A call to repeat: most of all one of which the outcome is open. */
  #earlier(world: World): CallPlan | undefined {
    const random = this.#random;
    const open = world.calls.filter(({ told }) => told?.outcome === 'unknown');
    if (open.length > 0 && random.chance(0.6)) return random.pick(open)?.plan;
    return random.chance(0.75) ? random.pick(world.calls)?.plan : undefined;
  }

  #manner(): Manner {
    const random = this.#random;
    const isOdd = (): boolean => random.chance(this.#weather.manners);
    const before = isOdd() ? random.pick(befores) : 'sends';
    const after = isOdd()
      ? random.pick(['throws', 'says failed', 'does not wait'] as const)
      : undefined;
    return {
      before: before ?? 'sends',
      connects: isOdd() && random.chance(0.5),
      after: after ?? 'is truthful',
    };
  }
}

/** Of what a tool may do before it sends, most often what takes time. */
const befores = ['thinks', 'thinks', 'thinks and ignores its signal', 'refuses', 'throws'] as const;

/** When something may change of which no timer of a process tells. */
function* momentsOf(world: World): Generator<number> {
  for (const { state, deadlineMs } of world.remote.requests) {
    if (state !== 'on its way') continue;
    yield deadlineMs - 1;
    yield deadlineMs;
  }
  for (const entry of world.entries.values()) {
    if (entry.leaseUntilMs !== null) yield entry.leaseUntilMs;
    if (entry.sendByMs !== null) yield entry.sendByMs;
    if (entry.patientUntilMs !== null) yield entry.patientUntilMs;
    if (entry.askAtMs !== null) yield entry.askAtMs;
    if (entry.settledAtMs !== null) yield entry.settledAtMs + times.replayMs;
    if (entry.toldAtMs !== null) yield entry.toldAtMs + times.replayMs;
    if (entry.firstSentAtMs !== null) yield entry.firstSentAtMs + times.remoteKeyMs;
  }
}

/** A model calls again once it was told; it also calls side by side. */
function callWeight(world: World, ready: number): number {
  const isOpen = world.calls.some(({ told, process }) => told === undefined && !process.isDead);
  if (!isOpen) return 4;
  return ready > 0 ? 0.7 : 3;
}
