import type { Action } from './actions.ts';
import { type Helpers, helpersOf, is, some } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import { isAsked, isSoft, isWeak, polarityOf } from './polarity.ts';
import { type Place, type Predicate, predicate } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';
import { type Voice, voiceOf } from './voice.ts';

/** Reads a participle or a past tense together with its helpers and its subject. */
export function readParticiple(state: SentenceState, place: Place): Predicate | undefined {
  const { lexemes, language } = state;
  const { clause, at } = place;
  const helpers = helpersOf(lexemes, at, clause.from, clause.to, language.grammar);
  const voice = voiceOf(state, place, helpers);
  if (!voice) return undefined;
  if (assertsWhat(state, place, voice)) return undefined;
  const meaning = meaningFor(state, place, helpers, voice);
  if (!meaning) return undefined;
  const asked = meaning.asked ?? isAsked(lexemes[at]);
  const base = { ...meaning, active: voice.active, asked };
  const polarity = polarityOf(state, place, helpers, voice);
  if (polarity === 'none') return predicate(place, { ...base, claim: 'none' });
  const nothing = polarity === 'denied' && some(lexemes, clause.from, place.at, 'nothing');
  return predicate(place, {
    ...base,
    ...(nothing && base.action === 'change' ? { action: 'any' as const, generic: true } : {}),
    claim: polarity === 'denied' ? 'not_done' : polarity,
    soft: polarity === 'denied' && isSoft(state, place),
    // "(not returned)" may be said of anything, unless it names what.
    weak: isWeak(state, place, helpers, voice) || (voice.label && polarity === 'denied'),
    present: voice.present || voice.label,
    narrative: helpers.roles.has('was') && !helpers.roles.has('have'),
    shared: voice.shared,
    already: some(lexemes, clause.from, clause.to, 'already'),
  });
}

/** "I've confirmed the order is delivered": what was confirmed is what follows, and no deed. */
function assertsWhat({ lexemes }: SentenceState, { clause, at }: Place, voice: Voice): boolean {
  if (!voice.active || !is(lexemes[at], 'proof')) return false;
  return some(lexemes, at + 1, clause.to, 'be') || some(lexemes, at + 1, clause.to, 'been');
}

/** The action of a participle: its own, or that of the noun it hands over or leaves as it is. */
function meaningFor(
  state: SentenceState,
  place: Place,
  helpers: Helpers,
  voice: Voice,
): Meaning | undefined {
  const { lexemes } = state;
  const { clause, at } = place;
  const { info } = lexemes[at] as Lexeme;
  const heavy: Action | undefined = voice.finite
    ? (info.past ?? info.done)
    : (info.done ?? info.past);
  const subject = Math.min(state.subjectFrom, clause.from);
  if (heavy === 'change' && some(lexemes, subject, clause.to, 'state')) {
    // Whatever is done to a thing changes how it stands.
    return { action: 'any', generic: true };
  }
  if (heavy && !handsOver.has(heavy)) return { action: heavy, generic: false };
  const noun = meaningOf(state, place, helpers.from, voice.active);
  if (!heavy || (noun && !noun.generic)) return noun;
  if (heavy === 'send') {
    // In German and Dutch an object stands before its participle.
    const apart = state.language.grammar.helper === 'clause';
    const [from, to] = voice.active
      ? [apart ? clause.from : at + 1, clause.to]
      : [Math.min(state.subjectFrom, clause.from), helpers.from];
    // "The request was sent": what was sent is the call itself and no message.
    if (some(lexemes, from, to, 'request')) return { action: 'any', generic: true, asked: true };
    // "Order 7 was sent": goods are sent on their way.
    if (namesGoods(lexemes, from, to)) return { action: 'ship', generic: false };
  }
  const filed = heavy === 'register' ? nounAfter(lexemes, at + 1, clause.to) : undefined;
  return { action: filed ?? heavy, generic: false };
}

function namesGoods(lexemes: readonly Lexeme[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (lexemes[at]?.info.thing === 'order') return true;
  return false;
}

/** "registered for return". */
function nounAfter(lexemes: readonly Lexeme[], from: number, to: number): Action | undefined {
  for (let at = from; at < to; at += 1) {
    const noun = lexemes[at]?.info.noun ?? lexemes[at]?.info.base;
    if (noun) return noun;
  }
  return undefined;
}

/** Verbs that hand a request over: "I've sent the refund" speaks of the refund. */
const handsOver: ReadonlySet<Action> = new Set<Action>([
  'send',
  'create',
  'register',
  'approve',
  'book',
]);
