import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Role } from './lexicon/lexicon.ts';

/** How a clause begins. */
export type Opener =
  | 'start'
  | 'comma'
  | 'strong'
  | 'paren'
  | 'and'
  | 'but'
  | 'condition'
  | 'reason'
  | 'relative'
  | 'that';

/** A stretch of a sentence with at most one statement in it: `from` to before `to`. */
export interface Clause {
  readonly from: number;
  readonly to: number;
  readonly opener: Opener;
  /** Opened by a bare `and`, it goes on with the clause before, subordinate or not. */
  readonly continues: boolean;
}

const strongMarks = new Set([';', ':', '—', '–', '|', '•', '→', ')', ']', '…', '=', '.', '!', '?']);
const openingWords: readonly [Role, Opener][] = [
  ['condition', 'condition'],
  ['reason', 'reason'],
  ['relative', 'relative'],
  ['that', 'that'],
  ['but', 'but'],
  ['and', 'and'],
];

/** Splits a sentence at its marks and at the words that open clauses. */
export function clausesOf(lexemes: readonly Lexeme[]): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  let opener: Opener = 'start';
  let continues = false;
  const close = (to: number): void => {
    if (to > from) clauses.push({ from, to, opener, continues });
  };
  lexemes.forEach((lexeme, at) => {
    const mark = openerOfMark(lexemes, at);
    if (mark) {
      close(at);
      opener = at === from && opener !== 'start' ? stronger(opener, mark) : mark;
      from = at + 1;
      continues = false;
      return;
    }
    const word = isDeterminer(lexemes, at)
      ? undefined
      : openerOfWord(lexeme, lexemes[at - 1], lexemes[at + 1]);
    if (word) {
      close(at);
      continues = word === 'and' && at > from;
      opener = at === from && word === 'and' && opener === 'strong' ? 'strong' : word;
      from = at;
    }
  });
  close(lexemes.length);
  return clauses;
}

function stronger(a: Opener, b: Opener): Opener {
  return a === 'strong' || b === 'strong' ? 'strong' : b;
}

function openerOfMark(lexemes: readonly Lexeme[], at: number): Opener | undefined {
  const lexeme = lexemes[at] as Lexeme;
  if (lexeme.kind !== 'mark') return undefined;
  if (lexeme.text === ',') return 'comma';
  if (lexeme.text === '(' || lexeme.text === '[') return 'paren';
  if (strongMarks.has(lexeme.text)) return 'strong';
  return lexeme.text === '-' && isDash(lexemes, at) ? 'strong' : undefined;
}

/** A hyphen between spaces. */
function isDash(lexemes: readonly Lexeme[], at: number): boolean {
  const { start, end } = lexemes[at] as Lexeme;
  const before = lexemes[at - 1];
  const after = lexemes[at + 1];
  return (!before || before.end < start) && (!after || after.start > end);
}

/** "taken care of that refund": right after a verb and before a noun, it points and opens nothing. */
function isDeterminer(lexemes: readonly Lexeme[], at: number): boolean {
  const before = lexemes[at - 1]?.info;
  const after = lexemes[at + 1]?.info;
  if (!is(lexemes[at], 'that') || !before || !after) return false;
  const verb = before.done ?? before.light ?? before.base;
  return verb !== undefined && (after.noun ?? after.thing) !== undefined;
}

function openerOfWord(
  lexeme: Lexeme,
  before: Lexeme | undefined,
  after: Lexeme | undefined,
): Opener | undefined {
  const { roles } = lexeme.info;
  if (roles.size === 0) return undefined;
  for (const [role, opener] of openingWords) {
    if (!roles.has(role)) continue;
    if (role === 'that' && (!after || after.kind === 'mark')) return undefined;
    // A "that" or "since" that is an adverb or stands in for a thing opens nothing after "and".
    if (role === 'and' && before === undefined) return undefined;
    return opener;
  }
  return undefined;
}
