import type { Model } from 'forthright/agent';
import { JumpingClock } from 'forthright/testing';
import type { BillingServer } from './billing-server.ts';
import { deskModel } from './desk-model.ts';
import { timeoutMs } from './forthright-stage.ts';
import { NaiveAgent } from './naive-agent.ts';
import { type OtherProcess, startOtherProcess } from './other-process.ts';
import type { Line, Stage } from './stage.ts';

/** The desk as it is written today. */
export class NaiveStage implements Stage {
  readonly kind = 'naive';
  readonly billing: BillingServer;
  readonly ledger = undefined;
  readonly #show: (line: Line) => void;
  readonly #clock = new JumpingClock();
  readonly #agent: NaiveAgent;

  constructor(billing: BillingServer, show: (line: Line) => void) {
    this.billing = billing;
    this.#show = show;
    this.#agent = new NaiveAgent({
      billingUrl: billing.url,
      model: deskModel(),
      clock: this.#clock,
      timeoutMs,
      onCalled: ({ name, arguments: text }, told) => {
        const [head = '', rest = ''] = told.startsWith('Error:')
          ? ['Error', told.slice(7)]
          : ['', told];
        show({ who: 'tool', call: `${name} ${text}`, told: head, summary: rest });
      },
    });
  }

  note(text: string): void {
    this.#show({ who: 'note', text });
  }

  async say(text: string, options: { leave?: AbortSignal; model?: Model } = {}): Promise<void> {
    this.#show({ who: 'customer', text });
    const leave = options.leave ?? new AbortController().signal;
    const answer = await this.#agent.say(text, leave, options.model);
    if (leave.aborted) this.note('The customer is gone and reads no answer.');
    else this.#show({ who: 'agent', text: answer });
  }

  async decide(): Promise<void> {
    this.note('Nobody was asked.');
  }

  async jump(ms: number): Promise<void> {
    this.note(`${ms / 1000} seconds pass.`);
    this.#clock.jump(ms);
  }

  async askOnce(): Promise<void> {
    this.note('Nobody asks billing: nothing was written down.');
  }

  ask(): Promise<void> {
    return this.askOnce();
  }

  async asked(): Promise<void> {}

  async settled(): Promise<void> {}

  async recorded(): Promise<void> {}

  elsewhere(text: string): OtherProcess {
    this.#show({ who: 'customer', text });
    const { kind, billing } = this;
    return startOtherProcess({ kind, billingUrl: billing.url, ledgerPath: '', text });
  }
}
