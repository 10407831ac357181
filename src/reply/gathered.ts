import type { JsonValue } from '../call/json.ts';
import type { EntryFacts, PastFact } from './facts.ts';
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
import { nameWords, type ToolProfile } from './tool-profile.ts';
import type { ReplyEntry, ReplyRead } from './types.ts';

const shortestTail = 4;

/** What is gathered from entries and reads, one after the other. */
export class Gathered {
  readonly past: PastFact[] = [];
  readonly ids: Set<string> = new Set();
  readonly readIds: Set<string> = new Set();
  readonly readTargets: Set<string> = new Set();
  readonly personalIds: Set<string> = new Set();
  readonly recordIds: Map<string, Set<string>> = new Map();
  readonly amounts: Set<number> = new Set();
  readonly prices: Set<number> = new Set();
  readonly computed: Set<number> = new Set();
  readonly readWords: Map<string, Set<string>> = new Map();
  readonly days: Set<string> = new Set();
  readonly records: ItemRecords = new ItemRecords();
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
