import type { Entry } from 'forthright';
import {
  type AgentRun,
  advancePlan,
  type ExecutionPlan,
  emptyPlan,
  type Model,
  type PendingAction,
  type PlanEvent,
} from 'forthright/agent';
import { sqliteLedger } from 'forthright/sqlite';
import { JumpingClock } from 'forthright/testing';
import type { BillingServer } from './billing-server.ts';
import { Desk } from './desk.ts';
import { deskModel } from './desk-model.ts';
import { type OtherProcess, startOtherProcess } from './other-process.ts';
import type { Line, Stage } from './stage.ts';
import { type TroubledLedger, troubledLedger } from './troubled-ledger.ts';

/** How long a write may take before its outcome is told; no scenario waits for it. */
export const timeoutMs = 4_000;

/** Told of a plan each time that it changes; turns count from 1. */
export type ShowPlan = (plan: ExecutionPlan, turn: number) => void;

/** The desk with forthright, on a ledger in a file. */
export class ForthrightStage implements Stage {
  readonly kind = 'forthright';
  readonly billing: BillingServer;
  readonly ledger: TroubledLedger;
  readonly runs: AgentRun[] = [];
  readonly #show: (line: Line) => void;
  readonly #showPlan: ShowPlan;
  readonly #ledgerPath: string;
  readonly #clock = new JumpingClock();
  readonly #desk: Desk;
  #turns = 0;
  #pending: readonly PendingAction[] = [];
  #settlements = 0;
  #awaited = 0;
  #wake: () => void = () => undefined;

  constructor(
    billing: BillingServer,
    ledgerPath: string,
    show: (line: Line) => void,
    showPlan: ShowPlan = () => undefined,
  ) {
    this.billing = billing;
    this.#show = show;
    this.#showPlan = showPlan;
    this.#ledgerPath = ledgerPath;
    const nowMs = (): number => this.#clock.nowMs();
    this.ledger = troubledLedger(sqliteLedger({ path: ledgerPath, nowMs }));
    this.#desk = new Desk({
      billingUrl: billing.url,
      ledger: this.ledger.ledger,
      clock: this.#clock,
      model: deskModel(),
      timeoutMs,
      // The scenarios say when billing is asked.
      reconcileEveryMs: false,
    });
    this.#desk.runtime.onSettled(({ result }) => {
      this.#settlements += 1;
      this.note(`The desk has learned: ${result.summary}`);
      this.#wake();
    });
  }

  note(text: string): void {
    this.#show({ who: 'note', text });
  }

  async say(text: string, options: { leave?: AbortSignal; model?: Model } = {}): Promise<void> {
    this.#show({ who: 'customer', text });
    await this.#turn(text, options);
  }

  async decide(verdict: 'granted' | 'denied'): Promise<void> {
    this.note(`A person decides: ${verdict}.`);
    const decisions = this.#pending.map(({ id }) => ({ id, verdict }));
    await this.#turn(undefined, { decisions });
  }

  async jump(ms: number): Promise<void> {
    await this.ledger.calm();
    this.note(`${ms / 1000} seconds pass.`);
    this.#clock.jump(ms);
  }

  async askOnce(): Promise<void> {
    this.note('The desk asks billing.');
    const { asked, settled, open } = await this.#desk.runtime.reconcile();
    if (settled === 0 && open > 0) {
      this.note(asked > 0 ? 'Billing does not know yet.' : 'It is not due to be asked again yet.');
    }
  }

  async ask(): Promise<void> {
    this.note('The desk asks billing.');
    await this.#untilSettled(() => this.#desk.runtime.reconcile());
    await this.settled();
  }

  asked(): Promise<void> {
    return this.billing.received('GET /refunds');
  }

  recorded(): Promise<void> {
    return this.#untilSettled(async () => undefined);
  }

  async settled(): Promise<void> {
    this.#awaited += 1;
    while (this.#settlements < this.#awaited) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  elsewhere(text: string): OtherProcess {
    this.#show({ who: 'customer', text });
    const { kind, billing } = this;
    const ledgerPath = this.#ledgerPath;
    return startOtherProcess({ kind, billingUrl: billing.url, ledgerPath, text });
  }

  entries(): Promise<readonly Entry[]> {
    return this.#desk.runtime.entries({});
  }

  async close(): Promise<void> {
    await this.#desk.runtime.close({ graceMs: 1000 });
    await this.ledger.ledger.close();
  }

  async #untilSettled(work: () => Promise<unknown>): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      await work();
      const entries = await this.entries();
      if (entries.every(({ state }) => state === 'ok' || state === 'failed')) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #turn(text: string | undefined, options: Parameters<Desk['say']>[1]): Promise<void> {
    this.#turns += 1;
    const onEvent = this.#watch(this.#turns);
    const run = await this.#desk.say(text, { ...options, onEvent });
    this.runs.push(run);
    if (run.ending.kind === 'approval_required') this.#pending = run.ending.pending;
    if (run.ending.kind === 'cancelled') this.note('The customer is gone and reads no answer.');
    else this.#show({ who: 'agent', text: run.text });
    for (const { sentence } of run.findings)
      this.note(`Corrected, for it is not proven: ${sentence}`);
  }

  /** Shows the plan of a turn as it changes, and each step once it has ended, and those before it. */
  #watch(turn: number): (event: PlanEvent) => void {
    let plan = emptyPlan;
    let shown = 0;
    return (event) => {
      plan = advancePlan(plan, event);
      this.#showPlan(plan, turn);
      for (let step = plan.steps[shown]; step && 'result' in step; step = plan.steps[shown]) {
        const { tool, arguments: text, result } = step;
        const told = `${result.outcome} ${result.code}`;
        this.#show({ who: 'tool', call: `${tool} ${text}`, told, summary: result.summary });
        shown += 1;
      }
    };
  }
}
