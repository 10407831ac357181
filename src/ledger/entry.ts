/** Where an entry stands. */
export type EntryState = 'claimed' | 'dispatched' | 'ok' | 'failed' | 'unknown';

/** Why an entry is `failed`. */
export type FailureCause = 'unsent' | 'rejected' | 'verdict';

/** Who settled an entry from outside, and why. */
export interface Verdict {
  readonly verdict: 'happened' | 'did_not_happen';
  readonly by: string;
  readonly why: string;
  readonly atMs: number;
}

/**
 * The durable record of one intent. Times are milliseconds since 1970 by the store's clock.
 * `input`, `result` and `note` are text that the ledger does not read: the host may have sealed it.
 */
export interface Entry {
  /** The idempotency key of the intent: 64 hexadecimal digits. */
  readonly key: string;
  readonly scope: string;
  readonly tool: string;
  readonly lane: string;
  /** The user's turn in which the latest attempt was claimed. */
  readonly turn: string | null;
  /** SHA-256 of the canonical arguments: tells other arguments under the same key. */
  readonly fingerprint: string;
  readonly input: string;

  readonly state: EntryState;
  /** Counts the writes that this intent may have led to, one after the other proven. */
  readonly generation: number;
  /** The fencing token of the latest attempt; it only grows. */
  readonly token: number;
  /** The latest attempt's own id, which makes its claim repeatable. */
  readonly attemptId: string;
  /** While it lasts, the latest attempt's owner is taken to live. */
  readonly leaseUntilMs: number | null;
  /** No physical send of the latest mark starts later. */
  readonly sendByMs: number | null;
  /** Before this, something that was sent may still take effect: no negative verdict counts. */
  readonly patientUntilMs: number | null;
  /** When the first request of this generation was marked. */
  readonly firstSentAtMs: number | null;
  /** How many sends, of any generation, are proven neither way. */
  readonly unproven: number;
  /** Whether the latest attempt's own send is one of them. */
  readonly marked: boolean;
  /** Where the entry returns to if the latest attempt ends unsent. */
  readonly restsOn: 'failed' | 'unknown';
  /** The attempt that proved it happened. */
  readonly provenToken: number | null;
  readonly failedBy: FailureCause | null;
  readonly verdict: Verdict | null;

  readonly result: string | null;
  /** The remote system's reference. */
  readonly note: string | null;

  /** Whether the lane stays closed while this entry is unsettled. */
  readonly keepsLane: boolean;
  /** How long the settled answer is replayed from its first telling; null: for ever. */
  readonly replayMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly settledAtMs: number | null;
  /** When the model was first told the settled outcome. */
  readonly toldAtMs: number | null;
  /** How often the remote system was asked about this generation's outcome. */
  readonly asks: number;
  /** When it may be asked next; null: at once. */
  readonly askAtMs: number | null;
  /** Whether the host is still to be told of a settlement that the model was not told. */
  readonly announce: boolean;
  /** Counts the changes to this entry. */
  readonly version: number;
}

/** The one row that names who holds a lane. */
export interface LaneHolder {
  readonly key: string;
  readonly token: number;
}

/** Whether the owner of the latest attempt is taken to live. */
export function isLive(entry: Entry, nowMs: number): boolean {
  return entry.leaseUntilMs !== null && nowMs < entry.leaseUntilMs;
}

/** Whether an attempt ended, as far as can be told, before it sent anything. */
export function isLostClaim(entry: Entry, nowMs: number): boolean {
  return entry.state === 'claimed' && entry.restsOn === 'failed' && !isLive(entry, nowMs);
}

/** Whether it is open what became of an entry that nobody is working on. */
export function isUnsettled(entry: Entry, nowMs: number): boolean {
  if (entry.state === 'unknown') return true;
  if (isLive(entry, nowMs)) return false;
  return entry.state === 'dispatched' || (entry.state === 'claimed' && entry.restsOn === 'unknown');
}

/** Whether a settled answer has been replayed for as long as it is to be. */
export function isReplayOver(entry: Entry, nowMs: number): boolean {
  if (entry.state !== 'ok' || entry.toldAtMs === null || entry.replayMs === null) return false;
  return nowMs >= entry.toldAtMs + entry.replayMs;
}
