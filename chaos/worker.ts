import { createRetryBudget } from '../src/http/index.ts';
import { createRuntime, type Ledger } from '../src/index.ts';
import { Random } from '../src/testing/simulator/random.ts';
import { openLedger, type Place } from './store.ts';
import { billingTools, timesAt } from './tools.ts';

/** What a worker is started with, as JSON in its first argument. */
export interface WorkerPlan {
  readonly place: Place;
  readonly billing: string;
  readonly seed: number;
  /** See `timesAt`. */
  readonly pace: number;
}

/** A call that a worker is to make. */
export interface Order {
  readonly n: number;
  readonly tool: string;
  readonly text: string;
}

/** What the worker was told of it, or that it is ready for calls. */
export type Report =
  | { readonly ready: true }
  | {
      readonly n: number;
      readonly outcome: string;
      readonly code: string;
      readonly summary: string;
    };

const plan = JSON.parse(process.argv[2] ?? '{}') as WorkerPlan;
const times = timesAt(plan.pace);
const ledger = openLedger(plan.place);
const impatient: Ledger = {
  ...ledger,
  ask: (request) => ledger.ask({ ...request, holdMs: times.askHoldMs }),
};
const silent = () => undefined;
const runtime = createRuntime({
  tools: billingTools(plan.billing, new Random(plan.seed), times),
  ledger: impatient,
  logger: { info: silent, warn: silent, error: silent },
  leaseMs: times.leaseMs,
  waitMs: times.waitMs,
  reconcileEveryMs: times.reconcileEveryMs,
  // Where most of what is sent fails, retries would soon be over.
  http: { retry: { baseMs: 50 }, budget: createRetryBudget({ tokens: 1_000_000 }) },
});

function report(its: Report): void {
  process.send?.(its);
}

async function take({ n, tool: name, text }: Order): Promise<void> {
  const call = { name, arguments: text, scope: 'chaos' } as const;
  const { outcome, code, summary } = (await runtime.call(call)).result;
  report({ n, outcome, code, summary });
}

process.on('message', (order) => void take(order as Order));
process.on('disconnect', () => process.exit(0));
report({ ready: true });
