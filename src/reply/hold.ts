import { type Action, bringsIntoBeing, fits, movesMoney } from './actions.ts';
import { borneOut } from './borne-out.ts';
import { type Candidates, candidatesOf, namesItsThing, overlaps } from './candidates.ts';
import { choose, lastOfEach, wordsOfItems } from './choose.ts';
import type { EntryFacts, Facts } from './facts.ts';
import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { IdMention } from './mentions.ts';
import { type Context, type Held, type Objection, objection, type Said } from './objection.ts';
import { sameShape } from './shapes.ts';
import type { Statement } from './statement.ts';
import { namesThing } from './tool-profile.ts';

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
