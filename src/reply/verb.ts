import { readAttempt, readCould } from './attempt.ts';
import type { Clause } from './clauses.ts';
import { is, some } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import { readParticiple } from './participle.ts';
import { type Place, type Predicate, predicate } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';
import { readFailing, readReceiving, readState, readThrough } from './verdict-words.ts';

/** The verb at one lexeme, if it is one. */
export function predicateAt(
  state: SentenceState,
  clause: Clause,
  index: number,
  at: number,
  shares: boolean,
): Predicate | undefined {
  const lexeme = state.lexemes[at] as Lexeme;
  const { info } = lexeme;
  const place: Place = { clause, index, at, shares };
  if (is(lexeme, 'unchanged') && !some(state.lexemes, clause.from, at, 'figure'))
    return predicate(place, { claim: 'not_done', action: 'any', generic: true });
  const apart = state.language.grammar.helper === 'clause';
  if (apart && some(state.lexemes, clause.from, clause.to, 'failedTo')) {
    if (info.base || info.done || info.light) return readCould(state, place);
    if (is(lexeme, 'done')) return undefined;
  } else if (is(lexeme, 'failedTo') || is(lexeme, 'cannot') || is(lexeme, 'managedTo')) {
    const attempt = readAttempt(state, place);
    if (attempt) return attempt;
  }
  if (is(lexeme, 'failing')) {
    const failing = readFailing(state, place);
    if (failing) return failing;
  }
  if (is(lexeme, 'through') || info.whole) return readThrough(state, place);
  if (is(lexeme, 'both')) {
    const noun = state.lexemes[at + 1]?.info.noun;
    if (noun) return predicate(place, { claim: 'will_be_done', action: noun, weak: true });
  }
  if (is(lexeme, 'receive')) {
    const receiving = readReceiving(state, place);
    if (receiving) return receiving;
  }
  if (state.around.ticked && info.base && at === 0) {
    return predicate(place, { claim: 'done', action: info.base });
  }
  if (info.done || info.past || info.light === 'done' || info.light === 'past') {
    const participle = readParticiple(state, place);
    if (participle) return participle;
  }
  return is(lexeme, 'done') ? readState(state, place) : undefined;
}
