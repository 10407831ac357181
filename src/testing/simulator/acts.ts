import type { Result } from '../../call/result.ts';
import type { Process } from './process.ts';
import type { Request } from './remote.ts';
import type { CallPlan } from './step.ts';
import type { ToolKind } from './tools.ts';

/** One tool call of the model's, and what it was told. */
export interface CallRecord {
  readonly plan: CallPlan;
  /** One wish of the user's, told apart by what was asked and by nothing of the runtime's. */
  readonly intent: string;
  readonly process: Process;
  readonly startedMs: number;
  readonly user: AbortController;
  readonly acts: Act[];
  told: Result | undefined;
  toldMs: number | undefined;
  /** The key of its entry, once it was told. */
  key: string | undefined;
}

/** One run of a tool, in which requests may be sent. */
export interface Act {
  readonly kind: ToolKind;
  readonly intent: string;
  readonly lane: string;
  /** Absent where an entry is asked about by sending again. */
  readonly call: CallRecord | undefined;
  readonly key: string;
  readonly process: Process;
  readonly startedMs: number;
  readonly requests: Request[];
  words(): string;
}

/** The attempt that a process owns, as the ledger granted it. */
export interface Grant {
  readonly token: number;
  readonly generation: number;
  readonly claimedMs: number;
}
