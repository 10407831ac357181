import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Order, Report, WorkerPlan } from './worker.ts';

/** What a caller hears of one call; `died`: its worker was killed before it answered. */
export interface Telling {
  readonly outcome: string;
  readonly code: string;
  readonly summary: string;
}

const program = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Heard instead of an answer where there is no worker to give one. */
export const died: Telling = { outcome: 'died', code: 'died', summary: '' };

/** One place at which a worker process works, and another one after that was killed. */
export class Worker {
  kills = 0;
  pauses = 0;
  /** How often a process ended though nobody killed it. */
  crashes = 0;
  readonly #plan: WorkerPlan;
  readonly #waiting = new Map<number, (telling: Telling) => void>();
  #child: ChildProcess | undefined;
  #ready = false;
  #ended = false;
  #n = 0;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  /** Starts a process; resolves when it takes calls, or has ended before that. */
  async start(): Promise<void> {
    if (this.#ended) return;
    // Each process makes choices of its own.
    const plan: WorkerPlan = { ...this.#plan, seed: this.#plan.seed + this.kills * 1_000 };
    const child = fork(program, [JSON.stringify(plan)], { execArgv: ['--import', 'tsx'] });
    this.#child = child;
    const exited = once(child, 'exit').then(([, signal]) => this.#bury(signal));
    await new Promise<void>((resolve) => {
      child.on('message', (report: Report) => {
        if ('ready' in report) {
          this.#ready = true;
          resolve();
        } else this.#hear(report);
      });
      void exited.then(resolve);
    });
  }

  /** Never rejects. */
  call(tool: string, text: string): Promise<Telling> {
    const child = this.#child;
    if (!this.#ready || child === undefined) return Promise.resolve(died);
    this.#n += 1;
    const order: Order = { n: this.#n, tool, text };
    return new Promise((resolve) => {
      this.#waiting.set(order.n, resolve);
      child.send(order, () => undefined);
    });
  }

  /** Kills the process at once, and starts another one after a while. */
  async kill(pauseMs: number): Promise<void> {
    const child = this.#child;
    if (!this.#ready || child === undefined) return;
    this.kills += 1;
    this.#ready = false;
    child.kill('SIGKILL');
    await once(child, 'exit');
    await sleep(pauseMs);
    await this.start();
  }

  /** Freezes the process for a while, wherever it is. */
  async pause(forMs: number): Promise<void> {
    const child = this.#child;
    if (!this.#ready || child === undefined) return;
    this.pauses += 1;
    child.kill('SIGSTOP');
    await sleep(forMs);
    child.kill('SIGCONT');
  }

  /** Ends the process for good. */
  end(): void {
    this.#ended = true;
    this.#ready = false;
    this.#child?.kill('SIGKILL');
  }

  #hear({ n, ...telling }: Extract<Report, { n: number }>): void {
    this.#waiting.get(n)?.(telling);
    this.#waiting.delete(n);
  }

  #bury(signal: unknown): void {
    if (signal !== 'SIGKILL') this.crashes += 1;
    this.#ready = false;
    for (const tell of this.#waiting.values()) tell(died);
    this.#waiting.clear();
  }
}
