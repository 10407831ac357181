import {
  advancePlan,
  type ExecutionPlan,
  emptyPlan,
  type PlanChange,
  type PlanEvent,
} from './plan.ts';

/** The events of one turn, counted, handed on and summed up. A listener that throws harms nobody. */
export class Journal {
  readonly #listener: (event: PlanEvent) => void;
  #plan = emptyPlan;

  constructor(listener: (event: PlanEvent) => void = () => undefined) {
    this.#listener = listener;
  }

  get plan(): ExecutionPlan {
    return this.#plan;
  }

  note(change: PlanChange): void {
    const event: PlanEvent = { ...change, sequence: this.#plan.sequence + 1 };
    this.#plan = advancePlan(this.#plan, event);
    try {
      this.#listener(event);
    } catch {
      // Whoever looks on must not change what is done.
    }
  }
}
