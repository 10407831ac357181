import type { Clause } from './clauses.ts';
import type { Language, Lexeme } from './lexicon/compile.ts';
import type { Role } from './lexicon/lexicon.ts';
import type { Predicate } from './predicate.ts';

/** What stands around a sentence and changes how it is read. */
export interface Surroundings {
  /** The box before it is ticked. */
  readonly ticked: boolean;
  /** It stands under a heading of choices or questions. */
  readonly amongOptions: boolean;
  /** It stands in a block quotation. */
  readonly quoted: boolean;
}

/** The state of reading one sentence, clause by clause. */
export interface SentenceState {
  readonly lexemes: readonly Lexeme[];
  readonly language: Language;
  readonly around: Surroundings;
  readonly quoted: ReadonlySet<number>;
  readonly clauses: readonly Clause[];
  /** Every role that some word of the sentence has. */
  readonly roles: ReadonlySet<Role>;
  /** Where the subject of the next verb may begin. */
  subjectFrom: number;
  /** Who acted in the clause before. */
  subject: 'self' | 'other' | 'none';
  /** The verb before, for participles that share its helpers. */
  before: Predicate | null;
  /** Whether what follows is said to be unknown, or is someone else's word. */
  governed: boolean;
  /** What kind of clause the last one was, a bare `and` left out of account. */
  mode: Clause['opener'];
  /** Whether the sentence holds a condition. */
  conditional: boolean;
}
