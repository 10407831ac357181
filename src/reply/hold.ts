import { type Action, bringsIntoBeing, fits, movesMoney } from './actions.ts';
import type { EntryFacts, Facts, PastFact } from './facts.ts';
import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { IdMention, Mentions } from './mentions.ts';
import { sameShape } from './shapes.ts';
import type { Statement } from './statement.ts';
import { isPart, namesThing, nameWords } from './tool-profile.ts';
import type { ReplyClaim, ReplyFindingCode } from './types.ts';

/** What the rest of the reply says that bears on one statement. */
export interface Context {
  /** The reply asks for leave to act: what it promises is an offer. */
  readonly asks: boolean;
  /** It says nearby that something is still being confirmed. */
  readonly confirming: boolean;
  /** The identifiers that were named last. */
  readonly antecedent: readonly IdMention[];
  /** The entries that the last statement was held against. */
  readonly last: readonly EntryFacts[];
}

/** How a statement stands against the record. */
export interface Held {
  /** The entries that it speaks of. */
  readonly entries: readonly EntryFacts[];
  readonly objections: readonly Objection[];
}

/** Why a statement does not stand, and what is true instead. */
export interface Objection {
  readonly code: ReplyFindingCode;
  readonly claim: ReplyClaim;
  readonly action: Action;
  readonly entity: string | null;
  /** The entry that is contradicted. */
  readonly entry: EntryFacts | null;
  readonly reason: string;
}

/** A statement with the words and names that belong to it. */
export interface Said {
  readonly statement: Statement;
  readonly lexemes: readonly Lexeme[];
  readonly mentions: Mentions;
  /** Identifiers of the whole sentence. */
  readonly around: readonly IdMention[];
}

/** Holds one statement against the record. */
export function hold(said: Said, facts: Facts, context: Context): Held {
  const { claim } = said.statement;
  if (claim === 'not_done') return holdDenial(said, facts, context);
  if (claim === 'will_be_done') return holdPromise(said, facts, context);
  return holdSuccess(said, facts, context);
}

/** Whether one of these identifiers may be what an action was done to. */
export function mayBeTargets(action: Action, ids: readonly string[], facts: Facts): boolean {
  const candidates = facts.entries.filter(({ profile }) => fits(action, profile.actions) > 0);
  if (candidates.length === 0) return ids.some((id) => facts.readTargets.has(id));
  return candidates.some(({ target }) => ids.some((id) => sameShape(target, id)));
}

const stands: Held = { entries: [], objections: [] };

function holdSuccess(said: Said, facts: Facts, context: Context): Held {
  const { statement } = said;
  const candidates = candidatesOf(said, facts);
  const named = namedTargets(said, candidates, facts, context);
  if (named.length > 0) return holdNamed(said, named, candidates, facts, context);
  const likely =
    candidates.exact || !facts.sameLanguage || !namesItsThing.has(statement.action)
      ? candidates.best
      : candidates.best.filter((entry) => overlaps(said, entry));
  if (likely.length === 0) return neverCalled(said, facts, context, null);
  const story = statement.narrative && bringsIntoBeing.has(statement.action);
  if (story && !candidates.exact) return stands;
  const chosen = choose(said, candidates, facts, context);
  const objections = objectionsTo(said, chosen, context, null);
  if (objections.length === 0 && isShort(said, candidates, facts)) {
    return { entries: chosen, objections: [fewer(said, chosen.at(-1) ?? null)] };
  }
  return { entries: chosen, objections };
}

/** "Both orders have been cancelled", where one was: fewer things were written to than are counted. */
function isShort({ statement, lexemes }: Said, { best, exact }: Candidates, facts: Facts): boolean {
  const { many, action } = statement;
  if (typeof many !== 'number' || !exact || action === 'any') return false;
  if (facts.past.some((fact) => fact.action === action)) return false;
  const counted = countedThing(statement, lexemes);
  if (!counted) return false;
  const deeds = counted.info.noun === action;
  const things = best.some(({ profile }) => namesThing(counted, profile.nouns));
  if (is(counted, 'part') || !(deeds || things)) return false;
  const targets = new Set(
    best.flatMap(({ targets: own, target }) => [...own].filter((id) => sameShape(id, target))),
  );
  return Math.max(targets.size, lastOfEach(best).length) < many;
}

function fewer({ statement: { claim, action } }: Said, entry: EntryFacts | null): Objection {
  const reason = 'The reply says that more were done than were called.';
  return { code: 'not_all', claim, action, entity: null, entry, reason };
}

/** The noun after "both" or "all three". */
function countedThing({ from, to }: Statement, lexemes: readonly Lexeme[]): Lexeme | undefined {
  let counting = false;
  for (let at = from; at < to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (is(lexeme, 'both') || is(lexeme, 'all')) counting = true;
    else if (counting && (lexeme.info.noun || lexeme.info.thing)) return lexeme;
  }
  return undefined;
}

/** Actions that say what was put in or taken out: a tool of another verb has to have to do with it. */
const namesItsThing: ReadonlySet<Action> = new Set<Action>(['add', 'remove']);

function overlaps({ statement, lexemes, mentions }: Said, entry: EntryFacts): boolean {
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
interface Candidates {
  readonly best: readonly EntryFacts[];
  /** Both kinds. */
  readonly all: readonly EntryFacts[];
  /** Whether `best` are of the verb itself. */
  readonly exact: boolean;
}

function candidatesOf(said: Said, facts: Facts): Candidates {
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
function partsIn({ statement, lexemes }: Said): readonly Lexeme[] {
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

/** A thing that the reply names, with the entries that were done to it. */
interface Named {
  readonly mention: IdMention;
  readonly entries: readonly EntryFacts[];
}

function namedTargets(
  said: Said,
  candidates: Candidates,
  facts: Facts,
  context: Context,
): readonly Named[] {
  const own = said.mentions.ids.flatMap((mention) => nameOf(mention, candidates, facts));
  if (own.length > 0) return narrowed(own);
  if (said.mentions.ids.length > 0 && said.statement.pronoun === null) return [];
  const told = context.last.some((entry) => candidates.best.includes(entry));
  if (!candidates.exact && told && said.statement.pronoun === null) return [];
  // What was named before speaks for a deed of its own only.
  const narrow = candidates.exact ? { ...candidates, all: candidates.best } : candidates;
  const before = context.antecedent.flatMap((mention) => nameOf(mention, narrow, facts));
  const matched = before.filter(({ entries }) => entries.length > 0);
  return narrowed(matched.length > 0 || said.statement.pronoun === null ? matched : before);
}

/** A flight or an item names its order's entry too: where one name points at entries, empty ones of another make do not count. */
function narrowed(named: readonly Named[]): readonly Named[] {
  return named;
}

function nameOf(mention: IdMention, candidates: Candidates, facts: Facts): Named[] {
  const { id } = mention;
  const byTarget = (entries: readonly EntryFacts[]): readonly EntryFacts[] =>
    entries.filter(({ targets }) => targets.has(id));
  const exact = byTarget(candidates.best);
  const entries = exact.length > 0 ? exact : byTarget(candidates.all);
  if (entries.length > 0) return [{ mention, entries }];
  const answered = candidates.all.filter(
    (entry) => entry.answered.has(id) && !sameShape(entry.target, id),
  );
  if (answered.length > 0) return [{ mention, entries: answered }];
  if (facts.personalIds.has(id)) return [];
  // A write that names nothing may have been done to whatever the reply names.
  const nameless = candidates.best.filter(
    ({ targets, answered: own }) => targets.size + own.size === 0,
  );
  if (nameless.length > 0) return [{ mention, entries: nameless }];
  const hashed = mention.raw.startsWith('#') && id.length > 2;
  const alike =
    hashed ||
    candidates.all.some(({ target }) => sameShape(target, id)) ||
    (candidates.all.length === 0 && (mention.announced || facts.ids.has(id)));
  return alike ? [{ mention, entries: [] }] : [];
}

function holdNamed(
  said: Said,
  named: readonly Named[],
  candidates: Candidates,
  facts: Facts,
  context: Context,
): Held {
  const entries: EntryFacts[] = [];
  const objections: Objection[] = [];
  const shown = named.every(({ entries: own }) => own.length === 0);
  if (shown && named.some(({ mention }) => borneOut(said, facts, context, mention))) return stands;
  for (const { mention, entries: own } of named) {
    if (own.length === 0) {
      const held = neverCalled(said, facts, context, mention, candidates);
      objections.push(...held.objections);
      continue;
    }
    const chosen = choose(said, { best: own, all: own, exact: candidates.exact }, facts, context);
    entries.push(...chosen);
    objections.push(...objectionsTo(said, chosen, context, mention));
  }
  return { entries: unique(entries), objections: distinct(objections) };
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}

function distinct(objections: readonly Objection[]): readonly Objection[] {
  const seen = new Set<EntryFacts | string>();
  return objections.filter(({ entry, entity }) => {
    const key = entry ?? entity ?? '';
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Which of several entries a statement speaks of. */
function choose(
  said: Said,
  candidates: Candidates,
  facts: Facts,
  context: Context,
): readonly EntryFacts[] {
  const { statement } = said;
  const { best } = candidates;
  if (statement.many !== null || statement.pronoun === 'them') return manyOf(statement, best);
  const inContext = context.last.filter((entry) => best.includes(entry));
  if (!candidates.exact) {
    if (inContext.length > 0) return inContext;
    const proven = best.filter((entry) => entry.proven);
    if (proven.length > 0) return proven.slice(-1);
  }
  if (statement.pronoun === 'it' && inContext.length > 0) return inContext;
  if (best.length === 1) return best;
  const answers = best.every(({ proven, answerWords }) => proven && answerWords.size > 0);
  const scores = best.map((entry) => scoreOf(said, entry, facts, answers));
  const top = scores.reduce((most, score) => Math.max(most, score), 0);
  const likely = best.filter((_, at) => scores[at] === top);
  return [settledBy(statement, likely, best)];
}

/** Of several attempts at one thing, the one that decides. */
function settledBy(
  statement: Statement,
  likely: readonly EntryFacts[],
  all: readonly EntryFacts[],
): EntryFacts {
  const latest = likely.at(-1) as EntryFacts;
  if (latest.proven) return latest;
  const changes = latest.profile.actions.has('change') && !statement.already && !statement.weak;
  const same = (changes ? likely : all).filter((entry) => sameWrite(entry, latest));
  if (changes) {
    // What failed and was tried again with success is what the success says.
    const failed = latest.entry.outcome === 'failed';
    const again = all.findLast((entry) => entry.proven && sameWrite(entry, latest));
    return failed && again && again.index > latest.index ? again : latest;
  }
  return same.findLast((entry) => entry.proven) ?? latest;
}

function sameWrite(a: EntryFacts, b: EntryFacts): boolean {
  if (a === b) return true;
  if (a.entry.key !== undefined && a.entry.key === b.entry.key) return true;
  return (
    a.target !== '' && a.target === b.target && (a.entry.tool === b.entry.tool || sameDeed(a, b))
  );
}

/** Two tools of one verb and no other: whichever succeeded, it is done. A change may be of another part. */
function sameDeed(
  { profile: { actions: a } }: EntryFacts,
  { profile: { actions: b } }: EntryFacts,
): boolean {
  return (
    a.size === b.size && !a.has('change') && !a.has('any') && [...a].every((one) => b.has(one))
  );
}

/** The last so many of the things that were written to, or all of them. */
function manyOf({ many }: Statement, entries: readonly EntryFacts[]): readonly EntryFacts[] {
  const last = lastOfEach(entries);
  if (typeof many !== 'number') return last;
  const proven = last.filter((entry) => entry.proven);
  // So many were done, whatever else was tried beside them.
  return (proven.length < many ? last : proven).slice(-many);
}

/** The entry that decides for each thing that was written to, in order. */
export function lastOfEach(entries: readonly EntryFacts[]): readonly EntryFacts[] {
  const byThing = new Map<string, EntryFacts>();
  for (const entry of entries) {
    const thing = thingOf(entry);
    const before = byThing.get(thing);
    if (before?.proven && !entry.proven && entry.target !== '') continue;
    byThing.delete(thing);
    byThing.set(thing, entry);
  }
  return [...byThing.values()];
}

/** What tells one write from another: its tool and target; without a target, its input. */
function thingOf(entry: EntryFacts): string {
  if (entry.entry.key !== undefined) return entry.entry.key;
  const target = entry.target === '' && entry.proven ? `#${entry.index}` : entry.target;
  return `${entry.entry.tool} ${target}`;
}

const mostWords = 60;

/** How much of what a statement names an entry has. */
function scoreOf(said: Said, entry: EntryFacts, facts: Facts, answers: boolean): number {
  const { statement, lexemes, mentions } = said;
  const shown = facts.readWords.get(entry.target);
  const itemWords = wordsOfItems(entry, facts);
  let score = 0;
  const to = Math.min(statement.to, statement.from + mostWords);
  for (let at = statement.from; at < to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (lexeme.kind === 'mark' || at === statement.at) continue;
    const word = lexeme.text.startsWith('#') ? lexeme.text.slice(1) : lexeme.text;
    if (namesThing(lexeme, entry.profile.nouns)) score += 3;
    if (word.length < 2 || lexeme.info.roles.size > 0) continue;
    if (entry.inputWords.has(word) || entry.targets.has(word.toUpperCase())) score += 3;
    else if (itemWords.some((words) => words.has(word))) score += 2;
    else if (shown?.has(word) || (answers && entry.answerWords.has(word))) score += 1;
  }
  for (const { readings } of mentions.amounts) {
    if (readings.some((reading) => entry.inputAmounts.has(reading))) score += 4;
    else if (answers && readings.some((reading) => entry.answerAmounts.has(reading))) score += 2;
  }
  for (const { readings } of mentions.dates) {
    if (readings.some((reading) => entry.inputDays.has(reading))) score += 2;
  }
  return score;
}

/** What is known of the things, beside its target, that a write names. */
function wordsOfItems(
  { target, targets }: EntryFacts,
  facts: Facts,
): readonly ReadonlySet<string>[] {
  return [...targets].flatMap((id) => (id === target ? [] : (facts.records.get(id)?.words ?? [])));
}

function objectionsTo(
  said: Said,
  chosen: readonly EntryFacts[],
  context: Context,
  mention: IdMention | null,
): Objection[] {
  const { statement } = said;
  const several = chosen.length > 1;
  return chosen
    .filter((entry) => !entry.proven)
    .filter(({ entry }) => !(statement.asked && context.confirming && mayHaveLeft(entry.outcome)))
    .map((entry) => ({
      code: several ? ('not_all' as const) : ('not_proven' as const),
      claim: statement.claim,
      action: statement.action,
      entity: mention?.raw ?? (entry.targetRaw || null),
      entry,
      reason: `The reply says that it ${said.statement.claim === 'will_be_done' ? 'will be' : 'is'} done; the outcome is ${entry.entry.outcome}.`,
    }));
}

function mayHaveLeft(outcome: string): boolean {
  return outcome === 'unknown' || outcome === 'skipped';
}

function neverCalled(
  said: Said,
  facts: Facts,
  context: Context,
  mention: IdMention | null,
  candidates: Candidates | null = null,
): Held {
  const { statement } = said;
  const dated = statement.narrative && said.mentions.dates.length > 0;
  const fleeting =
    statement.weak ||
    (dated && bringsIntoBeing.has(statement.action)) ||
    (!facts.readsGiven && (statement.already || statement.present));
  if (fleeting || isNotice(statement, facts)) return stands;
  if (borneOut(said, facts, context, mention)) return stands;
  const unknownId = mention !== null && !facts.ids.has(mention.id);
  const like = unknownId ? candidates?.best.findLast((entry) => entry.proven) : undefined;
  if (like) {
    const reason = 'The reply names an identifier that is not the one that was written to.';
    return objection(
      said,
      { code: 'differs', claim: 'wrong_entity', entry: like, reason },
      mention,
    );
  }
  const reason = 'The reply says that it is done; no such write was called.';
  return objection(
    said,
    { code: 'never_called', claim: statement.claim, entry: null, reason },
    mention,
  );
}

/** "A confirmation has been e-mailed": what was written to sends its notices by itself. */
function isNotice({ action, active, generic }: Statement, facts: Facts): boolean {
  if (action !== 'send' || active || generic) return false;
  return facts.entries.some((entry) => entry.proven);
}

function objection(
  said: Said,
  found: Pick<Objection, 'code' | 'claim' | 'entry' | 'reason'>,
  mention: IdMention | null,
): Held {
  const entity = mention?.raw ?? null;
  const { action } = said.statement;
  return { entries: [], objections: [{ ...found, entity, action }] };
}

/** Whether a read shows it. */
function borneOut(said: Said, facts: Facts, context: Context, mention: IdMention | null): boolean {
  const { statement, mentions } = said;
  const named = mention ? [mention] : mentions.ids.length > 0 ? mentions.ids : context.antecedent;
  const ids = named.map(({ id }) => id).filter((id) => facts.readIds.has(id));
  const { action } = statement;
  if (statement.present && ids.some((id) => facts.readWords.get(id)?.has(wordOf(said))))
    return true;
  if (
    bringsIntoBeing.has(action) &&
    !statement.active &&
    ids.some((id) => facts.readTargets.has(id))
  )
    return true;
  const dated = mentions.dates.some(({ readings }) => readings.some((day) => facts.days.has(day)));
  if (bringsIntoBeing.has(action) && !mention && facts.readIds.size > 0) {
    const paid = action === 'pay' && statement.present;
    if ((dated && statement.narrative) || paid || statement.already || statement.narrative)
      return true;
  }
  const past = facts.past.filter((fact) => mayTell(said, fact));
  const own = mention !== null || mentions.ids.length > 0;
  const told = past.some((fact) => ids.some((id) => fact.ids.has(id)));
  if (told || (own && ids.length > 0)) return told;
  if (past.length === 0 || mention) return false;
  // "Both orders have been delivered": nobody here does that, and a read shows it.
  const seen = bringsIntoBeing.has(action) && !statement.active;
  return statement.already || statement.present || dated || seen;
}

/** "Status: processed": the word itself, as a record may have it. */
function wordOf({ statement, lexemes }: Said): string {
  return lexemes[statement.at]?.text ?? '';
}

/** Whether a past event may be what a statement tells of: of its action, and of no other part. */
function mayTell(said: Said, { action, words }: PastFact): boolean {
  const claimed = said.statement.action;
  if (claimed === 'any') return !bringsIntoBeing.has(action);
  if (claimed !== action) return false;
  if (action !== 'change') return true;
  const parts = partsIn(said);
  if (parts.length === 0) return true;
  const of = words.filter((word) => isPart(word));
  return of.length === 0 || parts.some((part) => namesThing(part, new Set(of)));
}

/** The entries that a denial may speak of: of its own verb, or of another that has to do with its thing. */
function deniedBy(said: Said, facts: Facts): readonly EntryFacts[] {
  const { action } = said.statement;
  const { best, exact } = candidatesOf(said, facts);
  if (!exact) {
    const verb = namesItsThing.has(action) && !said.statement.present;
    return verb ? best.filter((entry) => overlaps(said, entry)) : [];
  }
  // A tool whose verb is not known may do anything, but a denial of one thing is no denial of it.
  return action === 'any' ? best : best.filter(({ profile }) => profile.actions.has(action));
}

function holdDenial(said: Said, facts: Facts, context: Context): Held {
  const { statement } = said;
  const best = deniedBy(said, facts);
  if (best.length === 0) return stands;
  const own = said.mentions.ids.length > 0 ? said.mentions.ids : said.around;
  const ids = (own.length > 0 ? own : context.antecedent).map(({ id }) => id);
  const named = best.filter(({ targets }) => ids.some((id) => targets.has(id)));
  // Of another thing, which only looks like one of those that were written to.
  const foreign =
    named.length === 0 &&
    (own.some(({ raw }) => raw.startsWith('#')) ||
      ids.some((id) => facts.entries.some(({ target }) => sameShape(target, id))));
  if (foreign || (statement.weak && (own.length === 0 || named.length === 0))) return stands;
  const spoken = named.length > 0 ? named : best;
  if (spoken.every((entry) => isOfAnotherItem(said, entry, facts))) return stands;
  const bornOut = spoken.some(
    ({ entry }) => entry.outcome === 'failed' || entry.outcome === 'skipped',
  );
  if (bornOut) return stands;
  const contradicted = spoken.findLast((entry) => entry.proven || !statement.soft);
  if (!contradicted) return stands;
  const { outcome } = contradicted.entry;
  return {
    entries: [contradicted],
    objections: [
      {
        code: 'not_failed',
        claim: 'not_done',
        action: statement.action,
        entity: contradicted.targetRaw || null,
        entry: contradicted,
        reason: `The reply says that it did not happen; the outcome is ${outcome}.`,
      },
    ],
  };
}

/** "The keyboard was not exchanged", where the record has a keyboard and the write does not name it. */
function isOfAnotherItem({ statement, lexemes }: Said, entry: EntryFacts, facts: Facts): boolean {
  if (statement.active || entry.targets.size < 2) return false;
  const shown = facts.readWords.get(entry.target);
  const items = wordsOfItems(entry, facts);
  if (!shown || items.length === 0) return false;
  for (let at = statement.at - 1; at >= statement.from; at -= 1) {
    const { kind, text, info } = lexemes[at] as Lexeme;
    if (kind !== 'word' || text.length < 3 || info.roles.size > 0) continue;
    if (items.some((words) => words.has(text)) || entry.inputWords.has(text)) return false;
    // The word nearest to the verb says which one it is.
    if (shown.has(text)) return true;
  }
  return false;
}

function holdPromise(said: Said, facts: Facts, context: Context): Held {
  const { action, many } = said.statement;
  // Money is promised as what was done brings it, and "both exchanges" takes them for done; any
  // other future is a plan.
  if (!(movesMoney.has(action) || many !== null)) return stands;
  const held = heldPromise(said, facts, context);
  return context.asks ? { ...held, objections: [] } : held;
}

function heldPromise(said: Said, facts: Facts, context: Context): Held {
  const { statement, mentions } = said;
  const candidates = candidatesOf(said, facts);
  const named = namedTargets(said, candidates, facts, context).filter(
    ({ entries }) => entries.length > 0,
  );
  if (named.length > 0) return holdNamed(said, named, candidates, facts, context);
  if (candidates.best.length > 0) {
    const chosen = choose(said, candidates, facts, context);
    return { entries: chosen, objections: objectionsTo(said, chosen, context, null) };
  }
  const specific = mentions.amounts.length > 0 && statement.action === 'refund';
  return specific ? neverCalled(said, facts, context, null) : stands;
}
