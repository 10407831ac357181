import type { Entry, LaneHolder } from './entry.ts';
import {
  type Happening,
  lineOf,
  ofClaim,
  ofProof,
  ofTelling,
  ofVerdict,
  readHistory,
} from './history.ts';
import type { Asker, EntryQuery, Ledger, Tally, TallyRequest } from './ledger.ts';
import { checkStorable } from './storable.ts';
import type { LedgerView, Transition } from './transitions.ts';
import * as transitions from './transitions.ts';

/** Rows of a store that answers at once, inside one transaction. */
export interface EntryRows {
  get(key: string): Entry | undefined;
  holder(lane: string): LaneHolder | undefined;
  /** Writes an entry and a line of its history, or none (''); `before` is what the same transaction has read of it. */
  put(entry: Entry, before: Entry | undefined, line: string): void;
  /** Writes a line of an entry's history, and nothing else. */
  append(key: string, line: string): void;
  setHolder(lane: string, holder: LaneHolder | null): void;
  /** Oldest first, by creation and key. */
  list(query: EntryQuery): readonly Entry[];
  /** The lines of an entry's history, one after the other. */
  history(key: string): string | undefined;
  tally(request: TallyRequest): Tally;
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
/** What a step is in the history of its entry, if it is anything. */
type Recall<R, A> = (
  request: R,
  transition: Transition<A>,
  before: Entry | undefined,
) => Happening | undefined;

/** One step of the ledger: what decides it, and what the entry's history keeps of it. */
interface Step<R, A> {
  readonly decide: Decide<R, A>;
  readonly recall: Recall<R, A>;
}

/** How many entries one step of a purge removes, so that other calls get their turn in between. */
const purgeStep = 1_000;

/** Told as it is wherever the entry changed. */
function changedTo<R, A>(
  what: Exclude<Happening['what'], 'answered' | 'rejected' | 'settled' | 'repeated'>,
): Recall<R, A> {
  return (_, { entry }) => (entry === undefined ? undefined : { what });
}

const nothing = (): undefined => undefined;

/** A ledger over any store that has transactions: the pure transitions decide, the store keeps. */
export function storedLedger(transactions: Transactions): Ledger {
  function step<R extends { readonly key: string }, A>(
    decide: Decide<R, A>,
    recall: Recall<R, A>,
    laneOf: (request: R) => string | undefined = nothing,
  ): (request: R) => Promise<A> {
    const its = { decide, recall };
    return async (request) => {
      checkStorable(request);
      return transactions.write((rows, nowMs) => apply(rows, its, request, laneOf(request), nowMs));
    };
  }

  async function purge(olderThanMs: number): Promise<number> {
    let purged = 0;
    for (;;) {
      const step = await transactions.write((rows, now) => rows.purge(olderThanMs, now, purgeStep));
      purged += step;
      if (step < purgeStep) return purged;
    }
  }

  const tell = step(
    ({ asked }: Telling, view, nowMs) =>
      asked === 'twin' ? { answer: undefined } : transitions.tell(view, nowMs),
    ({ asked }, { entry }, before) => {
      const told = entry ?? before;
      return told && ofTelling(asked, told);
    },
  );
  const announced = step(
    ({ version }: Announced, view, nowMs) => transitions.announced(version, view, nowMs),
    nothing,
  );

  return {
    claim: step(
      transitions.claim,
      (_, its) => ofClaim(its),
      ({ lane }) => lane,
    ),
    fail: step(transitions.fail, changedTo('unsent')),
    mark: step(
      transitions.mark,
      (_, { answer, entry }) => entry && { what: answer.kind === 'done' ? 'dispatched' : 'unsent' },
    ),
    withdraw: step(transitions.withdraw, changedTo('unsent')),
    complete: step(transitions.complete, ofProof),
    giveUp: step(transitions.giveUp, changedTo('given_up')),
    askAgain: step(transitions.askAgain, changedTo('sent_again')),
    ask: step(transitions.ask, changedTo('asked')),
    settle: step(transitions.settle, (request, { entry }) => entry && ofVerdict(request)),
    renew: step(transitions.renew, nothing),
    note: step(transitions.note, nothing),
    tell: (key, asked = 'repeat') => tell({ key, asked }),
    announced: (key, version) => announced({ key, version }),
    get: (key) => transactions.read((rows) => rows.get(key)),
    holder: (lane) => transactions.read((rows) => holderOf(rows, lane)),
    list: (query) => transactions.read((rows) => rows.list(query)),
    history: (key) =>
      transactions.read((rows) => {
        const lines = rows.history(key);
        return lines === undefined ? undefined : readHistory(lines);
      }),
    tally: (request) => transactions.read((rows) => rows.tally(request)),
    purge,
    close: () => transactions.close(),
  };
}

interface Telling {
  readonly key: string;
  readonly asked: Asker;
}

interface Announced {
  readonly key: string;
  readonly version: number;
}

function apply<R extends { readonly key: string; readonly token?: number }, A>(
  rows: EntryRows,
  { decide, recall }: Step<R, A>,
  request: R,
  requestedLane: string | undefined,
  nowMs: number,
): A {
  const entry = rows.get(request.key);
  const lane = transitions.laneInQuestion(entry, requestedLane);
  const holder = lane === undefined ? undefined : rows.holder(lane);
  const holderEntry = holder?.key === request.key ? entry : holder && rows.get(holder.key);
  const transition = decide(request, { entry, holder, holderEntry }, nowMs);
  const happening = recall(request, transition, entry);
  const now = transition.entry ?? entry;
  const line =
    happening === undefined || now === undefined ? '' : lineOf(happening, now, request, nowMs);
  if (transition.entry !== undefined) rows.put(transition.entry, entry, line);
  else if (line !== '') rows.append(request.key, line);
  if (transition.lane !== undefined) rows.setHolder(transition.lane.name, transition.lane.holder);
  return transition.answer;
}

/** The entry that a lane's row names. */
function holderOf(rows: EntryRows, lane: string): Entry | undefined {
  const holder = rows.holder(lane);
  return holder && rows.get(holder.key);
}
