import type { ExecutionPlan } from 'forthright/agent';
import type { Refund } from '../billing-book.ts';
import type { Line } from '../stage.ts';

/** One of the two desks: as it is written today, and with forthright. */
export type Side = 'today' | 'forthright';

/** What billing really did on one side, and whether the server is up. */
export interface Truth {
  readonly refunds: readonly Omit<Refund, 'key'>[];
  readonly refundedCents: number;
  readonly addresses: readonly string[];
  readonly isUp: boolean;
  /** How many requests it holds until it is told to go on. */
  readonly held: number;
}

/** An entry of the ledger, as the page shows it. */
export interface ShownEntry {
  readonly key: string;
  readonly tool: string;
  readonly input: string;
  readonly state: string;
  readonly generation: number;
  /** Who gave a verdict, if somebody did. */
  readonly settledBy: string | null;
}

/** What the page is told of a room, as it happens. */
export type RoomEvent =
  | { readonly type: 'began'; readonly scenario: string | null; readonly meantCents: number | null }
  | { readonly type: 'line'; readonly side: Side; readonly line: Line }
  | { readonly type: 'plan'; readonly turn: number; readonly plan: ExecutionPlan }
  | { readonly type: 'truth'; readonly side: Side; readonly truth: Truth }
  | { readonly type: 'ledger'; readonly entries: readonly ShownEntry[] }
  | { readonly type: 'busy'; readonly side: Side; readonly busy: boolean }
  /** A scenario is over: which promises did not hold with forthright; none, if all is well. */
  | { readonly type: 'ended'; readonly broken: readonly string[] }
  | { readonly type: 'failed'; readonly message: string };
