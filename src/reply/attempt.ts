import type { Action } from './actions.ts';
import { is, some } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import { meaningOf } from './meaning.ts';
import { type Place, type Predicate, predicate } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';

/** Reads "could not cancel", "cannot cancel" and "managed to cancel" with the verb that follows. */
export function readAttempt(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes } = state;
  const lexeme = lexemes[place.at] as Lexeme;
  const verb = verbAfter(state, place);
  if (!verb) return undefined;
  const said = {
    action: verb.action,
    generic: verb.action === 'any',
    until: verb.at + 1,
    active: true,
  };
  const denied = some(lexemes, place.clause.from, place.at, 'negation');
  if (is(lexeme, 'managedTo')) {
    return predicate(place, { ...said, claim: denied ? 'not_done' : 'done' });
  }
  if (is(lexeme, 'cannot')) {
    // What cannot be done as a rule is no report.
    return predicate(place, { ...said, claim: 'none' });
  }
  const actor = actsSelf(state, place) || verb.passive;
  return predicate(place, { ...said, claim: actor ? 'not_done' : 'none', active: !verb.passive });
}

/**
 * Reads "konnte ich nicht stornieren" and "kon niet worden geannuleerd": the verb of trying stands
 * apart from the verb that was tried, and only a denial between them says that it failed.
 */
export function readCould(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes } = state;
  const { clause, at } = place;
  const { info } = lexemes[at] as Lexeme;
  const heavy = info.base ?? info.done;
  const meaning = heavy
    ? { action: heavy, generic: false }
    : (meaningOf(state, place, at, false) ?? meaningOf(state, place, at, true));
  if (!meaning) return undefined;
  const passive = some(lexemes, clause.from, clause.to, 'beBare');
  const other = some(lexemes, clause.from, clause.to, 'other');
  const self = some(lexemes, clause.from, clause.to, 'self');
  const denied = some(lexemes, clause.from, clause.to, 'negation');
  const said = passive || self || !other;
  const claim = !said ? 'none' : denied ? 'not_done' : 'done';
  return predicate(place, { ...meaning, claim, active: !passive });
}

interface Verb {
  readonly action: Action;
  readonly at: number;
  readonly passive: boolean;
}

/** The verb that is attempted, or the noun of a light one. */
function verbAfter(state: SentenceState, place: Place): Verb | undefined {
  const { lexemes } = state;
  let light = -1;
  let passive = false;
  for (let at = place.at + 1; at < place.clause.to; at += 1) {
    const { info } = lexemes[at] as Lexeme;
    if (is(lexemes[at], 'beBare') || is(lexemes[at], 'been')) passive = true;
    if (info.base && !passive) return { action: info.base, at, passive };
    if (info.done && passive) return { action: info.done, at, passive };
    if (info.light && light < 0) light = at;
    if (info.noun && light >= 0) return { action: info.noun, at, passive };
    if (light >= 0 && light !== at && (is(lexemes[at], 'request') || is(lexemes[at], 'it'))) {
      return { action: 'any', at, passive };
    }
  }
  if (light < 0 || !passive) return undefined;
  const own = nounIn(lexemes, place.clause.from, place.at);
  const action = own ?? nounIn(lexemes, Math.min(state.subjectFrom, place.at), place.at) ?? 'any';
  return { action, at: light, passive };
}

function nounIn(lexemes: readonly Lexeme[], from: number, to: number): Action | undefined {
  for (let at = from; at < to; at += 1) {
    const noun = lexemes[at]?.info.noun;
    if (noun) return noun;
  }
  return undefined;
}

function actsSelf(state: SentenceState, place: Place): boolean {
  const { lexemes } = state;
  for (let at = place.at - 1; at >= place.clause.from; at -= 1) {
    if (is(lexemes[at], 'self')) return true;
    if (is(lexemes[at], 'other')) return false;
  }
  return state.subject !== 'other';
}
