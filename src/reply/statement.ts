import type { Action } from './actions.ts';
import type { Lexeme } from './lexicon/compile.ts';

/** What a sentence says of an action, before it is held against anything. */
export interface Statement {
  readonly claim: 'done' | 'not_done' | 'will_be_done';
  readonly action: Action;
  /** The lexeme that says it. */
  readonly at: number;
  /** The lexemes that belong to it: `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  /** Said in passing, of others, or of the past: held only against a write that it contradicts. */
  readonly weak: boolean;
  /** Said of something that was so before. */
  readonly already: boolean;
  /** Not done yet, or not able to: contradicted by a proven success only. */
  readonly soft: boolean;
  /** A state of now, `is cancelled`, or a bare label: a read may bear it out. */
  readonly present: boolean;
  /** Said of what the assistant itself did: `I cancelled`. */
  readonly active: boolean;
  /** Told as a story is: `was booked`. */
  readonly narrative: boolean;
  /** Shares its subject with the statement before. */
  readonly shared: boolean;
  /** Only that it was asked for or begun. */
  readonly asked: boolean;
  /** Of all, of both, of so many. */
  readonly many: number | 'all' | null;
  /** Whether a pronoun stands where its thing would be named. */
  readonly pronoun: 'it' | 'them' | null;
  /** Whether it names no action of its own: `done`, `your request has been processed`. */
  readonly generic: boolean;
}

/** A sentence that has been read. */
export interface Reading {
  readonly lexemes: readonly Lexeme[];
  readonly statements: readonly Statement[];
  /** Whether it asks leave to act, or for what is needed to act. */
  readonly asks: boolean;
  /** Whether it says that something is still being confirmed. */
  readonly confirming: boolean;
  /** Whether it is nothing but a greeting, thanks, a question or a closing offer. */
  readonly polite: boolean;
  /** Whether it ends in a colon. */
  readonly introduces: boolean;
  /** Whether it introduces choices or what the assistant wrote, not deeds. */
  readonly listsOptions: boolean;
}
