import type { Entry, LaneHolder } from './entry.ts';
import type { EntryQuery, Ledger } from './ledger.ts';
import { checkStorable } from './storable.ts';
import type { LedgerView, Transition } from './transitions.ts';
import * as transitions from './transitions.ts';

/** Rows of a store that answers at once, inside one transaction. */
export interface EntryRows {
  get(key: string): Entry | undefined;
  holder(lane: string): LaneHolder | undefined;
  /** Writes an entry; `before` is what the same transaction has read of it. */
  put(entry: Entry, before: Entry | undefined): void;
  setHolder(lane: string, holder: LaneHolder | null): void;
  /** Oldest first, by creation and key. */
  list(query: EntryQuery): readonly Entry[];
  /** Removes what {@link transitions.mayPurge} allows, `limit` entries at most; returns how many. */
  purge(olderThanMs: number, nowMs: number, limit: number): number;
}

/** Work on the rows: all of it is done, or none. It may be run anew after it was undone. */
export type Work<T> = (rows: EntryRows, nowMs: number) => T;

/** Runs work atomically; a `write` is durable when its promise resolves. */
export interface Transactions {
  write<T>(work: Work<T>): Promise<T>;
  read<T>(work: Work<T>): Promise<T>;
  close(): Promise<void>;
}

type Decide<R, A> = (request: R, view: LedgerView, nowMs: number) => Transition<A>;

/** How many entries one step of a purge removes, so that other calls get their turn in between. */
const purgeStep = 1_000;

/** A ledger over any store that has transactions: the pure transitions decide, the store keeps. */
export function storedLedger(transactions: Transactions): Ledger {
  async function change<R extends { readonly key: string }, A>(
    decide: Decide<R, A>,
    request: R,
    lane?: string,
  ): Promise<A> {
    checkStorable(request);
    return transactions.write((rows, nowMs) => apply(rows, decide, request, lane, nowMs));
  }

  async function purge(olderThanMs: number): Promise<number> {
    let purged = 0;
    for (;;) {
      const step = await transactions.write((rows, now) => rows.purge(olderThanMs, now, purgeStep));
      purged += step;
      if (step < purgeStep) return purged;
    }
  }

  return {
    claim: (request) => change(transitions.claim, request, request.lane),
    fail: (request) => change(transitions.fail, request),
    mark: (request) => change(transitions.mark, request),
    withdraw: (request) => change(transitions.withdraw, request),
    complete: (request) => change(transitions.complete, request),
    giveUp: (request) => change(transitions.giveUp, request),
    askAgain: (request) => change(transitions.askAgain, request),
    ask: (request) => change(transitions.ask, request),
    settle: (request) => change(transitions.settle, request),
    renew: (request) => change(transitions.renew, request),
    note: (request) => change(transitions.note, request),
    tell: (key) => change((_, view, nowMs) => transitions.tell(view, nowMs), { key }),
    announced: (key, version) =>
      change((_, view, nowMs) => transitions.announced(version, view, nowMs), { key }),
    get: (key) => transactions.read((rows) => rows.get(key)),
    holder: (lane) => transactions.read((rows) => holderOf(rows, lane)),
    list: (query) => transactions.read((rows) => rows.list(query)),
    purge,
    close: () => transactions.close(),
  };
}

function apply<R extends { readonly key: string }, A>(
  rows: EntryRows,
  decide: Decide<R, A>,
  request: R,
  requestedLane: string | undefined,
  nowMs: number,
): A {
  const entry = rows.get(request.key);
  const lane = transitions.laneInQuestion(entry, requestedLane);
  const holder = lane === undefined ? undefined : rows.holder(lane);
  const holderEntry = holder?.key === request.key ? entry : holder && rows.get(holder.key);
  const transition = decide(request, { entry, holder, holderEntry }, nowMs);
  if (transition.entry !== undefined) rows.put(transition.entry, entry);
  if (transition.lane !== undefined) rows.setHolder(transition.lane.name, transition.lane.holder);
  return transition.answer;
}

/** The entry that a lane's row names. */
function holderOf(rows: EntryRows, lane: string): Entry | undefined {
  const holder = rows.holder(lane);
  return holder && rows.get(holder.key);
}
