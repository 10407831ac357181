import type { JsonValue } from '../call/json.ts';
import type { Entry, EntryState, Verdict } from '../ledger/entry.ts';
import type { EntryEvent } from '../ledger/history.ts';
import type { Tally } from '../ledger/ledger.ts';
import type { Load } from '../runtime/runtime.ts';

/** An entry in a list: without arguments and results. Times are milliseconds since 1970. */
export interface EntryRow
  extends Pick<
    Entry,
    | 'key'
    | 'tool'
    | 'scope'
    | 'lane'
    | 'state'
    | 'failedBy'
    | 'generation'
    | 'token'
    | 'createdAtMs'
    | 'firstSentAtMs'
    | 'settledAtMs'
    | 'updatedAtMs'
  > {
  readonly standing: Standing;
}

/** How an entry stands for a person: `unknown` also where a dispatched one's owner is gone. */
export type Standing = 'waiting' | 'sent' | 'unknown' | 'ok' | 'failed';

/** What a person may pick to find entries by their outcome. */
export const outcomes = ['ok', 'failed', 'unknown', 'running'] as const;
export type OutcomeFilter = (typeof outcomes)[number];

/** What the page is told about itself. */
export interface Me {
  /** Who is signed in, where the host says so; else a person says it with each verdict. */
  readonly operator: string | null;
  readonly readOnly: boolean;
  /** Whether a runtime is at hand, which can ask the remote systems. */
  readonly hasRuntime: boolean;
  readonly tools: readonly string[];
}

/** What goes on now. */
export interface Now {
  readonly nowMs: number;
  /** What is in flight or unknown, oldest first, at most {@link Now.mostOpen}. */
  readonly open: readonly EntryRow[];
  readonly mostOpen: number;
  /** What was begun within the last minutes, newest first. */
  readonly recent: readonly EntryRow[];
  /** Undefined where no runtime is at hand. */
  readonly load?: Load;
}

/** How entries fared in a span of time. */
export interface Chart extends Tally {
  readonly span: 'hour' | 'day';
  readonly fromMs: number;
  readonly sliceMs: number;
  readonly sliceCount: number;
  /** Whether older entries of the span are left out, since there were too many to count. */
  readonly isCut: boolean;
}

/** One page of what was found. */
export interface Found {
  readonly rows: readonly EntryRow[];
  /** Where the next page begins; undefined where this was the last one. */
  readonly next?: string;
  /** Where the search stopped to be gone on with: it has looked back to this moment. */
  readonly searchedToMs?: number;
}

/** All that is known of one entry. */
export interface EntryView extends EntryRow {
  readonly wireKey: string;
  readonly turn: string | null;
  readonly attemptId: string;
  readonly leaseUntilMs: number | null;
  readonly patientUntilMs: number | null;
  readonly unproven: number;
  readonly verdict: Verdict | null;
  readonly toldAtMs: number | null;
  readonly asks: number;
  readonly askAtMs: number | null;
  readonly keepsLane: boolean;
  readonly arguments: Shown;
  readonly result: Shown;
  readonly reference: Shown;
  readonly events: readonly EntryEvent[];
  readonly historyIsCut: boolean;
  readonly canAsk: boolean;
  /** By the server's clock, to count from. */
  readonly nowMs: number;
}

/** A text of an entry as it may be shown. */
export type Shown =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** It cannot be read here: it is sealed, or no JSON. */
  | { readonly kind: 'closed' };

/** A person's verdict, as the page sends it. */
export interface VerdictRequest {
  readonly key: string;
  readonly verdict: 'happened' | 'did_not_happen';
  readonly why: string;
  readonly by?: string;
  readonly data?: JsonValue;
  readonly seen: {
    readonly state: EntryState;
    readonly token: number;
    readonly generation: number;
  };
}

/** What became of a verdict, or of asking. */
export interface Acted {
  readonly kind: 'settled' | 'too_early' | 'changed' | 'asked' | 'not_asked' | 'no_entry';
  /** The entry as it now is. */
  readonly entry?: EntryView;
}
