import { type Action, fits } from './actions.ts';
import type { EntryFacts, Facts } from './facts.ts';
import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Said } from './objection.ts';
import { namesThing, nameWords } from './tool-profile.ts';

/** Actions that say what was put in or taken out: a tool of another verb has to have to do with it. */
export const namesItsThing: ReadonlySet<Action> = new Set<Action>(['add', 'remove']);

/** Whether a statement names something that an entry has to do with. */
export function overlaps({ statement, lexemes, mentions }: Said, entry: EntryFacts): boolean {
  const { profile, fieldWords, answerFields, inputWords, answerWords } = entry;
  if (profile.actions.has('any')) return true;
  if (mentions.ids.some(({ id }) => entry.targets.has(id))) return true;
  for (let at = statement.from; at < statement.to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (at === statement.at || lexeme.kind === 'mark') continue;
    if (inputWords.has(lexeme.text) || answerWords.has(lexeme.text)) return true;
    if (lexeme.text.includes('-') && nameWords(lexeme.text).every((word) => inputWords.has(word))) {
      return true;
    }
    if (namesThing(lexeme, profile.nouns) || namesThing(lexeme, fieldWords)) return true;
    if (namesThing(lexeme, answerFields)) return true;
  }
  return false;
}

/** The entries whose tool may lie behind an action: those of its own verb, else those that bring it along. */
export interface Candidates {
  readonly best: readonly EntryFacts[];
  /** Both kinds. */
  readonly all: readonly EntryFacts[];
  /** Whether `best` are of the verb itself. */
  readonly exact: boolean;
}

/** The entries that a statement may speak of. */
export function candidatesOf(said: Said, facts: Facts): Candidates {
  const { action } = said.statement;
  const parted = facts.sameLanguage && (action === 'change' || namesItsThing.has(action));
  const parts = parted ? partsIn(said) : [];
  if (parts.length === 0) {
    const found = ofItems(said, candidatesFor(action, facts), facts);
    // "all the changes": of whatever kind they were.
    const sweeping = action === 'change' && said.statement.many === 'all';
    if (found.best.length > 0 || action !== 'change') return found;
    // "I've moved $20": money that changes place.
    const moved = said.mentions.amounts.length > 0 && candidatesFor('transfer', facts);
    return sweeping ? candidatesFor('any', facts) : moved || found;
  }
  const likely = facts.entries.filter((entry) => changesOneOf(parts, entry));
  const { exact, behind } = byFit(action, likely);
  if (exact.length + behind.length > 0) return joined(ofPart(parts, exact), ofPart(parts, behind));
  // "The luggage set has been changed": the word names a thing of the record, not a part of it.
  const named = candidatesFor(action, facts).all.filter(({ answerWords }) =>
    parts.some(({ text }) => answerWords.has(text)),
  );
  return joined(named, []);
}

const remembered = new WeakMap<Facts, Map<Action, Candidates>>();

/** Asked for with every statement, and the same each time. */
function candidatesFor(action: Action, facts: Facts): Candidates {
  const known = remembered.get(facts) ?? new Map<Action, Candidates>();
  remembered.set(facts, known);
  const before = known.get(action);
  if (before) return before;
  const { exact, behind } = byFit(action, facts.entries);
  const candidates = joined(exact, behind);
  known.set(action, candidates);
  return candidates;
}

function byFit(
  action: Action,
  entries: readonly EntryFacts[],
): { readonly exact: readonly EntryFacts[]; readonly behind: readonly EntryFacts[] } {
  const exact: EntryFacts[] = [];
  const behind: EntryFacts[] = [];
  for (const entry of entries) {
    const fit = fits(action, entry.profile.actions);
    if (fit === 2) exact.push(entry);
    else if (fit === 1) behind.push(entry);
  }
  return { exact, behind };
}

function joined(exact: readonly EntryFacts[], behind: readonly EntryFacts[]): Candidates {
  return exact.length > 0
    ? { best: exact, all: [...exact, ...behind], exact: true }
    : { best: behind, all: behind, exact: false };
}

/** The parts of a record that a statement says were changed: `address`, `items`. */
export function partsIn({ statement, lexemes }: Said): readonly Lexeme[] {
  const parts: Lexeme[] = [];
  for (let at = statement.from; at < statement.to; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme && is(lexeme, 'part')) parts.push(lexeme);
  }
  return parts;
}

/** "The laptop has been changed": a tool for another part than items, an address say, did not do it. */
function ofItems(said: Said, found: Candidates, facts: Facts): Candidates {
  const { action, generic } = said.statement;
  if (action !== 'change' || generic || !facts.sameLanguage || !namesItem(said, facts))
    return found;
  const fitting = (entries: readonly EntryFacts[]): readonly EntryFacts[] =>
    entries.filter(
      ({ profile: { parts } }) => parts.size === 0 || parts.has('items') || parts.has('item'),
    );
  return { best: fitting(found.best), all: fitting(found.all), exact: found.exact };
}

function namesItem({ statement, lexemes }: Said, facts: Facts): boolean {
  for (let at = statement.from; at < statement.at; at += 1) {
    const { kind, text, info } = lexemes[at] as Lexeme;
    if (kind !== 'word' || info.roles.size > 0 || info.thing || info.noun) continue;
    if (facts.isItemWord(text)) return true;
  }
  return false;
}

/** Those whose tool is named after such a part, if there are any. */
function ofPart(parts: readonly Lexeme[], entries: readonly EntryFacts[]): readonly EntryFacts[] {
  const named = entries.filter(({ profile }) =>
    parts.some((part) => namesThing(part, profile.parts)),
  );
  return named.length > 0 ? named : entries;
}

/** A tool for items changes no address; one for orders, or one that is handed an address, may. */
function changesOneOf(parts: readonly Lexeme[], entry: EntryFacts): boolean {
  const { nouns, parts: own } = entry.profile;
  if (parts.length === 0 || own.size === 0) return true;
  return parts.some((part) => namesThing(part, nouns) || namesThing(part, entry.fieldWords));
}
