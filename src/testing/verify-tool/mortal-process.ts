import type { Clock } from '../../call/clock.ts';
import type { AnyTool } from '../../call/tool.ts';
import { createRetryBudget } from '../../http/retry-budget.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { ReportCode } from '../../runtime/events.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** Called before a step of the ledger is done, and after it. What it returns is waited for. */
export type LedgerHook = (method: keyof Ledger, when: 'before' | 'after') => unknown;

/** What a process is started with. */
export interface ProcessPlan {
  readonly tool: AnyTool;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** What `reconcile` is given. */
  readonly context: unknown;
  readonly timeoutMs: number;
  readonly leaseMs: number;
  readonly hook: LedgerHook;
}

const never = new Promise<never>(() => undefined);
/** No step of the ledger is given up by a clock that jumps. */
const ledgerMs = 2 ** 40;

/** A runtime that can die as a process does: whatever it waits for never comes, and no timer of its fires. */
export class MortalProcess {
  readonly runtime: Runtime<readonly AnyTool[]>;
  readonly reports: ReportCode[] = [];
  readonly #timers = new Set<() => void>();
  #isDead = false;

  constructor(plan: ProcessPlan) {
    const silent = (): void => undefined;
    this.runtime = createRuntime({
      tools: [plan.tool],
      ledger: this.#mortal(plan.ledger, plan.hook),
      clock: this.#clock(plan.clock),
      logger: { info: silent, warn: silent, error: silent },
      contextFor: () => plan.context,
      timeoutMs: plan.timeoutMs,
      leaseMs: plan.leaseMs,
      ledgerMs,
      waitMs: plan.timeoutMs,
      reconcileEveryMs: false,
      http: { retry: { baseMs: 1 }, budget: createRetryBudget({ tokens: 1_000_000 }) },
    });
    this.runtime.on((event) => {
      if (event.type === 'report') this.reports.push(event.code);
    });
  }

  die(): void {
    this.#isDead = true;
    for (const callOff of this.#timers) callOff();
  }

  #mortal(ledger: Ledger, hook: LedgerHook): Ledger {
    const methods = Object.entries(ledger).map(([name, method]) => [
      name,
      async (...args: unknown[]): Promise<unknown> => {
        const step = name as keyof Ledger;
        await hook(step, 'before');
        if (this.#isDead) return never;
        const answer: unknown = await method(...args);
        await hook(step, 'after');
        return this.#isDead ? never : answer;
      },
    ]);
    return Object.fromEntries(methods) as Ledger;
  }

  #clock(clock: Clock): Clock {
    return {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, task, kind) => {
        if (this.#isDead) return () => undefined;
        const callOff = clock.after(
          delayMs,
          () => {
            this.#timers.delete(callOff);
            task();
          },
          kind,
        );
        this.#timers.add(callOff);
        return () => {
          this.#timers.delete(callOff);
          callOff();
        };
      },
    };
  }
}
