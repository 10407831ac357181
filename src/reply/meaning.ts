import type { Action } from './actions.ts';
import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Place } from './predicate.ts';
import type { SentenceState } from './sentence-state.ts';

/** What a verb without a meaning of its own is about. */
export interface Meaning {
  readonly action: Action;
  /** Whether no action was named, only a thing or a pronoun. */
  readonly generic: boolean;
  /** Whether only a request is said to have left; left out, the verb tells. */
  readonly asked?: boolean;
}

/**
 * The action that a light verb or an adjective speaks of: the first noun of an action near it, else
 * a thing, else a request or a pronoun. Undefined where it speaks of something else.
 */
export function meaningOf(
  state: SentenceState,
  place: Place,
  verbFrom: number,
  active: boolean,
): Meaning | undefined {
  const { lexemes, subjectFrom } = state;
  const verb = lexemes[place.at] as Lexeme;
  const before: Span = [Math.min(subjectFrom, verbFrom), verbFrom];
  const after: Span = [place.at + 1, place.clause.to];
  const spans = active ? [after, before] : mayFollow(lexemes, before) ? [before, after] : [before];
  const own: Span = [Math.max(place.clause.from, before[0]), verbFrom];
  const nearest = active ? spans : [own, ...spans];
  for (const span of nearest) {
    const noun = firstOf(lexemes, span, ({ info }) => info.noun);
    if (noun) return { action: noun, generic: false };
  }
  for (const span of active ? [after] : [before]) {
    const thing = firstOf(lexemes, span, ({ info }) => info.thing);
    if (thing && (is(verb, 'makes') || thing === 'change'))
      return { action: thing, generic: false };
    const request = firstOf(lexemes, span, isRequest);
    if (!thing && !request) continue;
    const asked = request && !active ? firstOf(lexemes, span, ({ info }) => info.base) : undefined;
    return asked ? { action: asked, generic: false } : { action: 'any', generic: true };
  }
  return undefined;
}

/** "$20 has been issued as a refund": a subject that names no thing leaves it to what follows. */
function mayFollow(lexemes: readonly Lexeme[], [from, to]: Span): boolean {
  if (from === to) return true;
  for (let at = from; at < to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (lexeme.kind === 'number' || is(lexeme, 'it')) return true;
  }
  return false;
}

type Span = readonly [from: number, to: number];

function firstOf<T>(
  lexemes: readonly Lexeme[],
  [from, to]: Span,
  find: (lexeme: Lexeme) => T | undefined,
): T | undefined {
  for (let at = from; at < to; at += 1) {
    const found = find(lexemes[at] as Lexeme);
    if (found) return found;
  }
  return undefined;
}

function isRequest(lexeme: Lexeme): true | undefined {
  const found =
    is(lexeme, 'request') ||
    is(lexeme, 'it') ||
    is(lexeme, 'them') ||
    is(lexeme, 'all') ||
    is(lexeme, 'both');
  return found || undefined;
}
