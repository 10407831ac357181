import type { JsonValue } from '../call/json.ts';
import type { Action } from './actions.ts';
import type { Language, WordInfo } from './lexicon/compile.ts';
import { looseJson } from './loose-json.ts';
import { amountReadings, dayOf, isMeasure, normalId } from './mentions.ts';
import { isDigit } from './tokens.ts';
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
  /** The one sum that the input names, in hundredths; undefined where it names none, several, or one of unclear unit. */
  readonly mainAmount: number | undefined;
}

/** What a read shows of the past: that something was done to these things. */
export interface PastFact {
  readonly action: Action;
  readonly ids: ReadonlySet<string>;
  readonly amounts: ReadonlySet<number>;
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
  /** Words that reads show beside an identifier, by identifier. */
  readonly readWords: ReadonlyMap<string, ReadonlySet<string>>;
  readonly days: ReadonlySet<string>;
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
  entries.forEach((entry, index) => {
    const profile = profiles.get(entry.tool) as ToolProfile;
    const reading = entry.effect ? entry.effect === 'read' : profile.reads;
    if (reading) reads.push(entry);
    else writes.push(gathered.entry(entry, index, profile));
  });
  for (const read of reads) gathered.read(read);
  return {
    entries: writes,
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
    readWords: gathered.readWords,
    days: gathered.days,
    patterns: Object.values(options.tools ?? {}).flatMap(({ entities }) => entities ?? []),
  };
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

const mostLeaves = 5_000;
const deepest = 24;
const personal = new Set(
  'user customer client payment card member session tenant token passenger account payer owner agent profile contact email phone'.split(
    ' ',
  ),
);
const idWords = new Set(
  'id ids number numbers no code ref reference key sku pnr identifier uuid name order reservation booking ticket'.split(
    ' ',
  ),
);
const amountWords = new Set(
  'amount amounts total totals price prices sum cost fee refund value charge cents balance paid fare credit'.split(
    ' ',
  ),
);

interface Leaf {
  readonly keys: readonly string[];
  readonly value: string | number | boolean | null;
}

class Gathered {
  readonly past: PastFact[] = [];
  readonly ids = new Set<string>();
  readonly readIds = new Set<string>();
  readonly readTargets = new Set<string>();
  readonly personalIds = new Set<string>();
  readonly recordIds = new Map<string, Set<string>>();
  readonly amounts = new Set<number>();
  readonly prices = new Set<number>();
  readonly readWords = new Map<string, Set<string>>();
  readonly days = new Set<string>();
  readonly #languages: readonly Language[];

  constructor(languages: readonly Language[]) {
    this.#languages = languages;
  }

  entry(entry: ReplyEntry, index: number, profile: ToolProfile): EntryFacts {
    const input = leavesOf(looseJson(entry.input), '');
    const answer = leavesOf(looseJson(entry.data), '');
    const own = new Set(nameWords(entry.tool));
    const targets = new Map<string, string>();
    for (const { keys, value } of input) {
      if (isTargetKey(keys, own) && isIdValue(keys, value)) {
        targets.set(normalId(String(value)), String(value));
      }
    }
    const [target = '', targetRaw = ''] = [...targets.entries()][0] ?? [];
    const answered = new Set<string>();
    for (const { keys, value } of answer) {
      if (isIdValue(keys, value)) answered.add(normalId(String(value)));
    }
    this.#note(input);
    this.#note(answer);
    this.#sums(looseJson(entry.input));
    this.#sums(looseJson(entry.data));
    const proven = entry.outcome === 'ok' || entry.outcome === 'already_done';
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
      answered: proven ? answered : new Set(),
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
        if (personal.has(nameWords(keys.at(-1) ?? '')[0] ?? '')) this.personalIds.add(id);
      }
      const day = typeof value === 'string' ? dayOf(value) : undefined;
      if (day) this.days.add(day);
    }
    for (const amount of amountsOf(leaves)) this.amounts.add(amount);
    for (const amount of amountsOf(leaves.filter(isPrice))) this.prices.add(amount);
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
      if (isIdValue([key], field) && !personal.has(nameWords(key)[0] ?? '')) {
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
    for (const word of nameWords(text)) {
      for (const language of this.#languages) {
        const info: WordInfo | undefined = language.words.get(word);
        const action = info?.done ?? (text.length < 24 ? info?.noun : undefined);
        if (action) this.past.push({ action, ids, amounts });
      }
    }
  }

  /** `refunded`, `cancelled_at`, `returnedOn`; a `scheduled_departure_time` tells of no deed. */
  #pastKey(key: string, ids: ReadonlySet<string>, amounts: ReadonlySet<number>): void {
    const words = nameWords(key);
    const last =
      words.length > 1 && stamps.has(words.at(-1) as string) ? words.at(-2) : words.at(-1);
    const action = this.#languages[0]?.words.get(last ?? '')?.done;
    if (action) this.past.push({ action, ids, amounts });
  }
}

function leavesOf(value: JsonValue | undefined, key: string): readonly Leaf[] {
  const leaves: Leaf[] = [];
  collect(value, key === '' ? [] : [key], leaves, 0);
  return leaves;
}

function collect(
  value: JsonValue | undefined,
  keys: readonly string[],
  leaves: Leaf[],
  depth: number,
): void {
  if (value === undefined || depth > deepest || leaves.length >= mostLeaves) return;
  if (typeof value !== 'object' || value === null) {
    leaves.push({ keys, value });
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collect(item, keys, leaves, depth + 1);
  } else {
    for (const [key, inner] of Object.entries(value)) {
      collect(inner, [...keys.slice(-2), key], leaves, depth + 1);
    }
  }
}

function hasWord(keys: readonly string[], words: ReadonlySet<string>): boolean {
  return nameWords(keys.at(-1) ?? '').some((word) => words.has(word));
}

/** Whether a field names what the write is done to, not who asked for it or how it is paid. */
function isTargetKey(keys: readonly string[], own: ReadonlySet<string>): boolean {
  const first = nameWords(keys.at(-1) ?? '')[0] ?? '';
  return !personal.has(first) || own.has(first);
}

function isIdValue(keys: readonly string[], value: Leaf['value']): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && hasWord(keys, idWords);
  if (typeof value !== 'string' || value.length < 2 || value.length > 64) return false;
  if (dayOf(value) !== undefined || value.includes(' ')) return false;
  if (hasWord(keys, idWords)) return true;
  if (isMeasure(value)) return false;
  return hasDigit(value) || value.includes('@');
}

function hasDigit(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** Most words of most records are never asked for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function wordsOf(leaves: readonly Leaf[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { value } of leaves) {
    if (typeof value !== 'string' || value.length > 400) continue;
    for (const word of nameWords(value)) words.add(word);
  }
  return words;
}

function fieldWordsOf(leaves: readonly Leaf[]): ReadonlySet<string> {
  return new Set(leaves.flatMap(({ keys }) => keys.flatMap(nameWords)));
}

function amountsOf(leaves: readonly Leaf[]): ReadonlySet<number> {
  const amounts = new Set<number>();
  for (const { keys, value } of leaves) {
    const whole = hundredths(value);
    for (const reading of whole) amounts.add(reading);
    const minor = typeof value === 'number' && Number.isInteger(value) && hasWord(keys, minorWords);
    if (minor) amounts.add(Math.abs(value));
  }
  return amounts;
}

/** `amount`, `refundAmountCents`, `total_price`; a `total_baggages` is no sum of money. */
function namesAmount(key: string): boolean {
  const words = nameWords(key).filter((word) => !surelyMinor.has(word) && !currencies.has(word));
  return amountWords.has(words.at(-1) ?? '');
}

const currencies = new Set(['usd', 'eur', 'gbp', 'chf', 'in', 'value']);

/** A figure under a name such as `price`, or one that is the whole answer, as a calculator's is. */
function isPrice({ keys, value }: Leaf): boolean {
  if (keys.length === 0) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return true;
  return keys.some(namesAmount);
}

const stamps = new Set(['at', 'on', 'by', 'date', 'time']);

const minorWords = new Set(['cents', 'cent', 'minor', 'pence', 'amount', 'units']);

function hundredths(value: Leaf['value']): readonly number[] {
  if (typeof value === 'number') return [Math.round(Math.abs(value) * 100)];
  if (typeof value !== 'string' || value.length > 2_000 || !hasDigit(value)) return [];
  if (dayOf(value) !== undefined) return [];
  const found: number[] = [];
  for (const [figure] of value.matchAll(/\d[\d.,]{0,15}/g)) {
    const trimmed = figure.replace(/[.,]$/, '');
    if (trimmed.length < 13) found.push(...amountReadings(trimmed));
  }
  return found;
}

function mainAmountOf(leaves: readonly Leaf[]): number | undefined {
  const named = leaves.filter(({ keys }) => namesAmount(keys.at(-1) ?? ''));
  const [only] = named;
  if (!only || named.length > 1 || typeof only.value !== 'number') return undefined;
  if (hasWord(only.keys, surelyMinor)) return Math.abs(only.value);
  return Number.isInteger(only.value) ? undefined : Math.round(Math.abs(only.value) * 100);
}

const surelyMinor = new Set(['cents', 'cent', 'minor', 'pence']);

function currencyOf(leaves: readonly Leaf[]): string {
  for (const { keys, value } of leaves) {
    if (typeof value === 'string' && /currency/i.test(keys.at(-1) ?? '')) return value.slice(0, 8);
  }
  return '';
}
