import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Entry } from '../../ledger/entry.ts';
import type { AttemptRef, ClaimRequest, Ledger, MarkRequest } from '../../ledger/ledger.ts';

/** What a case plays on. */
export interface Stage {
  /** Fresh and empty. */
  readonly ledger: Ledger;
  /** Another handle on the same store, as another process would have. */
  another(): Promise<Ledger>;
  /** Lets the store's clock go on. */
  advance(ms: number): Promise<void>;
}

/** One thing that every ledger has to do. */
export interface LedgerCase {
  readonly name: string;
  /** Left out of the suite where a store can have one handle only. */
  readonly needsAnother?: true;
  play(stage: Stage): Promise<void>;
}

/** A lease, or a patience, that no case outlives. */
export const longMs = 600_000;
/** One that is over after {@link pastShortMs}, on a slow machine too. */
export const shortMs = 1;
/** Longer than {@link shortMs}, with room for clocks that count in milliseconds. */
export const pastShortMs = 20;

/** The key that a case calls by a name. */
export function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** The claim of a key that a case calls by a name, each in a lane of its own. */
export function claimOf(name: string, changes: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    key: keyOf(name),
    scope: 'scope',
    tool: 'refund_order',
    lane: `lane of ${name}`,
    turn: null,
    fingerprint: 'f'.repeat(64),
    input: '{}',
    attemptId: `attempt at ${name}`,
    leaseMs: longMs,
    keepsLane: true,
    replayMs: null,
    mayRerun: false,
    ...changes,
  };
}

/** Expects an answer of one kind, and gives it as that. */
export function expectKind<A extends { readonly kind: string }, K extends A['kind']>(
  answer: A,
  kind: K,
): Extract<A, { readonly kind: K }> {
  assert.equal(answer.kind, kind, `expected ${kind}, got ${JSON.stringify(answer)}`);
  return answer as Extract<A, { readonly kind: K }>;
}

/** Claims a key and expects to get it. */
export async function claimed(
  ledger: Ledger,
  name: string,
  changes: Partial<ClaimRequest> = {},
): Promise<Entry> {
  return expectKind(await ledger.claim(claimOf(name, changes)), 'claimed').entry;
}

/** The mark of an attempt, whose send may start at once only, and whose patience is long. */
export function markOf(ref: AttemptRef, changes: Partial<MarkRequest> = {}): MarkRequest {
  const { key, token } = ref;
  return { key, token, leaseMs: longMs, sendWindowMs: 0, patienceMs: longMs, ...changes };
}

/** Claims and marks a key, and expects both to be granted. */
export async function dispatched(
  ledger: Ledger,
  name: string,
  claim: Partial<ClaimRequest> = {},
  mark: Partial<MarkRequest> = {},
): Promise<Entry> {
  const entry = await claimed(ledger, name, claim);
  return expectKind(await ledger.mark(markOf(entry, mark)), 'done').entry;
}

/** A write that was sent, got no answer, and can be given a verdict at once. */
export async function unknown(
  { ledger, advance }: Stage,
  name: string,
  claim: Partial<ClaimRequest> = {},
): Promise<Entry> {
  const entry = await dispatched(ledger, name, claim, { patienceMs: shortMs });
  const given = expectKind(await ledger.giveUp(entry), 'done').entry;
  await advance(pastShortMs);
  return given;
}

/** An unknown write that an operator said did not happen. */
export async function failedByVerdict(
  stage: Stage,
  name: string,
  claim: Partial<ClaimRequest> = {},
): Promise<Entry> {
  const entry = await unknown(stage, name, claim);
  return expectKind(await stage.ledger.settle(verdict(entry, 'did_not_happen')), 'settled').entry;
}

/** A write that happened, and the model was told so. */
export async function happened(
  ledger: Ledger,
  name: string,
  claim: Partial<ClaimRequest> = {},
): Promise<Entry> {
  const entry = await dispatched(ledger, name, claim);
  return expectKind(await ledger.complete(answerTo(entry)), 'done').entry;
}

/** Proof that an attempt's request was done, told to the model. */
export function answerTo(entry: Pick<Entry, 'key' | 'token' | 'generation'>): CompleteOf {
  const { key, token, generation } = entry;
  return { key, token, generation, evidence: 'answered', result: 'it happened', told: true };
}

/** Proof that an attempt's request was refused, told to the model. */
export function rejectionOf(entry: Pick<Entry, 'key' | 'token' | 'generation'>): CompleteOf {
  return { ...answerTo(entry), evidence: 'rejected', result: 'it was refused' };
}

type CompleteOf = Parameters<Ledger['complete']>[0];

/** An operator's verdict. */
export function verdict(
  { key }: Pick<Entry, 'key'>,
  its: 'happened' | 'did_not_happen',
): Parameters<Ledger['settle']>[0] {
  return { key, verdict: its, by: 'operator', why: 'looked it up', result: `settled: ${its}` };
}

/** The end of an attempt that sent nothing. */
export function unsent({ key, token }: AttemptRef): AttemptRef & { readonly result: string } {
  return { key, token, result: 'nothing was sent' };
}

/** The entry as the ledger has it now. */
export async function entryNow(ledger: Ledger, { key }: Pick<Entry, 'key'>): Promise<Entry> {
  const entry = await ledger.get(key);
  assert.ok(entry !== undefined, 'the entry is there');
  return entry;
}
