import type { Clause } from './clauses.ts';
import { type Helpers, is, some } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Place } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';
import type { Voice } from './voice.ts';

type Polarity = 'done' | 'denied' | 'will_be_done' | 'none';

/** Whether a participle says that it was done, that it was not, or that it will be. */
export function polarityOf(
  state: SentenceState,
  place: Place,
  helpers: Helpers,
  voice: Voice,
): Polarity {
  const { lexemes } = state;
  const { clause } = place;
  if (voice.shared) return sharedPolarity(state);
  const { roles } = helpers;
  if (roles.has('ongoing') || roles.has('hedge')) return 'none';
  if (some(lexemes, clause.from, helpers.from, 'hedge')) return 'none';
  if (isDenied(state, place, helpers)) {
    return roles.has('future') || roles.has('modal') || roles.has('infinitive') ? 'none' : 'denied';
  }
  if (roles.has('future')) {
    const promise = !voice.active && !roles.has('modal') && !state.conditional;
    return promise && !state.roles.has('policy') ? 'will_be_done' : 'none';
  }
  if (roles.has('modal') || roles.has('infinitive') || roles.has('beBare')) return 'none';
  if (isRestrictive(state, clause)) return 'none';
  if (voice.present && !isDefiniteState(state, helpers)) return 'none';
  return 'done';
}

function sharedPolarity(state: SentenceState): Polarity {
  const claim = state.before?.claim;
  return claim === 'not_done' ? 'denied' : (claim ?? 'none');
}

function isDenied(state: SentenceState, place: Place, helpers: Helpers): boolean {
  const { lexemes } = state;
  if (helpers.roles.has('negation')) return true;
  const from = place.clause.from;
  for (let at = from; at < helpers.from; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (is(lexeme, 'nothing')) return true;
    if (!is(lexeme, 'negation')) continue;
    const opens = at === from || (at === from + 1 && is(lexemes[from], 'and'));
    if (opens || lexemes[at + 1]?.info.noun || lexemes[at + 2]?.info.noun) return true;
  }
  return false;
}

/** "is cancelled" tells of a thing that is pointed at; "refunds are processed within days" is a rule. */
function isDefiniteState(state: SentenceState, helpers: Helpers): boolean {
  const { lexemes, subjectFrom } = state;
  if (state.roles.has('policy') || namesSpan(lexemes)) return false;
  if (state.conditional) return false;
  if (helpers.roles.has('now')) return true;
  for (let at = Math.min(subjectFrom, helpers.from); at < helpers.from; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (
      is(lexeme, 'definite') ||
      is(lexeme, 'it') ||
      is(lexeme, 'them') ||
      lexeme.kind === 'code'
    ) {
      return true;
    }
    if (lexeme.kind === 'number' && at > 0 && is(lexemes[at - 1], 'idCue')) return true;
    if (isName(lexeme) && isName(lexemes[at + 1])) return true;
  }
  return false;
}

/** A span of time; a greeting such as "Dag" at the beginning is none. */
function namesSpan(lexemes: readonly Lexeme[]): boolean {
  return lexemes.some((lexeme, at) => at > 0 && is(lexeme, 'span'));
}

/** A capital letter on a word that no lexicon has. */
function isName(lexeme: Lexeme | undefined): boolean {
  if (lexeme?.kind !== 'word' || lexeme.info.roles.size > 0) return false;
  const first = lexeme.raw.slice(0, 1);
  return first !== first.toLowerCase() && !lexeme.info.noun && !lexeme.info.thing;
}

/** "an order that has been refunded", "tickets which were booked": a kind of thing, not a thing. */
function isRestrictive(state: SentenceState, clause: Clause): boolean {
  const { lexemes, clauses } = state;
  const index = clauses.indexOf(clause);
  const narrows =
    clause.opener === 'relative' || (clause.opener === 'that' && isRelativeThat(state, index));
  const head = clauses[index - 1];
  if (!narrows || !head) return false;
  for (let at = head.from; at < head.to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (lexeme.kind === 'code' || lexeme.kind === 'number' || is(lexeme, 'definite')) return false;
  }
  return true;
}

/** Whether a denial says only that it is not done yet: a proven success alone contradicts it. */
export function isSoft(state: SentenceState, place: Place): boolean {
  const { lexemes } = state;
  const { clause, at } = place;
  const yet = (from: number, to: number): boolean => {
    for (let near = from; near < to; near += 1) if (is(lexemes[near], 'yet')) return true;
    return false;
  };
  return yet(clause.from, clause.to) || is(lexemes[at], 'proof');
}

/** Whether it is said in passing, of others, or of the past: held only against a write that it contradicts. */
export function isWeak(
  state: SentenceState,
  place: Place,
  helpers: Helpers,
  voice: Voice,
): boolean {
  const { lexemes } = state;
  const { clause, at, index } = place;
  if (voice.weak || isSubordinate(state)) return true;
  if (clause.opener === 'that' && isRelativeThat(state, index)) return true;
  if (!helpers.roles.has('have') && some(lexemes, clause.from, clause.to, 'past')) return true;
  for (let by = at + 1; by < clause.to; by += 1) {
    if (!is(lexemes[by], 'by')) continue;
    if (some(lexemes, by + 1, Math.min(by + 4, clause.to), 'other')) return true;
  }
  return false;
}

/** Whether a clause only explains or describes. */
export function isSubordinate({ mode }: SentenceState): boolean {
  return mode === 'relative' || mode === 'reason';
}

/** A "that" right after a noun narrows it down. */
function isRelativeThat(state: SentenceState, index: number): boolean {
  const clause = state.clauses[index];
  const before = clause ? state.lexemes[clause.from - 1] : undefined;
  if (!before) return false;
  const { info, kind } = before;
  return (
    kind === 'code' || info.thing !== undefined || info.noun !== undefined || is(before, 'request')
  );
}

/** Whether it says only that it was asked for or begun. */
export function isAsked(lexeme: Lexeme | undefined): boolean {
  return is(lexeme, 'asked');
}
