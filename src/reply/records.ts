import type { JsonValue } from '../call/json.ts';
import { deepest, hundredthsOf, isIdValue, isPersonal, namesAmount } from './fields.ts';
import { normalId } from './mentions.ts';
import { nameWords } from './tool-profile.ts';

/** What reads and answers show of one thing: an item of an order, a variant of a product. */
export interface ItemRecord {
  /** Its price in hundredths, as it was shown first. */
  readonly price: number;
  /** Words of its name and of what else is said of it. */
  readonly words: ReadonlySet<string>;
}

const mostRecords = 5_000;
const longestValue = 200;

/** Gathers the records of single things from what reads and writes answered, in linear time. */
export class ItemRecords {
  readonly #records = new Map<string, { readonly price: number; readonly words: Set<string> }>();

  /** Words of the names of what has a price. */
  readonly named: Set<string> = new Set();

  /** The record of an identifier. */
  get(id: string): ItemRecord | undefined {
    return this.#records.get(id);
  }

  /** Takes an answer in. */
  add(value: JsonValue | undefined, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) this.add(item, depth + 1);
      return;
    }
    this.#addRecord(value as { readonly [key: string]: JsonValue });
    for (const inner of Object.values(value)) this.add(inner, depth + 1);
  }

  #addRecord(record: { readonly [key: string]: JsonValue }): void {
    const ids: string[] = [];
    let price: number | undefined;
    for (const [key, field] of Object.entries(record)) {
      if (typeof field === 'object') continue;
      if (namesAmount(key)) price ??= hundredthsOf(field);
      else if (isIdValue([key], field) && !isPersonal(key)) ids.push(normalId(String(field)));
    }
    price ??= priceOfParts(record);
    if (price === undefined || ids.length === 0) return;
    const words = wordsOf(record);
    for (const id of ids)
      this.#note(
        id,
        price,
        words,
        typeof record.name === 'string' ? record.name.slice(0, longestValue) : '',
      );
  }

  #note(id: string, price: number, words: readonly string[], name: string): void {
    const known = this.#records.get(id);
    if (!known && this.#records.size >= mostRecords) return;
    const record = known ?? { price, words: new Set<string>() };
    for (const word of words) record.words.add(word);
    for (const word of nameWords(name)) this.named.add(word);
    this.#records.set(id, record);
  }
}

/** What the parts of a record that have no price of its own cost together: the items of an order. */
function priceOfParts(record: { readonly [key: string]: JsonValue }): number | undefined {
  for (const field of Object.values(record)) {
    if (!Array.isArray(field)) continue;
    let sum = 0;
    for (const part of field as readonly JsonValue[]) {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
      for (const [key, value] of Object.entries(part)) {
        if (namesAmount(key)) sum += hundredthsOf(value) ?? 0;
      }
    }
    if (sum > 0) return sum;
  }
  return undefined;
}

/** The words of a record's own texts and of those one level below it. */
function wordsOf(record: { readonly [key: string]: JsonValue }): readonly string[] {
  const words: string[] = [];
  for (const field of Object.values(record)) {
    const texts =
      typeof field === 'object' && field !== null && !Array.isArray(field)
        ? Object.values(field)
        : [field];
    for (const text of texts) {
      if (typeof text === 'string' && text.length <= longestValue) words.push(...nameWords(text));
    }
  }
  return words;
}

/** Sums that follow from what a write names, the foremost first: what new things differ, what they cost together. */
export function sumsOfItems(input: JsonValue | undefined, records: ItemRecords): readonly number[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const fields = Object.entries(input).filter(([key]) => !isPersonal(key));
  const listed = fields.filter(([, field]) => Array.isArray(field));
  // Without lists, what is named after the record that is written to may be its items.
  const lists = (listed.length > 0 ? listed : fields.slice(1)).flatMap(([, field]) => {
    const prices = pricesOf(field, records);
    return prices ? [prices] : [];
  });
  const sums: number[] = [];
  for (const [at, before] of lists.entries()) {
    for (const after of lists.slice(at + 1)) {
      sums.push(Math.abs(total(after) - total(before)));
      if (after.length !== before.length) continue;
      for (const [item, price] of after.entries()) sums.push(Math.abs(price - (before[item] ?? 0)));
    }
  }
  return [...sums, ...lists.map(total)];
}

const mostItems = 100;

function pricesOf(field: JsonValue, records: ItemRecords): number[] | undefined {
  const ids = Array.isArray(field) ? (field as readonly JsonValue[]) : [field];
  if (ids.length === 0 || ids.length > mostItems) return undefined;
  const prices: number[] = [];
  for (const id of ids) {
    const price =
      typeof id === 'string' || typeof id === 'number'
        ? records.get(normalId(String(id)))?.price
        : undefined;
    if (price === undefined) return undefined;
    prices.push(price);
  }
  return prices;
}

function total(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
