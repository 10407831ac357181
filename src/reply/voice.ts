import type { Clause } from './clauses.ts';
import { type Helpers, is, isAdverb, some } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Grammar } from './lexicon/lexicon.ts';
import type { Place } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';

/** How a participle is used. */
export interface Voice {
  readonly active: boolean;
  /** A past tense without helper. */
  readonly finite: boolean;
  /** Without any verb: `Refunded.`, `Order 7: cancelled`. */
  readonly label: boolean;
  /** A helper that speaks of now and not of what happened: `is cancelled`. */
  readonly present: boolean;
  /** Shares the helpers of the verb before. */
  readonly shared: boolean;
  readonly weak: boolean;
}

const plain: Voice = {
  active: false,
  finite: false,
  label: false,
  present: false,
  shared: false,
  weak: false,
};

/** Who is said to have done what by a participle; undefined where it says nothing of a deed. */
export function voiceOf(state: SentenceState, place: Place, helpers: Helpers): Voice | undefined {
  const { roles } = helpers;
  const has = (role: 'been' | 'be' | 'beBare' | 'have' | 'haveSelf'): boolean => roles.has(role);
  if (has('been') || has('beBare')) return plain;
  if (has('haveSelf')) return { ...plain, active: true };
  if (has('have')) {
    const actor = actorOf(state, place, helpers.from);
    if (actor === 'self') return { ...plain, active: true };
    // "Your refund has completed": a verb that needs no object.
    const byItself = actor === 'none' && is(state.lexemes[place.at], 'done');
    return has('be') || byItself ? plain : undefined;
  }
  if (has('be')) return { ...plain, present: true };
  if (roles.has('future') || roles.has('modal') || roles.has('infinitive')) return undefined;
  return (
    finiteVoice(state, place) ??
    sharedVoice(state, place) ??
    continuedVoice(state, place) ??
    labelVoice(state, place)
  );
}

/** Who stands nearest before a verb; in a clause without a subject, who acted before. */
function actorOf(state: SentenceState, place: Place, verbFrom: number): SentenceState['subject'] {
  const { lexemes, language } = state;
  // "Ihre Bestellung haben wir storniert": the subject may stand after its helper.
  const last = language.grammar.helper === 'clause' ? place.at : verbFrom;
  if (last > verbFrom && some(lexemes, place.clause.from, last, 'self')) return 'self';
  for (let at = last - 1; at >= place.clause.from; at -= 1) {
    if (is(lexemes[at], 'self')) return 'self';
    if (is(lexemes[at], 'other')) return 'other';
  }
  for (let at = place.clause.from; at < verbFrom; at += 1) {
    if (is(lexemes[at], 'definite') || lexemes[at]?.info.thing) return 'none';
  }
  return place.clause.opener === 'and' || place.clause.opener === 'comma' ? state.subject : 'none';
}

/** "I cancelled": a past tense right after its subject. */
function finiteVoice(state: SentenceState, place: Place): Voice | undefined {
  const { lexemes, language } = state;
  const { info } = lexemes[place.at] as Lexeme;
  const ownForm = info.past !== undefined || info.light === 'past';
  const form = ownForm || language.grammar.participleIsPast;
  if (!form) return undefined;
  let at = place.at - 1;
  while (at >= place.clause.from && isAdverb(lexemes[at], language.grammar)) at -= 1;
  const self = at >= place.clause.from && is(lexemes[at], 'self');
  if (self || (ownForm && !language.grammar.participleIsPast)) {
    return { ...plain, active: true, finite: true };
  }
  return undefined;
}

/** "has been cancelled and refunded", "I cancelled it and refunded you": no helper of its own. */
function sharedVoice(state: SentenceState, place: Place): Voice | undefined {
  const { before, lexemes, language } = state;
  const { clause } = place;
  if (!before || !place.shares || (clause.opener !== 'and' && clause.opener !== 'comma')) {
    return undefined;
  }
  for (let at = clause.from; at < place.at; at += 1) {
    const lexeme = lexemes[at];
    if (!isAdverb(lexeme, language.grammar) && !is(lexeme, 'and')) return undefined;
  }
  if (isAttribute(lexemes, place.at)) return undefined;
  return { ...plain, active: before.active, shared: true };
}

/** "I went ahead and cancelled it": the subject stands in the clause before. */
function continuedVoice(state: SentenceState, place: Place): Voice | undefined {
  const { lexemes, language, subject } = state;
  const { clause, at } = place;
  if (subject !== 'self' || (clause.opener !== 'and' && clause.opener !== 'comma'))
    return undefined;
  const { info } = lexemes[at] as Lexeme;
  if (!language.grammar.participleIsPast && !info.past && info.light !== 'past') return undefined;
  for (let before = clause.from; before < at; before += 1) {
    const lexeme = lexemes[before];
    if (!isAdverb(lexeme, language.grammar) && !is(lexeme, 'and')) return undefined;
  }
  return isAttribute(lexemes, at) ? undefined : { ...plain, active: true, finite: true };
}

/** "pending and delivered orders": before a bare noun, a participle only describes it. */
function isAttribute(lexemes: readonly Lexeme[], at: number): boolean {
  const next = lexemes[at + 1];
  if (!next?.info.thing && !next?.info.noun) return false;
  const after = lexemes[at + 2];
  return after?.kind !== 'code' && after?.kind !== 'number';
}

const longestLabel = 12;

/** "Refunded $20", "Order 7: cancelled", "Email sent": no verb at all. */
function labelVoice(state: SentenceState, place: Place): Voice | undefined {
  const { lexemes, language } = state;
  const { clause, at } = place;
  if (clause.to - clause.from > longestLabel || state.around.amongOptions) return undefined;
  for (let later = at + 1; later < clause.to; later += 1) {
    if (isFiniteVerb(lexemes[later])) return undefined;
  }
  let first = clause.from;
  while (first < at && leads(lexemes[first], language.grammar)) {
    first += 1;
  }
  if (first === at) return leadingLabel(state, place);
  return isCaption(state, place, first) ? { ...plain, label: true } : undefined;
}

/** What may stand before a label: a mark, an adverb, a "not". */
function leads(lexeme: Lexeme | undefined, grammar: Grammar): boolean {
  return isAdverb(lexeme, grammar) || isBullet(lexeme) || is(lexeme, 'negation');
}

function isFiniteVerb(lexeme: Lexeme | undefined): boolean {
  const roles = lexeme?.info.roles;
  if (!roles) return false;
  return (
    roles.has('be') ||
    roles.has('been') ||
    roles.has('beBare') ||
    roles.has('have') ||
    roles.has('cannot') ||
    roles.has('future') ||
    roles.has('modal')
  );
}

function isBullet(lexeme: Lexeme | undefined): boolean {
  return lexeme?.kind === 'mark' || is(lexeme, 'yes');
}

/** A participle that opens its clause; beside a noun and a colon it only names a field. */
function leadingLabel(state: SentenceState, place: Place): Voice | undefined {
  const { lexemes, clauses } = state;
  const { clause, at, index } = place;
  const opener = clause.opener;
  if (opener === 'paren') return { ...plain, label: true };
  if (opener !== 'start' && opener !== 'strong') return undefined;
  const previous = clauses[index - 1];
  if (opener === 'strong' && previous && namesChoices(lexemes, previous)) {
    return undefined;
  }
  const follower = lexemes[clause.to];
  const namesField = follower?.text === ':' && clause.to > at + 1 && index < clauses.length - 1;
  if ((namesField || endsAsField(lexemes, at, clause.to)) && !holdsCode(lexemes, at, clause.to)) {
    return undefined;
  }
  return { ...plain, label: true };
}

/** "Cancelled order tracking number:": a thing, and at the end what announces its identifier. */
function endsAsField(lexemes: readonly Lexeme[], at: number, to: number): boolean {
  let last = to - 1;
  while (last > at && lexemes[last]?.kind === 'mark') last -= 1;
  if (!is(lexemes[last], 'idCue')) return false;
  for (let before = at + 1; before < last; before += 1)
    if (lexemes[before]?.info.thing) return true;
  return false;
}

function namesChoices(lexemes: readonly Lexeme[], { from, to }: Clause): boolean {
  return some(lexemes, from, to, 'document') || some(lexemes, from, to, 'choice');
}

function holdsCode(lexemes: readonly Lexeme[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const kind = lexemes[at]?.kind;
    if (kind === 'code' || kind === 'number') return true;
  }
  return false;
}

/** "Email sent", "Order #7 cancelled": nouns, then the participle, and little after it. */
function isCaption(state: SentenceState, place: Place, first: number): boolean {
  const { lexemes, language } = state;
  const { clause, at } = place;
  if (clause.opener !== 'start' && clause.opener !== 'strong') return false;
  const label = first;
  first = captionHead(lexemes, first, at);
  // "all 3 items requested for return" describes them.
  if (first > label && at + 1 < clause.to && lexemes[at + 1]?.kind !== 'mark') return false;
  const head = lexemes[first] as Lexeme;
  const named = head.info.noun ?? head.info.thing ?? (head.kind === 'code' ? 'any' : undefined);
  if (!named && !is(head, 'request') && !is(head, 'part')) return false;
  for (let before = first + 1; before < at; before += 1) {
    const lexeme = lexemes[before] as Lexeme;
    if (isFiniteVerb(lexeme)) return false;
    const fits =
      lexeme.kind !== 'word' ||
      lexeme.info.noun !== undefined ||
      lexeme.info.thing !== undefined ||
      is(lexeme, 'request') ||
      is(lexeme, 'idCue') ||
      is(lexeme, 'part') ||
      is(lexeme, 'link') ||
      is(lexeme, 'negation') ||
      isAdverb(lexeme, language.grammar);
    if (!fits) return false;
  }
  return true;
}

const mostQualifiers = 2;

/** "All 4 items returned", "Pending orders cancelled": the noun of a caption, after what counts or qualifies it. */
function captionHead(lexemes: readonly Lexeme[], first: number, at: number): number {
  let head = first;
  while (head < at - 1 && head - first < mostQualifiers) {
    const { kind, info } = lexemes[head] as Lexeme;
    const counts = kind === 'number' || info.count !== undefined || info.roles.has('all');
    const qualifies = kind === 'word' && info.roles.size === 0 && !info.noun && !info.thing;
    if (!counts && !qualifies) break;
    head += 1;
  }
  const { info } = lexemes[head] as Lexeme;
  return info.noun || info.thing || info.roles.has('part') ? head : first;
}
