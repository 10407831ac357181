import { type Clause, clausesOf } from './clauses.ts';
import { is, some } from './helpers.ts';
import type { Language, Lexeme } from './lexicon/compile.ts';
import type { Role } from './lexicon/lexicon.ts';
import type { Predicate } from './predicate.ts';
import { quotedLexemes } from './ranges.ts';
import { scopeStatements } from './scope.ts';
import type { SentenceState, Surroundings } from './sentence-state.ts';
import type { Reading } from './statement.ts';
import { predicateAt } from './verb.ts';

/** Reads one sentence. */
export function readSentence(
  lexemes: readonly Lexeme[],
  language: Language,
  around: Surroundings,
): Reading {
  const clauses = clausesOf(lexemes);
  const roles = rolesOf(lexemes);
  const state: SentenceState = {
    lexemes,
    language,
    around,
    quoted: quotedLexemes(lexemes),
    clauses,
    roles,
    subjectFrom: 0,
    subject: 'none',
    before: null,
    governed: false,
    mode: 'start',
    conditional: roles.has('condition'),
  };
  const question = isQuestion(lexemes);
  const free = question ? freeClauses(lexemes, clauses) : clauses.length;
  const predicates: Predicate[] = [];
  clauses.forEach((clause, at) => {
    if (!around.quoted) predicates.push(...readClause(state, clause, at, at >= free));
  });
  const statements = scopeStatements(state, predicates);
  return {
    lexemes,
    statements,
    asks: roles.has('ask') && !(question && roles.has('closing')),
    confirming: roles.has('confirming') || clauses.some((clause) => isUnderWay(lexemes, clause)),
    polite: statements.length === 0 && (question || roles.has('closing')),
    introduces: lastMark(lexemes) === ':',
    listsOptions: question || roles.has('ask') || roles.has('choice'),
  };
}

function readClause(
  state: SentenceState,
  clause: Clause,
  index: number,
  asked: boolean,
): Predicate[] {
  if (!clause.continues) state.mode = clause.opener;
  if (clause.opener === 'strong') state.subject = 'none';
  const blocked = asked || isBlocked(state, clause, index);
  const found: Predicate[] = [];
  let sharesBefore = true;
  for (let at = clause.from; at < clause.to; at += 1) {
    if (state.quoted.has(at)) continue;
    const predicate = predicateAt(state, clause, index, at, sharesBefore);
    if (!predicate) continue;
    sharesBefore = false;
    const open = blocked || opensDoubt(state.lexemes, clause.from, at);
    const read = open ? { ...predicate, claim: 'none' as const } : predicate;
    found.push(read);
    state.before = read;
    state.subjectFrom = clause.to;
    at = Math.max(at, predicate.until - 1);
  }
  noteSubject(state, clause);
  noteGovernor(state, clause, found);
  return found;
}

/** "wird gerade vom Hotel bestätigt": proof that is still on its way. */
function isUnderWay(lexemes: readonly Lexeme[], { from, to }: Clause): boolean {
  return some(lexemes, from, to, 'ongoing') && some(lexemes, from, to, 'proof');
}

/** "ensure the refund is processed": what is only asked about or reported in the same clause. */
function opensDoubt(lexemes: readonly Lexeme[], from: number, at: number): boolean {
  return some(lexemes, from, at, 'uncertain') || some(lexemes, from, at, 'reported');
}

function noteSubject(state: SentenceState, clause: Clause): void {
  for (let at = clause.from; at < clause.to; at += 1) {
    const lexeme = state.lexemes[at];
    if (is(lexeme, 'self') || is(lexeme, 'haveSelf')) {
      state.subject = 'self';
      return;
    }
    if (is(lexeme, 'other')) {
      state.subject = 'other';
      return;
    }
  }
}

function noteGovernor(state: SentenceState, clause: Clause, found: readonly Predicate[]): void {
  const { lexemes } = state;
  if (clause.opener === 'but' || clause.opener === 'strong') state.governed = false;
  if (some(lexemes, clause.from, clause.to, 'reported')) state.governed = true;
  if (some(lexemes, clause.from, clause.to, 'uncertain')) state.governed = true;
  if (some(lexemes, clause.from, clause.to, 'ask')) state.governed = true;
  if (found.length === 0 && some(lexemes, clause.from, clause.to, 'hedge')) state.governed = true;
}

function isBlocked(state: SentenceState, clause: Clause, index: number): boolean {
  const { lexemes } = state;
  if (state.mode === 'condition') return true;
  if (some(lexemes, clause.from, clause.to, 'ask')) return true;
  if (!state.governed) return false;
  if (clause.opener === 'but' || clause.opener === 'strong') return false;
  const previous = state.clauses[index - 1];
  if (!previous || clause.opener === 'that') return true;
  const opensWithSelf = is(lexemes[clause.from], 'self') || is(lexemes[clause.from + 1], 'self');
  return !(opensWithSelf && (clause.opener === 'and' || clause.opener === 'comma'));
}

function lastMark(lexemes: readonly Lexeme[]): string {
  for (let at = lexemes.length - 1; at >= 0; at -= 1) {
    const { kind, text } = lexemes[at] as Lexeme;
    if (kind !== 'mark') return '';
    if (text === ':' || text === '?' || text === '.' || text === '!') return text;
  }
  return '';
}

function isQuestion(lexemes: readonly Lexeme[]): boolean {
  for (let at = lexemes.length - 1; at >= 0 && at > lexemes.length - 5; at -= 1) {
    const { kind, text } = lexemes[at] as Lexeme;
    if (kind === 'mark' && (text === '?' || text === '？')) return true;
  }
  return false;
}

/** How many clauses stand before the one that asks. */
function freeClauses(lexemes: readonly Lexeme[], clauses: readonly Clause[]): number {
  const opens = (clause: Clause): boolean => {
    for (let at = clause.from; at < Math.min(clause.to, clause.from + 2); at += 1) {
      if (is(lexemes[at], 'question') || is(lexemes[at], 'ask')) return true;
    }
    return false;
  };
  const first = clauses[0];
  if (!first || opens(first)) return 0;
  for (let at = 1; at < clauses.length; at += 1) {
    const clause = clauses[at] as Clause;
    if (opens(clause) || clause.opener === 'strong') return at;
  }
  return Math.max(0, clauses.length - 1);
}

function rolesOf(lexemes: readonly Lexeme[]): ReadonlySet<Role> {
  const roles = new Set<Role>();
  for (const { info } of lexemes) {
    if (info.roles.size > 0) for (const role of info.roles) roles.add(role);
  }
  return roles;
}
