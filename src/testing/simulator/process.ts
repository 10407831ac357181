import type { Clock } from '../../call/clock.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Settlement } from '../../runtime/settlements.ts';
import type { Grant } from './acts.ts';
import { ledgerPort } from './ledger-port.ts';
import { times } from './numbers.ts';
import { simulatedTools } from './tools.ts';
import type { World } from './world.ts';

interface Timer {
  readonly dueMs: number;
  readonly isIdle: boolean;
  readonly task: () => void;
}

/** What a simulated process is started with. */
export interface ProcessOptions {
  /** How far its wall clock is off. */
  readonly skewMs: number;
  readonly offersCheck: boolean;
  /** Whether the host listens to settlements there. */
  readonly hears: boolean;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * One process from its start to its crash, with a real runtime in it. It is reached only through what
 * its ports hand on, so that once it is dead nothing of it ever runs again.
 */
export class Process {
  readonly name: string;
  readonly options: ProcessOptions;
  readonly runtime: Runtime;
  readonly startedMs: number;
  #listens = false;
  isDead = false;
  isPaused = false;
  isClosing = false;
  /** Whether it ever stood still, so that nothing is promised of how long its calls took. */
  wasPaused = false;
  #skewMs: number;
  readonly #world: World;
  readonly #timers = new Set<Timer>();
  /** What the ledger granted it, by key. */
  readonly #grants = new Map<string, Grant>();

  constructor(world: World, name: string, options: ProcessOptions) {
    this.#world = world;
    this.name = name;
    this.options = options;
    this.#skewMs = options.skewMs;
    this.startedMs = world.nowMs;
    this.runtime = createRuntime({
      tools: simulatedTools,
      ledger: ledgerPort(world, this),
      clock: this.#clock(),
      logger: silent,
      ledgerMs: times.ledgerMs,
      leaseMs: times.leaseMs,
      waitMs: times.waitMs,
      checkWrite: options.offersCheck,
      reconcileEveryMs: false,
      contextFor: () => ({ world, process: this }),
    }) as Runtime;
    if (options.hears) this.listen();
  }

  get isRunning(): boolean {
    return !this.isDead && !this.isPaused;
  }

  /** How far its wall clock is behind the ledger's. */
  get slownessMs(): number {
    return Math.max(0, -this.#skewMs);
  }

  /** When its next timer is due; Infinity where there is none. */
  get nextTimerMs(): number {
    return this.#next()?.dueMs ?? Infinity;
  }

  /** The same, without timers that need not go off for the process to come to rest. */
  get nextBusyTimerMs(): number {
    return this.#next((timer) => !timer.isIdle)?.dueMs ?? Infinity;
  }

  /** Fires the timer that is due first; a process that stood still fires them late, and in order. */
  fireTimer(): void {
    const timer = this.#next();
    if (timer === undefined || timer.dueMs > this.#world.nowMs) return;
    this.#timers.delete(timer);
    timer.task();
  }

  setClock(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  granted(key: string, grant: Grant): void {
    this.#grants.set(key, grant);
  }

  grantFor(key: string, nowMs: number): Grant {
    return this.#grants.get(key) ?? { token: 0, generation: 0, claimedMs: nowMs };
  }

  /** The host there listens to settlements from now on. */
  listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    this.runtime.onSettled((settlement) => this.#hear(settlement));
  }

  pause(): void {
    this.isPaused = true;
    this.wasPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** Shuts down in good order, and ends. */
  close(): void {
    this.isClosing = true;
    void this.runtime.close({ graceMs: 5000 }).then(() => this.crash());
  }

  /** Nothing of it runs any more; what it has sent is on its way all the same. */
  crash(): void {
    this.isDead = true;
    this.#timers.clear();
    this.#world.agenda.forget(this);
  }

  #next(isMeant: (timer: Timer) => boolean = () => true): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (isMeant(timer) && (first === undefined || timer.dueMs < first.dueMs)) first = timer;
    }
    return first;
  }

  #clock(): Clock {
    return {
      nowMs: () => this.#world.nowMs + this.#skewMs,
      monotonicMs: () => this.#world.nowMs - this.startedMs,
      after: (delayMs, task, kind) => {
        if (this.isDead) return () => undefined;
        const dueMs = this.#world.nowMs + Math.max(0, delayMs);
        const timer: Timer = { dueMs, task, isIdle: kind === 'idle' };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
    };
  }

  #hear(settlement: Settlement): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#world.agenda.add({
        words: () => `${this.name}'s host hears of ${this.#world.nameOfKey(settlement.key)}`,
        where: 'host',
        owner: this,
        ends: ['is heard', 'fails'],
        happen: (end) => {
          if (end === 'fails') return reject(new Error('the host failed'));
          this.#world.promises.heard(settlement);
          resolve();
        },
      });
    });
  }
}
