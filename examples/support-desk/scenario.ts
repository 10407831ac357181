import type { BillingOptions } from './billing-server.ts';
import type { Stage } from './stage.ts';

/** A story that is played on both desks, and what has to be true at its end with forthright. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly billing?: BillingOptions;
  /** Which refunds billing has made, in order, in cents. */
  readonly refunds: readonly number[];
  /** Which addresses billing was given, in order. */
  readonly addresses?: readonly string[];
  /** What the model was told of each call: outcome and code. */
  readonly told: readonly string[];
  /** What the ledger says of each write: tool and state. */
  readonly ledger: readonly string[];
  play(stage: Stage): Promise<void>;
}
