import { type Clock, createRuntime, type Ledger, type Logger, type Runtime } from 'forthright';
import {
  type AgentRun,
  type Decision,
  type Message,
  type Model,
  memoryApprovals,
  type PlanEvent,
  runAgent,
} from 'forthright/agent';
import { type DeskToolOptions, deskTools } from './tools.ts';

export interface DeskOptions extends DeskToolOptions {
  readonly ledger: Ledger;
  readonly model: Model;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly reconcileEveryMs?: number | false;
}

/** What goes with one thing that the customer says. */
export interface SayOptions {
  /** Aborted when the customer leaves. */
  readonly leave?: AbortSignal;
  readonly model?: Model;
  readonly decisions?: readonly Decision[];
  onEvent?(event: PlanEvent): void;
}

const customer = 'ada';
const scope = `${customer}/conversation-1`;

/** Refunds above this need a person's word. */
const approvalAboveCents = 20_000;

/** The desk with forthright: one conversation of one customer. */
export class Desk {
  readonly runtime: Runtime<ReturnType<typeof deskTools>>;
  readonly #model: Model;
  readonly #approvals = memoryApprovals();
  #messages: readonly Message[] = [];
  #turn = 0;

  constructor(options: DeskOptions) {
    const { ledger, model, clock, logger = quiet, reconcileEveryMs, ...tools } = options;
    this.#model = model;
    this.runtime = createRuntime({
      tools: deskTools(tools),
      ledger,
      logger,
      ...(clock === undefined ? {} : { clock }),
      ...(reconcileEveryMs === undefined ? {} : { reconcileEveryMs }),
      // After a restart nobody is signed in: whose write it is stands in its scope.
      contextFor: (entry) => ({ customer: entry.scope.split('/')[0] }),
    });
  }

  /** One turn of the customer's; without a text, what was decided is carried out. */
  async say(text: string | undefined, options: SayOptions = {}): Promise<AgentRun> {
    const { leave, model = this.#model, decisions, onEvent } = options;
    if (text !== undefined) this.#turn += 1;
    const run = await runAgent({
      model,
      runtime: this.runtime,
      scope,
      context: { customer },
      messages: this.#messages,
      turn: this.#turn,
      approval: {
        approvals: this.#approvals,
        needed: (call) =>
          call.name === 'refund_order' && call.input.amountCents > approvalAboveCents,
      },
      ...(text === undefined ? {} : { user: text }),
      ...(leave === undefined ? {} : { signal: leave }),
      ...(decisions === undefined ? {} : { decisions }),
      ...(onEvent === undefined ? {} : { onEvent }),
    });
    this.#messages = run.messages;
    return run;
  }
}

const quiet: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
