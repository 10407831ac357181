/** How the code of a simulated tool behaves in one call. */
export interface Manner {
  readonly before: 'sends' | 'thinks' | 'thinks and ignores its signal' | 'refuses' | 'throws';
  /** Whether it waits between the mark and its first send, as for a connection. */
  readonly connects: boolean;
  readonly after: 'is truthful' | 'throws' | 'says failed' | 'does not wait';
}

/** A tool call of the model's. */
export interface CallPlan {
  readonly n: number;
  readonly tool: string;
  readonly scope: string;
  readonly order: number;
  readonly amount: number;
  readonly reason: string;
  readonly occurrence: number;
  readonly turn: number;
  readonly manner: Manner;
}

/** One step of a simulated story, as plain JSON: a story is replayed from its steps. */
export type Step =
  /** The model calls a tool. */
  | { readonly do: 'call'; readonly process: string; readonly call: CallPlan }
  /** Something that is pending comes to an end. */
  | { readonly do: 'let'; readonly what: string; readonly end: string }
  | { readonly do: 'wait'; readonly ms: number }
  /** Time goes by; what was pending before stays so, and what comes up meanwhile goes its way. */
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: ProcessStep; readonly process: string }
  /** The user leaves while a call is open. */
  | { readonly do: 'cancel'; readonly call: number }
  /** The model asks by check_write what became of a call. */
  | { readonly do: 'check'; readonly process: string; readonly call: number }
  /** A webhook says that a request was done, perhaps late and not for the first time. */
  | { readonly do: 'webhook'; readonly process: string; readonly request: number }
  /** An operator looks a write up and gives a verdict; `wrong`: whatever he saw, that it did not happen. */
  | {
      readonly do: 'verdict';
      readonly process: string;
      readonly call: number;
      readonly wrong: boolean;
    }
  | { readonly do: 'set_clock'; readonly process: string; readonly ms: number };

/** What can be done to a process. */
export type ProcessStep = 'crash' | 'restart' | 'pause' | 'resume' | 'close' | 'reconcile';

/** The name under which an operator who is wrong gives his verdict. */
export const wrongOperator = 'operator, who is wrong';
