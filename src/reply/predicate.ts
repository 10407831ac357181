import type { Action } from './actions.ts';
import type { Clause } from './clauses.ts';

/** One verb of a sentence and what it says. `none` says nothing that could be held against a record. */
export interface Predicate {
  readonly claim: 'done' | 'not_done' | 'will_be_done' | 'none';
  readonly action: Action;
  readonly at: number;
  /** Before which lexeme it ends. */
  readonly until: number;
  readonly clause: number;
  readonly generic: boolean;
  readonly weak: boolean;
  readonly soft: boolean;
  readonly already: boolean;
  /** A state of now or a bare label. */
  readonly present: boolean;
  readonly narrative: boolean;
  readonly shared: boolean;
  readonly asked: boolean;
  /** Whether its thing stands after it. */
  readonly active: boolean;
}

/** Where a verb is looked for. */
export interface Place {
  readonly clause: Clause;
  readonly index: number;
  readonly at: number;
  /** Whether it is the first verb of its clause and may share the helpers of the one before. */
  readonly shares: boolean;
}

/** A predicate with everything that is not said left at its usual value. */
export function predicate(
  place: Place,
  said: Pick<Predicate, 'claim' | 'action'> & Partial<Predicate>,
): Predicate {
  return {
    at: place.at,
    until: place.at + 1,
    clause: place.index,
    generic: false,
    weak: false,
    soft: false,
    already: false,
    present: false,
    narrative: false,
    shared: false,
    asked: false,
    active: false,
    ...said,
  };
}
