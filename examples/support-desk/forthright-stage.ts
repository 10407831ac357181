import type { Entry, Result } from 'forthright';
import type { AgentRun, Model, PendingAction, PlanEvent, StepStart } from 'forthright/agent';
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

type RunningStep = StepStart & { result?: Result };
type EndedStep = StepStart & { result: Result };

/** The desk with forthright, on a ledger in a file. */
export class ForthrightStage implements Stage {
  readonly kind = 'forthright';
  readonly billing: BillingServer;
  readonly ledger: TroubledLedger;
  readonly runs: AgentRun[] = [];
  readonly #show: (line: Line) => void;
  readonly #ledgerPath: string;
  readonly #clock = new JumpingClock();
  readonly #desk: Desk;
  readonly #running: RunningStep[] = [];
  #pending: readonly PendingAction[] = [];
  #settlements = 0;
  #awaited = 0;
  #wake: () => void = () => undefined;

  constructor(billing: BillingServer, ledgerPath: string, show: (line: Line) => void) {
    this.billing = billing;
    this.#show = show;
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
    const onEvent = (event: PlanEvent): void => this.#see(event);
    const run = await this.#desk.say(text, { ...options, onEvent });
    this.runs.push(run);
    if (run.ending.kind === 'approval_required') this.#pending = run.ending.pending;
    if (run.ending.kind === 'cancelled') this.note('The customer is gone and reads no answer.');
    else this.#show({ who: 'agent', text: run.text });
    for (const { sentence } of run.findings)
      this.note(`Corrected, for it is not proven: ${sentence}`);
  }

  /** Shows each step once it has ended, and those before it. */
  #see(event: PlanEvent): void {
    if (event.type === 'step_added') this.#running.push({ ...event.step });
    if (event.type !== 'step_ended' && event.type !== 'step_held') return;
    const step = this.#running.find(({ id }) => id === event.id);
    if (step !== undefined) step.result = event.result;
    while (this.#running[0]?.result !== undefined) {
      const { tool, arguments: text, result } = this.#running.shift() as EndedStep;
      const told = `${result.outcome} ${result.code}`;
      this.#show({ who: 'tool', call: `${tool} ${text}`, told, summary: result.summary });
    }
  }
}
