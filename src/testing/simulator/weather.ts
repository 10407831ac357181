import type { Random } from './random.ts';
import { kinds, type ToolKind } from './tools.ts';

/**
 * What one story is inclined to. Each is drawn anew for each seed, and much of it is left out in each:
 * what is rare among everything comes up soon among a few things.
 */
export interface Weather {
  readonly processes: number;
  readonly calls: number;
  /** How many steps the rough part of a story takes. */
  readonly steps: number;
  readonly kinds: readonly ToolKind[];
  /** How far the wall clocks of processes may be off. */
  readonly skewMs: number;
  readonly hears: boolean;
  /** How often what is oldest comes first. */
  readonly order: number;
  /** How often something takes long on its way, so that many other things happen first. */
  readonly slowLedger: number;
  readonly slowRemote: number;
  /** How often something that is pending ends otherwise than undisturbed. */
  readonly ledgerTrouble: number;
  readonly remoteTrouble: number;
  /** How often the code of a tool is other than plain. */
  readonly manners: number;
  /** How often time goes on though something is pending. */
  readonly wait: number;
  /** How often it goes by for long. */
  readonly pass: number;
  readonly crash: number;
  readonly pause: number;
  readonly close: number;
  readonly cancel: number;
  readonly reconcile: number;
  readonly check: number;
  readonly webhook: number;
  readonly verdict: number;
  readonly wrongVerdicts: number;
  readonly setClock: number;
}

/** Draws the weather of one story. */
export function drawWeather(random: Random, wrongVerdicts: boolean): Weather {
  const sometimes = (values: readonly number[]): number =>
    random.chance(0.5) ? 0 : (random.pick(values) ?? 0);
  const few = random.chance(0.7) ? 1 + random.below(2) : kinds.length;
  return {
    processes: random.pick([1, 2, 2, 3]) ?? 2,
    calls: 2 + random.below(7),
    steps: 30 + random.below(90),
    kinds: few === kinds.length ? kinds : drawKinds(random, few),
    skewMs: random.chance(0.3) ? 3_600_000 : 0,
    hears: random.chance(0.4),
    order: random.pick([0, 0.3, 0.7]) ?? 0.3,
    slowLedger: sometimes([0.03, 0.1, 0.2]),
    slowRemote: random.pick([0, 0.2, 0.5]) ?? 0.2,
    ledgerTrouble: sometimes([0.03, 0.1, 0.25]),
    remoteTrouble: random.pick([0.05, 0.3, 0.6]) ?? 0.3,
    manners: sometimes([0.3, 0.7]),
    wait: random.pick([0.02, 0.1, 0.5]) ?? 0.1,
    pass: random.pick([0.05, 0.2, 0.6]) ?? 0.2,
    crash: sometimes([0.1, 0.4]),
    pause: sometimes([0.3, 1]),
    close: sometimes([0.1]),
    cancel: sometimes([0.2, 0.6]),
    reconcile: sometimes([0.2, 0.8]),
    check: random.chance(0.15) ? 0.3 : 0,
    webhook: sometimes([0.3]),
    verdict: sometimes([0.1, 0.5]),
    wrongVerdicts: wrongVerdicts ? sometimes([0.3, 1]) : 0,
    setClock: sometimes([0.1]),
  };
}

function drawKinds(random: Random, count: number): readonly ToolKind[] {
  const first = random.below(kinds.length);
  return kinds.filter((_, at) => (at - first + kinds.length) % kinds.length < count);
}
