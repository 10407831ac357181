import type { Lexeme } from './lexicon/compile.ts';
import type { Grammar, Role } from './lexicon/lexicon.ts';

/** The words that build one verb together with its participle. */
export interface Helpers {
  /** The first of them; the participle itself where there is none. */
  readonly from: number;
  readonly roles: ReadonlySet<Role>;
}

const helping: readonly Role[] = [
  'have',
  'haveSelf',
  'been',
  'was',
  'be',
  'beBare',
  'modal',
  'infinitive',
  'now',
  'future',
  'negation',
  'ongoing',
  'hedge',
  'already',
];
const bare: ReadonlySet<Role> = new Set();

/** Whether a lexeme has a role. */
export function is(lexeme: Lexeme | undefined, role: Role): boolean {
  return lexeme?.info.roles.has(role) ?? false;
}

/** Whether some lexeme from `from` to before `to` has a role. */
export function some(lexemes: readonly Lexeme[], from: number, to: number, role: Role): boolean {
  for (let at = from; at < to; at += 1) if (is(lexemes[at], role)) return true;
  return false;
}

/** Whether a word may stand between a helper and its participle. */
export function isAdverb(lexeme: Lexeme | undefined, grammar: Grammar): boolean {
  if (lexeme?.kind !== 'word') return false;
  const { roles } = lexeme.info;
  if (roles.has('adverb') || roles.has('already') || roles.has('all') || roles.has('both')) {
    return true;
  }
  if (lexeme.info.noun || lexeme.info.thing || lexeme.info.base) return false;
  const ending = grammar.adverbEnding;
  return (
    ending !== undefined && lexeme.text.length > ending.length + 2 && lexeme.text.endsWith(ending)
  );
}

/** The helpers of the participle at `at` in the clause from `from` to before `to`. */
export function helpersOf(
  lexemes: readonly Lexeme[],
  at: number,
  from: number,
  to: number,
  grammar: Grammar,
): Helpers {
  return grammar.helper === 'adjacent'
    ? adjacentHelpers(lexemes, at, from, grammar)
    : clauseHelpers(lexemes, at, from, to);
}

function adjacentHelpers(
  lexemes: readonly Lexeme[],
  at: number,
  from: number,
  grammar: Grammar,
): Helpers {
  let first = at;
  const roles = new Set<Role>();
  for (let back = at - 1; back >= from; back -= 1) {
    const lexeme = lexemes[back] as Lexeme;
    const helps = helping.filter((role) => lexeme.info.roles.has(role));
    if (helps.length > 0) {
      for (const role of helps) roles.add(role);
      first = back;
    } else if (!isAdverb(lexeme, grammar)) {
      break;
    }
  }
  return first === at ? { from: at, roles: bare } : { from: first, roles };
}

/** In German and Dutch the helper may stand far before its participle, or after it at the end. */
function clauseHelpers(lexemes: readonly Lexeme[], at: number, from: number, to: number): Helpers {
  let first = at;
  const roles = new Set<Role>();
  const last = Math.min(to, at + 3);
  for (let near = from; near < last; near += 1) {
    if (near === at) continue;
    const lexeme = lexemes[near] as Lexeme;
    for (const role of helping) {
      if (!lexeme.info.roles.has(role)) continue;
      roles.add(role);
      if (near < first) first = near;
    }
  }
  return { from: first, roles };
}
