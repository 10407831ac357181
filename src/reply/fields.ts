import type { JsonValue } from '../call/json.ts';
import { amountReadings, dayOf, isMeasure } from './mentions.ts';
import { isDigit } from './tokens.ts';
import { nameWords } from './tool-profile.ts';

const mostLeaves = 5_000;
/** How deep a record is read. */
export const deepest = 24;
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

/** One value of a record, with the names of the fields that it stands under. */
export interface Leaf {
  readonly keys: readonly string[];
  readonly value: string | number | boolean | null;
}

/** All values of a record, up to a bound. */
export function leavesOf(value: JsonValue | undefined, key: string): readonly Leaf[] {
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
export function isTargetKey(keys: readonly string[], own: ReadonlySet<string>): boolean {
  const first = nameWords(keys.at(-1) ?? '')[0] ?? '';
  return !personal.has(first) || own.has(first);
}

/** Whether the value of a field is an identifier, by the name of the field or by its make. */
export function isIdValue(keys: readonly string[], value: Leaf['value']): boolean {
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
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The words of texts. */
export function wordsOf(leaves: readonly Leaf[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { value } of leaves) {
    if (typeof value !== 'string' || value.length > 400) continue;
    for (const word of nameWords(value)) words.add(word);
  }
  return words;
}

/** The words of the names of fields. */
export function fieldWordsOf(leaves: readonly Leaf[]): ReadonlySet<string> {
  return new Set(leaves.flatMap(({ keys }) => keys.flatMap(nameWords)));
}

/** What figures may be as sums of money, in hundredths. */
export function amountsOf(leaves: readonly Leaf[]): ReadonlySet<number> {
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
export function namesAmount(key: string): boolean {
  const words = nameWords(key).filter((word) => !surelyMinor.has(word) && !currencies.has(word));
  return amountWords.has(words.at(-1) ?? '');
}

const currencies = new Set(['usd', 'eur', 'gbp', 'chf', 'in', 'value']);

/** A figure under a name such as `price`, or one that is the whole answer, as a calculator's is. */
export function isPrice({ keys, value }: Leaf): boolean {
  if (keys.length === 0) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return true;
  return keys.some(namesAmount);
}

/** Ends of names that stamp a deed with its time: `refunded_at`. */
export const stamps: ReadonlySet<string> = new Set(['at', 'on', 'by', 'date', 'time']);

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

/** The one sum that an input names; undefined where it names none, several, or one of unclear unit. */
export function mainAmountOf(leaves: readonly Leaf[]): number | undefined {
  const named = leaves.filter(({ keys }) => namesAmount(keys.at(-1) ?? ''));
  const [only] = named;
  if (!only || named.length > 1 || typeof only.value !== 'number') return undefined;
  if (hasWord(only.keys, surelyMinor)) return Math.abs(only.value);
  return Number.isInteger(only.value) ? undefined : Math.round(Math.abs(only.value) * 100);
}

const surelyMinor = new Set(['cents', 'cent', 'minor', 'pence']);

/** The currency that a record names, or nothing. */
export function currencyOf(leaves: readonly Leaf[]): string {
  for (const { keys, value } of leaves) {
    if (typeof value === 'string' && /currency/i.test(keys.at(-1) ?? '')) return value.slice(0, 8);
  }
  return '';
}

/** Whether a field names a person or a means of payment. */
export function isPersonal(key: string): boolean {
  return personal.has(nameWords(key)[0] ?? '');
}

/** A figure in hundredths; undefined for what is none. */
export function hundredthsOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? Math.round(Math.abs(value) * 100) : undefined;
}
