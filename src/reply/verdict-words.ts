import type { Action } from './actions.ts';
import { helpersOf, is, isAdverb, some } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import { meaningOf } from './meaning.ts';
import { isSubordinate } from './polarity.ts';
import { type Place, type Predicate, predicate } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';

/** Reads "the refund failed" and "was declined": no action but a noun's. */
export function readFailing(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes, subjectFrom } = state;
  const { clause, at } = place;
  const action =
    nounIn(lexemes, Math.min(subjectFrom, clause.from), at) ?? nounIn(lexemes, at + 1, clause.to);
  const pronoun = some(lexemes, clause.from, at, 'it') || some(lexemes, clause.from, at, 'request');
  if (!action && !pronoun) return undefined;
  const hypothetical =
    some(lexemes, clause.from, at, 'modal') || some(lexemes, clause.from, at, 'negation');
  return predicate(place, {
    action: action ?? 'any',
    generic: !action,
    claim: hypothetical ? 'none' : 'not_done',
    soft: clauseSaysYet(state, place),
    weak: state.mode === 'relative',
  });
}

/** Reads "the refund went through" and "the new version is live". */
export function readThrough(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes } = state;
  const { clause, at } = place;
  const { whole } = (lexemes[at] as Lexeme).info;
  const meaning = whole ? { action: whole, generic: false } : meaningOf(state, place, at, false);
  if (!meaning) return undefined;
  const none =
    some(lexemes, clause.from, at, 'modal') ||
    (state.conditional && whole !== undefined) ||
    some(lexemes, clause.from, at, 'hedge') ||
    some(lexemes, clause.from, at, 'future');
  const denied = some(lexemes, clause.from, at, 'negation');
  return predicate(place, {
    ...meaning,
    claim: none ? 'none' : denied ? 'not_done' : 'done',
    soft: denied && clauseSaysYet(state, place),
    weak: isSubordinate(state),
  });
}

function clauseSaysYet(state: SentenceState, place: Place): boolean {
  return some(state.lexemes, place.clause.from, place.clause.to, 'yet');
}

/** Reads "you will receive a refund". */
export function readReceiving(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes } = state;
  const { clause, at } = place;
  if (!some(lexemes, clause.from, at, 'future') && !is(lexemes[at], 'future')) return undefined;
  if (some(lexemes, clause.from, at, 'negation')) return undefined;
  const action = nounIn(lexemes, at + 1, clause.to);
  if (action !== 'refund') return undefined;
  return predicate(place, {
    action,
    claim: state.conditional ? 'none' : 'will_be_done',
    active: true,
  });
}

/** Reads "is complete", "Refund successful", "Done!" and "all set". */
export function readState(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes, language } = state;
  const { clause, at } = place;
  const helpers = helpersOf(lexemes, at, clause.from, clause.to, language.grammar);
  const { roles } = helpers;
  const verb = roles.has('been') || roles.has('be') || roles.has('beBare');
  if (!verb && !isLabel(state, place)) return undefined;
  const meaning = stateMeaning(state, place, helpers.from, verb);
  if (!meaning) return undefined;
  const denied =
    roles.has('negation') ||
    is(lexemes[clause.from], 'negation') ||
    some(lexemes, clause.from, helpers.from, 'nothing');
  const none =
    roles.has('modal') ||
    roles.has('infinitive') ||
    roles.has('hedge') ||
    roles.has('ongoing') ||
    roles.has('future') ||
    some(lexemes, clause.from, helpers.from, 'hedge') ||
    state.conditional ||
    state.roles.has('policy');
  return predicate(place, {
    ...meaning,
    claim: none ? 'none' : denied ? 'not_done' : 'done',
    soft: denied,
    present: !roles.has('been'),
    weak: meaning.weak || isSubordinate(state),
    already: some(lexemes, clause.from, clause.to, 'already'),
  });
}

interface StateMeaning {
  readonly action: Action;
  readonly generic: boolean;
  readonly weak: boolean;
}

function stateMeaning(
  state: SentenceState,
  place: Place,
  verbFrom: number,
  verb: boolean,
): StateMeaning | undefined {
  const { lexemes } = state;
  const meaning = meaningOf(state, place, verbFrom, false);
  if (meaning && !meaning.generic) return { ...meaning, weak: false };
  if (verb) {
    if (meaning) return { ...meaning, weak: !some(lexemes, place.clause.from, verbFrom, 'it') };
    const you = some(lexemes, place.clause.from, verbFrom, 'other');
    return you ? { action: 'any', generic: true, weak: true } : undefined;
  }
  const labelled = labelNoun(state, place);
  if (labelled) return { action: labelled, generic: false, weak: false };
  const alone = place.clause.to - place.clause.from <= 2;
  return alone ? { action: 'any', generic: true, weak: true } : undefined;
}

/** Without a verb: `Done!`, `Refund successful`, `Refund status: complete`. */
function isLabel(state: SentenceState, place: Place): boolean {
  const { lexemes, language, around } = state;
  const { clause, at } = place;
  if (around.amongOptions || clause.to - clause.from > 6) return false;
  if (clause.opener !== 'start' && clause.opener !== 'strong') return false;
  for (let before = clause.from; before < at; before += 1) {
    const lexeme = lexemes[before] as Lexeme;
    const fits =
      lexeme.kind !== 'word' ||
      isAdverb(lexeme, language.grammar) ||
      lexeme.info.noun !== undefined ||
      lexeme.info.thing !== undefined ||
      is(lexeme, 'request') ||
      is(lexeme, 'yes');
    if (!fits) return false;
  }
  for (let after = at + 1; after < clause.to; after += 1) {
    const lexeme = lexemes[after] as Lexeme;
    if (lexeme.kind === 'word' && !isAdverb(lexeme, language.grammar) && !is(lexeme, 'yes'))
      return false;
  }
  return true;
}

/** The action that a label's field names, in the clause before a colon or a bar. */
function labelNoun(state: SentenceState, place: Place): Action | undefined {
  const { lexemes, clauses } = state;
  if (place.clause.opener !== 'strong') return undefined;
  const previous = clauses[place.index - 1];
  if (!previous || previous.to - previous.from > 6) return undefined;
  if (some(lexemes, previous.from, previous.to, 'choice')) return undefined;
  for (let at = previous.from; at < previous.to; at += 1) {
    const { info } = lexemes[at] as Lexeme;
    if (info.noun ?? info.base) return info.noun ?? info.base;
  }
  return undefined;
}

function nounIn(lexemes: readonly Lexeme[], from: number, to: number): Action | undefined {
  for (let at = from; at < to; at += 1) {
    const noun = lexemes[at]?.info.noun;
    if (noun) return noun;
  }
  return undefined;
}
