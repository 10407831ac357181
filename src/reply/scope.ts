import type { Clause } from './clauses.ts';
import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Predicate } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';
import type { Statement } from './statement.ts';

/** Gives each verb the words around it that belong to it, and drops those that claim nothing. */
export function scopeStatements(
  state: SentenceState,
  predicates: readonly Predicate[],
): Statement[] {
  const statements: Statement[] = [];
  predicates.forEach((predicate, at) => {
    if (predicate.claim === 'none') return;
    const span = spanOf(state, predicates, at);
    statements.push({
      claim: predicate.claim,
      action: predicate.action,
      at: predicate.at,
      ...span,
      weak: predicate.weak,
      already: predicate.already,
      soft: predicate.soft,
      present: predicate.present,
      active: predicate.active,
      narrative: predicate.narrative,
      shared: predicate.shared,
      asked: predicate.asked,
      many: manyIn(state.lexemes, span),
      pronoun: pronounIn(state.lexemes, span, predicate),
      generic: predicate.generic,
    });
  });
  return statements;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The clause of a verb with the clauses around it that have no verb. Between two verbs, such a
 * clause goes with the one whose thing it continues.
 */
function spanOf(state: SentenceState, predicates: readonly Predicate[], at: number): Span {
  const { clauses, lexemes } = state;
  const own = predicates[at] as Predicate;
  const previous = predicates[at - 1];
  const next = predicates[at + 1];
  const from = previous ? boundary(state, previous, own) : 0;
  const to = next ? boundary(state, own, next) : lexemes.length;
  const clause = clauses[own.clause] as Clause;
  return { from: Math.min(from, clause.from, own.at), to: Math.max(to, own.until) };
}

/** Where what belongs to the first of two verbs ends and what belongs to the second begins. */
function boundary(state: SentenceState, first: Predicate, second: Predicate): number {
  const { clauses, lexemes } = state;
  if (first.clause === second.clause) return first.until;
  const firstClause = clauses[first.clause] as Clause;
  const secondClause = clauses[second.clause] as Clause;
  const continues = first.active || holdsCode(lexemes, first.until, firstClause.to);
  if (continues) return secondClause.from;
  const subjectless =
    secondClause.from === second.at || !holdsCode(lexemes, secondClause.from, second.at);
  return second.clause - first.clause > 1 && !subjectless ? firstClause.to : secondClause.from;
}

function holdsCode(lexemes: readonly Lexeme[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (lexemes[at]?.kind === 'code') return true;
  return false;
}

function manyIn(lexemes: readonly Lexeme[], { from, to }: Span): Statement['many'] {
  for (let at = from; at < to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (is(lexeme, 'both')) return 2;
    if (!is(lexeme, 'all')) continue;
    return countAfter(lexemes, at, to) ?? 'all';
  }
  return null;
}

/** The number in "all three orders" and "all 4". */
function countAfter(lexemes: readonly Lexeme[], at: number, to: number): number | undefined {
  for (let next = at + 1; next < Math.min(to, at + 4); next += 1) {
    const lexeme = lexemes[next] as Lexeme;
    if (lexeme.info.count !== undefined && lexeme.info.count > 1) return lexeme.info.count;
    if (lexeme.kind === 'number' && lexeme.text.length < 3) return Number(lexeme.text);
  }
  return undefined;
}

function pronounIn(
  lexemes: readonly Lexeme[],
  span: Span,
  predicate: Predicate,
): Statement['pronoun'] {
  if (predicate.shared && !predicate.active) return 'it';
  const near: Span = predicate.active
    ? { from: predicate.until, to: Math.min(span.to, predicate.until + 4) }
    : { from: span.from, to: predicate.at };
  for (let at = near.from; at < near.to; at += 1) {
    const lexeme = lexemes[at];
    if (!standsAlone(lexemes, at)) continue;
    if (is(lexeme, 'them')) return 'them';
    if (is(lexeme, 'it')) return 'it';
  }
  return null;
}

/** "this" before a noun is no pronoun, and neither is the "that" of a clause. */
function standsAlone(lexemes: readonly Lexeme[], at: number): boolean {
  const next = lexemes[at + 1];
  if (!next || next.kind === 'mark') return true;
  const { info } = next;
  if (next.kind !== 'word' || info.noun || info.thing || is(next, 'request')) return false;
  return info.roles.size > 0 && !is(next, 'definite') && !is(next, 'both') && !is(next, 'all');
}
