import type { Action } from './actions.ts';
import type { EntryFacts } from './facts.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { IdMention, Mentions } from './mentions.ts';
import type { Statement } from './statement.ts';
import type { ReplyClaim, ReplyFindingCode } from './types.ts';

/** What the rest of the reply says that bears on one statement. */
export interface Context {
  /** The reply asks for leave to act: what it promises is an offer. */
  readonly asks: boolean;
  /** It says nearby that something is still being confirmed. */
  readonly confirming: boolean;
  /** The identifiers that were named last. */
  readonly antecedent: readonly IdMention[];
  /** The entries that the last statement was held against. */
  readonly last: readonly EntryFacts[];
}

/** How a statement stands against the record. */
export interface Held {
  /** The entries that it speaks of. */
  readonly entries: readonly EntryFacts[];
  readonly objections: readonly Objection[];
}

/** Why a statement does not stand, and what is true instead. */
export interface Objection {
  readonly code: ReplyFindingCode;
  readonly claim: ReplyClaim;
  readonly action: Action;
  readonly entity: string | null;
  /** The entry that is contradicted. */
  readonly entry: EntryFacts | null;
  readonly reason: string;
}

/** A statement with the words and names that belong to it. */
export interface Said {
  readonly statement: Statement;
  readonly lexemes: readonly Lexeme[];
  readonly mentions: Mentions;
  /** Identifiers of the whole sentence. */
  readonly around: readonly IdMention[];
}

/** That a statement of success does not stand, because of an entry or because there is none. */
export function objection(
  said: Said,
  found: Pick<Objection, 'code' | 'claim' | 'entry' | 'reason'>,
  mention: IdMention | null,
): Held {
  const entity = mention?.raw ?? null;
  const { action } = said.statement;
  return { entries: [], objections: [{ ...found, entity, action }] };
}
