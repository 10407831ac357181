import type { JsonValue } from '../call/json.ts';
import type { Action } from './actions.ts';
import {
  amountsOf,
  currencyOf,
  deepest,
  fieldWordsOf,
  isIdValue,
  isPersonal,
  isPrice,
  isTargetKey,
  type Leaf,
  leavesOf,
  mainAmountOf,
  namesAmount,
  once,
  stamps,
  wordsOf,
} from './fields.ts';
import type { Language, WordInfo } from './lexicon/compile.ts';
import { looseJson } from './loose-json.ts';
import { dayOf, normalId } from './mentions.ts';
import { ItemRecords, sumsOfItems } from './records.ts';
import { nameWords, profileOf, type ToolProfile } from './tool-profile.ts';
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

const shortestTail = 4;

class Gathered {
  readonly past: PastFact[] = [];
  readonly ids = new Set<string>();
  readonly readIds = new Set<string>();
  readonly readTargets = new Set<string>();
  readonly personalIds = new Set<string>();
  readonly recordIds = new Map<string, Set<string>>();
  readonly amounts = new Set<number>();
  readonly prices = new Set<number>();
  readonly computed = new Set<number>();
  readonly readWords = new Map<string, Set<string>>();
  readonly days = new Set<string>();
  readonly records = new ItemRecords();
  readonly #languages: readonly Language[];

  constructor(languages: readonly Language[]) {
    this.#languages = languages;
  }

  entry(entry: ReplyEntry, index: number, profile: ToolProfile): EntryFacts {
    const given = looseJson(entry.input);
    const answered = looseJson(entry.data);
    const input = leavesOf(given, '');
    const answer = leavesOf(answered, '');
    const own = new Set(nameWords(entry.tool));
    const targets = new Map<string, string>();
    for (const { keys, value } of input) {
      if (isTargetKey(keys, own) && isIdValue(keys, value)) {
        targets.set(normalId(String(value)), String(value));
      }
    }
    const [target = '', targetRaw = ''] = [...targets.entries()][0] ?? [];
    const answeredIds = new Set<string>();
    for (const { keys, value } of answer) {
      if (isIdValue(keys, value)) answeredIds.add(normalId(String(value)));
    }
    this.#note(input);
    this.#note(answer);
    this.#sums(given);
    this.#sums(answered);
    this.records.add(answered);
    const { records } = this;
    const proven = entry.outcome === 'ok' || entry.outcome === 'already_done';
    // Asked for once all reads are in.
    const itemSums = once(() => sumsOfItems(given, this.records));
    const itemSet = once(() => new Set(itemSums()));
    const inputWords = once(() => wordsOf(input));
    const answerWords = once(() => wordsOf(answer));
    const fieldWords = once(() => fieldWordsOf(input));
    const answerFields = once(() => (proven ? fieldWordsOf(answer) : new Set<string>()));
    return {
      index,
      entry,
      profile,
      proven,
      target,
      targetRaw,
      targets: new Set(targets.keys()),
      answered: proven ? answeredIds : new Set(),
      get itemSums() {
        return itemSet();
      },
      get worth() {
        return itemSums()[0] ?? records.get(target)?.price;
      },
      get inputWords() {
        return inputWords();
      },
      get fieldWords() {
        return fieldWords();
      },
      get answerFields() {
        return answerFields();
      },
      get answerWords() {
        return answerWords();
      },
      inputAmounts: amountsOf(input.filter(({ keys }) => namesAmount(keys.at(-1) ?? ''))),
      answerAmounts: proven ? amountsOf(answer) : new Set(),
      inputDays: new Set(input.flatMap(({ value }) => dayOf(String(value)) ?? [])),
      currency: currencyOf(input) || currencyOf(answer),
      mainAmount: mainAmountOf(input),
    };
  }

  read(read: ReplyRead): void {
    const data = looseJson(read.data);
    const input = leavesOf(looseJson(read.input), '');
    const leaves = leavesOf(data, '');
    this.#note(input);
    this.#note(leaves);
    this.#sums(data);
    this.records.add(data);
    for (const { keys, value } of [...input, ...leaves]) {
      if (isIdValue(keys, value)) this.readIds.add(normalId(String(value)));
    }
    const named = new Set(
      input.flatMap(({ keys, value }) => (isIdValue(keys, value) ? [normalId(String(value))] : [])),
    );
    for (const id of named) this.readTargets.add(id);
    const shown = leaves.flatMap(({ keys, value }) =>
      isIdValue(keys, value) ? [normalId(String(value))] : [],
    );
    for (const id of named)
      this.recordIds.set(id, new Set([...(this.recordIds.get(id) ?? []), ...shown]));
    const words = wordsOf(leaves);
    for (const id of named)
      this.readWords.set(id, new Set([...(this.readWords.get(id) ?? []), ...words]));
    this.#pastOf(data, named, 0);
  }

  #note(leaves: readonly Leaf[]): void {
    for (const { keys, value } of leaves) {
      if (isIdValue(keys, value)) {
        const id = normalId(String(value));
        this.ids.add(id);
        const own = isPersonal(keys.at(-1) ?? '');
        if (own) this.personalIds.add(id);
        // `gift_card_8541487` is named by its last part as well.
        const tail = id.slice(Math.max(id.lastIndexOf('_'), id.lastIndexOf('-')) + 1);
        if (tail.length < id.length && tail.length >= shortestTail) {
          this.ids.add(tail);
          if (own) this.personalIds.add(tail);
        }
      }
      const day = typeof value === 'string' ? dayOf(value) : undefined;
      if (day) this.days.add(day);
    }
    for (const amount of amountsOf(leaves)) this.amounts.add(amount);
    for (const amount of amountsOf(leaves.filter(isPrice))) this.prices.add(amount);
    for (const amount of amountsOf(leaves.filter(({ keys }) => keys.length === 0))) {
      this.computed.add(amount);
    }
  }

  /** Sums of like figures: the prices of all items of an order, the shares of a payment. */
  #sums(value: JsonValue | undefined, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    if (!Array.isArray(value)) {
      for (const inner of Object.values(value)) this.#sums(inner, depth + 1);
      return;
    }
    const totals = new Map<string, number>();
    for (const item of value as readonly JsonValue[]) {
      if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
        for (const [key, figure] of Object.entries(item)) {
          if (typeof figure === 'number') totals.set(key, (totals.get(key) ?? 0) + figure);
        }
      }
      this.#sums(item, depth + 1);
    }
    for (const total of totals.values()) {
      const amount = Math.round(Math.abs(total) * 100);
      this.amounts.add(amount);
      this.prices.add(amount);
    }
  }

  /** What the fields of a record say was done: `status: cancelled`, `refunded_at`. */
  #pastOf(value: JsonValue | undefined, around: ReadonlySet<string>, depth: number): void {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      this.#pastText(value, around, new Set());
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) this.#pastOf(item, around, depth + 1);
      return;
    }
    const own = new Set<string>();
    const amounts = new Set<number>();
    for (const [key, field] of Object.entries(value)) {
      if (typeof field === 'number') amounts.add(Math.round(Math.abs(field) * 100));
      if (typeof field === 'object') continue;
      if (isIdValue([key], field) && !isPersonal(key)) {
        own.add(normalId(String(field)));
      }
    }
    const ids = own.size > 0 ? new Set([...around, ...own]) : around;
    for (const [key, field] of Object.entries(value)) {
      if (typeof field === 'string') this.#pastText(field, ids, amounts);
      if (field !== null && field !== false) this.#pastKey(key, ids, amounts);
      this.#pastOf(typeof field === 'object' ? field : undefined, ids, depth + 1);
    }
  }

  #pastText(text: string, ids: ReadonlySet<string>, amounts: ReadonlySet<number>): void {
    if (text.length > 300) return;
    const words = nameWords(text);
    for (const word of words) {
      for (const language of this.#languages) {
        const info: WordInfo | undefined = language.words.get(word);
        const action = info?.done ?? (text.length < 24 ? info?.noun : undefined);
        if (action) this.past.push({ action, ids, amounts, words });
      }
    }
  }

  /** `refunded`, `cancelled_at`, `returnedOn`; a `scheduled_departure_time` tells of no deed. */
  #pastKey(key: string, ids: ReadonlySet<string>, amounts: ReadonlySet<number>): void {
    const words = nameWords(key);
    const last =
      words.length > 1 && stamps.has(words.at(-1) as string) ? words.at(-2) : words.at(-1);
    const action = this.#languages[0]?.words.get(last ?? '')?.done;
    if (action) this.past.push({ action, ids, amounts, words });
  }
}
