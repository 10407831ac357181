import type { Model } from 'forthright/agent';
import type { BillingServer } from './billing-server.ts';
import type { OtherProcess } from './other-process.ts';
import type { TroubledLedger } from './troubled-ledger.ts';

/** One line of what is to be seen of a scenario. */
export type Line =
  | { readonly who: 'customer' | 'agent' | 'note'; readonly text: string }
  /** A call, and what the model was told of it. */
  | {
      readonly who: 'tool';
      readonly call: string;
      readonly told: string;
      readonly summary: string;
    };

/** Where a scenario is played: on the desk as it is written today, or with forthright. */
export interface Stage {
  readonly kind: 'naive' | 'forthright';
  readonly billing: BillingServer;
  /** The ledger's troubles; there is none where there is no ledger. */
  readonly ledger: TroubledLedger | undefined;
  /** Says what goes on in the world. */
  note(text: string): void;
  /** The customer says something; resolves when the agent has answered. */
  say(text: string, options?: { leave?: AbortSignal; model?: Model }): Promise<void>;
  /** A person decides about what waits for approval. */
  decide(verdict: 'granted' | 'denied'): Promise<void>;
  /** Some time passes, in milliseconds. */
  jump(ms: number): Promise<void>;
  /** Billing is asked about what is open and due. */
  askOnce(): Promise<void>;
  /** Billing is asked about what is open, until nothing is. */
  ask(): Promise<void>;
  /** Resolves when the desk has asked billing by itself. */
  asked(): Promise<void>;
  /** Resolves when the desk has learned what became of an open write. */
  settled(): Promise<void>;
  /** Resolves when the ledger has on record what was told. */
  recorded(): Promise<void>;
  /** The customer says something to the same desk in a process of its own. */
  elsewhere(text: string): OtherProcess;
}
