import type { Action } from './actions.ts';
import { once } from './fields.ts';
import { Gathered } from './gathered.ts';
import type { Language } from './lexicon/compile.ts';
import type { ItemRecords } from './records.ts';
import { profileOf, type ToolProfile } from './tool-profile.ts';
import type { ReplyEntry, ReplyOptions, ReplyRead } from './types.ts';

/** What one write names and is about. */
export interface EntryFacts {
  readonly index: number;
  readonly entry: ReplyEntry;
  readonly profile: ToolProfile;
  readonly proven: boolean;
  /** What it was done to: its first identifier, or nothing where it has none. */
  readonly target: string;
  /** The target as it was written in the input. */
  readonly targetRaw: string;
  /** Identifiers of the input, those of persons and means of payment left out. */
  readonly targets: ReadonlySet<string>;
  /** Identifiers of the answer. */
  readonly answered: ReadonlySet<string>;
  readonly inputWords: ReadonlySet<string>;
  /** Words of the input's field names, and of the answer's. */
  readonly fieldWords: ReadonlySet<string>;
  readonly answerFields: ReadonlySet<string>;
  readonly answerWords: ReadonlySet<string>;
  /** Sums of money in the input under names such as `amount`, in hundredths. */
  readonly inputAmounts: ReadonlySet<number>;
  readonly answerAmounts: ReadonlySet<number>;
  readonly inputDays: ReadonlySet<string>;
  readonly currency: string;
  /** What it is about as a whole: a record's price, that of its items, or what they differ. */
  readonly worth: number | undefined;
  /** Sums that follow from the prices of what the input names, in hundredths. */
  readonly itemSums: ReadonlySet<number>;
  /** The one sum that the input names, in hundredths; undefined where it names none, several, or one of unclear unit. */
  readonly mainAmount: number | undefined;
}

/** What a read shows of the past: that something was done to these things. */
export interface PastFact {
  readonly action: Action;
  readonly ids: ReadonlySet<string>;
  readonly amounts: ReadonlySet<number>;
  /** The words of the text that says so: `pending (item modified)`. */
  readonly words: readonly string[];
}

/** All that a reply may lean on. */
export interface Facts {
  readonly entries: readonly EntryFacts[];
  /** Whether tools and records speak the language of the reply: English. */
  readonly sameLanguage: boolean;
  /** Whether reads were handed over at all. */
  readonly readsGiven: boolean;
  readonly past: readonly PastFact[];
  /** Identifiers of entries and reads, in capital letters. */
  readonly ids: ReadonlySet<string>;
  readonly readIds: ReadonlySet<string>;
  /** What writes were done to. */
  readonly writeTargets: ReadonlySet<string>;
  /** Identifiers that a read asked for: the records of these are known to exist. */
  readonly readTargets: ReadonlySet<string>;
  /** Identifiers of persons and of means of payment: no write is done to these. */
  readonly personalIds: ReadonlySet<string>;
  /** Identifiers that reads show in the record of another one, by that one. */
  readonly recordIds: ReadonlyMap<string, ReadonlySet<string>>;
  /** All figures of entries and reads, in hundredths, sums of like figures among them. */
  readonly amounts: ReadonlySet<number>;
  /** Those among them that are prices and the like by their names, or results of a calculation. */
  readonly prices: ReadonlySet<number>;
  /** What was worked out: answers that are a figure and nothing else. */
  readonly computed: ReadonlySet<number>;
  /** Words that reads show beside an identifier, by identifier. */
  readonly readWords: ReadonlyMap<string, ReadonlySet<string>>;
  readonly days: ReadonlySet<string>;
  /** Single things that reads and answers show, with their prices. */
  readonly records: ItemRecords;
  /** Words of the names of single things that have a price. */
  isItemWord(word: string): boolean;
  /** What several proven writes come to together, in hundredths. */
  totals(): ReadonlySet<number>;
  readonly patterns: readonly RegExp[];
}

/** The profiles of all tools of a conversation; those that only read are told apart. */
export function profilesOf(
  entries: readonly ReplyEntry[],
  options: ReplyOptions,
  language: string,
): ReadonlyMap<string, ToolProfile> {
  const profiles = new Map<string, ToolProfile>();
  const names = [...entries.map(({ tool }) => tool), ...Object.keys(options.tools ?? {})];
  for (const name of names) {
    if (!profiles.has(name)) profiles.set(name, profileOf(name, options.tools?.[name], language));
  }
  return profiles;
}

/** Indexes what entries and reads say, in time linear in their size. */
export function factsOf(
  entries: readonly ReplyEntry[],
  options: ReplyOptions,
  profiles: ReadonlyMap<string, ToolProfile>,
  languages: readonly Language[],
): Facts {
  const gathered = new Gathered(languages);
  const writes: EntryFacts[] = [];
  const reads: ReplyRead[] = [...(options.reads ?? [])];
  const isRead = (entry: ReplyEntry): boolean =>
    entry.effect ? entry.effect === 'read' : (profiles.get(entry.tool) as ToolProfile).reads;
  reads.push(...entries.filter(isRead));
  // Reads come first: what a thing cost before a write is what the write is told against.
  for (const read of reads) gathered.read(read);
  entries.forEach((entry, index) => {
    if (isRead(entry)) return;
    writes.push(gathered.entry(entry, index, profiles.get(entry.tool) as ToolProfile));
  });
  return {
    entries: writes.filter((entry) => !isSuperseded(entry, writes)),
    sameLanguage: languages.length < 2,
    readsGiven: options.reads !== undefined,
    past: gathered.past,
    ids: gathered.ids,
    readIds: gathered.readIds,
    writeTargets: new Set(writes.flatMap(({ targets }) => [...targets])),
    readTargets: gathered.readTargets,
    personalIds: gathered.personalIds,
    recordIds: gathered.recordIds,
    amounts: gathered.amounts,
    prices: gathered.prices,
    computed: gathered.computed,
    readWords: gathered.readWords,
    days: gathered.days,
    records: gathered.records,
    isItemWord: (word) => gathered.records.named.has(word),
    totals: once(() => totalsOf(writes.filter((entry) => entry.proven))),
    patterns: Object.values(options.tools ?? {}).flatMap(({ entities }) => entities ?? []),
  };
}

const mostTotalled = 8;

function totalsOf(entries: readonly EntryFacts[]): ReadonlySet<number> {
  const sums = new Set([0]);
  for (const { worth } of entries.slice(-mostTotalled)) {
    if (worth === undefined) continue;
    for (const sum of [...sums]) {
      sums.add(sum + worth);
      sums.add(Math.abs(sum - worth));
    }
  }
  return sums;
}

/** Whether a failed write was made good by another tool: the same things, done with success after it. */
function isSuperseded(failed: EntryFacts, all: readonly EntryFacts[]): boolean {
  if (failed.entry.outcome !== 'failed' || failed.targets.size < 2) return false;
  return all.some(
    ({ index, proven, targets, entry }) =>
      proven &&
      index > failed.index &&
      entry.tool !== failed.entry.tool &&
      targets.size === failed.targets.size &&
      [...targets].every((id) => failed.targets.has(id)),
  );
}

/** Whether a word is an identifier that is known here. */
export function knowsId(facts: Facts, id: string, raw: string): 'target' | 'seen' | undefined {
  if (facts.readTargets.has(id) || facts.writeTargets.has(id)) return 'target';
  if (facts.ids.has(id)) return 'seen';
  if (raw.length > 64) return undefined;
  const fits = facts.patterns.some((pattern) => {
    pattern.lastIndex = 0;
    return pattern.test(raw);
  });
  return fits ? 'target' : undefined;
}
