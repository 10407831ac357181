import type { Candidates } from './candidates.ts';
import type { EntryFacts, Facts } from './facts.ts';
import type { Lexeme } from './lexicon/compile.ts';
import type { Context, Said } from './objection.ts';
import type { Statement } from './statement.ts';
import { namesThing } from './tool-profile.ts';

/** Which of several entries a statement speaks of. */
export function choose(
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
export function wordsOfItems(
  { target, targets }: EntryFacts,
  facts: Facts,
): readonly ReadonlySet<string>[] {
  return [...targets].flatMap((id) => (id === target ? [] : (facts.records.get(id)?.words ?? [])));
}
