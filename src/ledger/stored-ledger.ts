import type { Entry, LaneHolder } from './entry.ts';
import type { EntryQuery, Ledger } from './ledger.ts';
import type { LedgerView, Transition } from './transitions.ts';
import * as transitions from './transitions.ts';

/** Rows of a store that answers at once, inside one transaction. */
export interface EntryRows {
  get(key: string): Entry | undefined;
  holder(lane: string): LaneHolder | undefined;
  put(entry: Entry): void;
  setHolder(lane: string, holder: LaneHolder | null): void;
  /** Oldest first, by creation and key. */
  list(query: EntryQuery): readonly Entry[];
  /** Removes what {@link transitions.mayPurge} allows; returns how many. */
  purge(olderThanMs: number, nowMs: number): number;
}

/** Work on the rows: all of it is done, or none. */
export type Work<T> = (rows: EntryRows, nowMs: number) => T;

/** Runs work atomically; a `write` is durable when its promise resolves. */
export interface Transactions {
  write<T>(work: Work<T>): Promise<T>;
  read<T>(work: Work<T>): Promise<T>;
  close(): Promise<void>;
}

type Decide<A> = (view: LedgerView, nowMs: number) => Transition<A>;

/** A ledger over any store that has transactions: the pure transitions decide, the store keeps. */
export function storedLedger(transactions: Transactions): Ledger {
  const change = <A>(key: string, decide: Decide<A>, lane?: string): Promise<A> =>
    transactions.write((rows, nowMs) => apply(rows, key, lane, nowMs, decide));
  return {
    claim: (request) =>
      change(request.key, (view, now) => transitions.claim(request, view, now), request.lane),
    fail: (request) => change(request.key, (view, now) => transitions.fail(request, view, now)),
    mark: (request) => change(request.key, (view, now) => transitions.mark(request, view, now)),
    withdraw: (request) =>
      change(request.key, (view, now) => transitions.withdraw(request, view, now)),
    complete: (request) =>
      change(request.key, (view, now) => transitions.complete(request, view, now)),
    giveUp: (request) => change(request.key, (view, now) => transitions.giveUp(request, view, now)),
    askAgain: (request) =>
      change(request.key, (view, now) => transitions.askAgain(request, view, now)),
    ask: (request) => change(request.key, (view, now) => transitions.ask(request, view, now)),
    settle: (request) => change(request.key, (view, now) => transitions.settle(request, view, now)),
    renew: (request) => change(request.key, (view, now) => transitions.renew(request, view, now)),
    note: (request) => change(request.key, (view, now) => transitions.note(request, view, now)),
    tell: (key) => change(key, transitions.tell),
    announced: (key, version) =>
      change(key, (view, now) => transitions.announced(version, view, now)),
    get: (key) => transactions.read((rows) => rows.get(key)),
    holder: (lane) => transactions.read((rows) => holderOf(rows, lane)),
    list: (query) => transactions.read((rows) => rows.list(query)),
    purge: (olderThanMs) => transactions.write((rows, nowMs) => rows.purge(olderThanMs, nowMs)),
    close: () => transactions.close(),
  };
}

function apply<A>(
  rows: EntryRows,
  key: string,
  requestedLane: string | undefined,
  nowMs: number,
  decide: Decide<A>,
): A {
  const entry = rows.get(key);
  const lane = transitions.laneInQuestion(entry, requestedLane);
  const holder = lane === undefined ? undefined : rows.holder(lane);
  const holderEntry = holder === undefined ? undefined : rows.get(holder.key);
  const transition = decide({ entry, holder, holderEntry }, nowMs);
  if (transition.entry !== undefined) rows.put(transition.entry);
  if (transition.lane !== undefined) rows.setHolder(transition.lane.name, transition.lane.holder);
  return transition.answer;
}

/** The entry that a lane's row names, while it still needs that lane. */
function holderOf(rows: EntryRows, lane: string): Entry | undefined {
  const holder = rows.holder(lane);
  const entry = holder === undefined ? undefined : rows.get(holder.key);
  return entry?.lane === lane && entry.state !== 'ok' && entry.state !== 'failed'
    ? entry
    : undefined;
}
