import type { Entry, EntryState } from './entry.ts';
import type { EntryHistory } from './history.ts';

/** Asks for the right to try. Repeatable: the same `attemptId` gets the same answer again. */
export interface ClaimRequest {
  readonly key: string;
  readonly scope: string;
  readonly tool: string;
  readonly lane: string;
  readonly turn: string | null;
  readonly fingerprint: string;
  readonly input: string;
  readonly attemptId: string;
  readonly leaseMs: number;
  readonly keepsLane: boolean;
  readonly replayMs: number | null;
  /** An idempotent tool: a settled entry, and a patient unknown one, may run again. */
  readonly mayRerun: boolean;
}

/** The answer to a claim. Only `claimed` gives the right to go on. */
export type ClaimAnswer =
  | { readonly kind: 'claimed'; readonly entry: Entry }
  | { readonly kind: 'already_done'; readonly entry: Entry }
  | { readonly kind: 'in_progress'; readonly entry: Entry }
  | { readonly kind: 'still_confirming'; readonly entry: Entry }
  | { readonly kind: 'key_conflict'; readonly entry: Entry }
  | { readonly kind: 'lane_busy'; readonly holder: Entry }
  | { readonly kind: 'lane_unsettled'; readonly holder: Entry };

/** One attempt at one entry. */
export interface AttemptRef {
  readonly key: string;
  readonly token: number;
}

/** Says that an attempt sent nothing. */
export interface WithdrawRequest extends AttemptRef {
  /** The result to keep, as text. */
  readonly result: string;
  /** Whether the model is told this very outcome now; true if left out. */
  readonly told?: boolean;
}

/** Says, durably, that a request may leave from now on. */
export interface MarkRequest extends AttemptRef {
  readonly leaseMs: number;
  /** From the store's now to the last moment at which a physical send may start. */
  readonly sendWindowMs: number;
  /** How long after that a send may still take effect: `requestMaxMs` and the margin. */
  readonly patienceMs: number;
}

/** A mark for asking again with the same wire key: from `unknown`, with a token of its own. */
export interface AskAgainRequest extends MarkRequest {
  readonly attemptId: string;
  /** How long after the first send the remote system is relied on to know the key. */
  readonly remoteKeyMs: number;
}

/** `refused` gives the entry as it now is, or null where there is none. */
export type AttemptAnswer =
  | { readonly kind: 'done'; readonly entry: Entry }
  | { readonly kind: 'refused'; readonly entry: Entry | null };

/** Proof about what an attempt sent. */
export interface CompleteRequest extends AttemptRef {
  readonly generation: number;
  readonly evidence: 'answered' | 'rejected';
  /** The result to keep, as text. */
  readonly result: string;
  /** Whether the model is told this very outcome now. */
  readonly told: boolean;
}

/** `doubled`: another attempt had proven it before, so it may have happened twice. */
export type CompleteAnswer = AttemptAnswer | { readonly kind: 'doubled'; readonly entry: Entry };

/** A verdict from outside: a reconciler, a webhook or an operator. */
export interface SettleRequest {
  readonly key: string;
  readonly verdict: 'happened' | 'did_not_happen';
  readonly by: string;
  readonly why: string;
  /** When the remote system was asked, by the store's clock: what it did after that is not in the verdict. Left out: now. */
  readonly lookedAtMs?: number;
  /** The generation that was looked at; left out: whichever it is now. */
  readonly generation?: number;
  /** What whoever gives the verdict has seen: refused where another one, or an attempt, came first. */
  readonly seen?: Pick<Entry, 'state' | 'token'>;
  /** The result to keep, as text. */
  readonly result: string;
}

/** `too_early`: what was sent may still take effect. `not_settleable`: nothing is open, another
 * generation is, or it is no longer as it was seen. */
export type SettleAnswer =
  | { readonly kind: 'settled'; readonly entry: Entry }
  | { readonly kind: 'too_early'; readonly entry: Entry }
  | { readonly kind: 'not_settleable'; readonly entry: Entry }
  | { readonly kind: 'no_entry' };

/** Says that the owner lives, and that what it sent may still take effect. */
export interface RenewRequest extends AttemptRef {
  readonly leaseMs: number;
  /** From the store's now: how long a negative verdict has to wait at least; null: no send is pending. */
  readonly patienceMs: number | null;
}

/** Takes the turn to ask the remote system about an unsettled entry, one asker at a time. */
export interface AskRequest {
  readonly key: string;
  /** No one else asks before this much time has passed: the longest time an answer may take, or more. */
  readonly holdMs: number;
}

/** Which entries to list, oldest first. */
export interface EntryQuery {
  /** Only the entries whose keys begin so. */
  readonly keyStart?: string;
  readonly scope?: string;
  readonly tool?: string;
  readonly lane?: string;
  readonly states?: readonly EntryState[];
  /** Only what was created at this moment or later, in milliseconds since 1970. */
  readonly createdFromMs?: number;
  /** Only what was created before this moment. */
  readonly createdBeforeMs?: number;
  /** Only entries whose settlement the host is still to be told. */
  readonly announce?: true;
  /** Only entries that come after this one, in listing order: the last of the page before. */
  readonly after?: Pick<Entry, 'createdAtMs' | 'key'>;
  readonly newestFirst?: true;
  /** At most this many; 100 if left out. */
  readonly limit?: number;
}

/** Which entries to count: those created since a moment, of which the newest `most`. */
export interface TallyRequest {
  /** In milliseconds since 1970. */
  readonly fromMs: number;
  /** How long a slice is, in milliseconds; the first one begins at `fromMs`. */
  readonly sliceMs: number;
  readonly most: number;
}

/** How entries fare, counted. */
export interface Tally {
  readonly counted: number;
  /** When the oldest that was counted was created; null where there is none. */
  readonly oldestMs: number | null;
  /** How many entries of each state each slice has, by its number from 0; those with none are left out. */
  readonly slices: readonly TallySlice[];
  /** Half of the settled ones took at most so long from their first send to their settlement. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Entries of one state that were created within one slice of time. */
export interface TallySlice {
  readonly slice: number;
  readonly state: EntryState;
  readonly count: number;
}

/** Who is told where an entry stands. */
export type Asker = 'repeat' | 'check' | 'twin';

/**
 * The durable record of writes. Each method is one atomic step, durable when its promise resolves,
 * and decides by the store's clock. A rejection means that it is not known whether it was done.
 */
export interface Ledger {
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
  /** claimed → failed (or back to unknown), by the attempt that owns it: whatever ends before the mark. */
  fail(request: AttemptRef & { readonly result: string }): Promise<AttemptAnswer>;
  /** claimed → dispatched, by the owner of the entry and of its lane. A refused mark sends nothing. */
  mark(request: MarkRequest): Promise<AttemptAnswer>;
  /** claimed, dispatched or unknown → failed (or back to unknown): marked perhaps, and never sent. */
  withdraw(request: WithdrawRequest): Promise<AttemptAnswer>;
  complete(request: CompleteRequest): Promise<CompleteAnswer>;
  /** dispatched → unknown, by the owner: no answer in time. */
  giveUp(request: AttemptRef): Promise<AttemptAnswer>;
  askAgain(request: AskAgainRequest): Promise<AttemptAnswer>;
  /** An entry whose owner is gone becomes unknown here too. `refused`: settled, owned, or not due yet. */
  ask(request: AskRequest): Promise<AttemptAnswer>;
  settle(request: SettleRequest): Promise<SettleAnswer>;
  renew(request: RenewRequest): Promise<AttemptAnswer>;
  note(request: AttemptRef & { readonly note: string }): Promise<AttemptAnswer>;
  /**
   * A repeated call (if left out), or `check_write`, is told where the entry stands. Starts the replay
   * window, at the first telling of a settled outcome; not for a `twin`, which is told that it is open.
   */
  tell(key: string, asked?: Asker): Promise<void>;
  /** The host was told of the settlement that the entry had at this version. */
  announced(key: string, version: number): Promise<void>;
  get(key: string): Promise<Entry | undefined>;
  /** Who holds a lane: the entry, or undefined where it is free. */
  holder(lane: string): Promise<Entry | undefined>;
  list(query: EntryQuery): Promise<readonly Entry[]>;
  /** What happened to an entry: kept with it, in the same step, and bounded. Undefined where there is none. */
  history(key: string): Promise<EntryHistory | undefined>;
  tally(request: TallyRequest): Promise<Tally>;
  /** Removes settled, told entries whose replay window is over and that are older than `olderThanMs`. */
  purge(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}
