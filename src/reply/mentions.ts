import { is } from './helpers.ts';
import type { Lexeme } from './lexicon/compile.ts';
import { isLetter } from './tokens.ts';

/** An identifier that a reply names. */
export interface IdMention {
  /** In capital letters, without `#`. */
  readonly id: string;
  readonly raw: string;
  readonly at: number;
  /** Whether the reply says that it is one: by `#`, or by a word such as `order` before it. */
  readonly announced: boolean;
}

/** A sum of money that a reply names; ambiguous figures have several readings, all in hundredths. */
export interface AmountMention {
  readonly readings: readonly number[];
  readonly raw: string;
  readonly at: number;
  /** `$`, `€`, … if it is written with one. */
  readonly symbol: string;
  /** A bound that something was held against, `under $300`, and no sum that moved. */
  readonly bound: boolean;
}

/** A day that a reply names: month and day, `5-20`; ambiguous ones have two readings. */
export interface DateMention {
  readonly readings: readonly string[];
  readonly raw: string;
  readonly at: number;
}

/** What part of a sentence names. */
export interface Mentions {
  readonly ids: readonly IdMention[];
  readonly amounts: readonly AmountMention[];
  readonly dates: readonly DateMention[];
}

/**
 * Tells whether a word is an identifier: `target` for what a call was made for, `seen` for one that
 * stands in some answer, undefined for any other word.
 */
export type KnowsId = (id: string, raw: string) => 'target' | 'seen' | undefined;

/** Finds identifiers, sums of money and days from lexeme `from` to before `to`. */
export function mentionsIn(
  lexemes: readonly Lexeme[],
  from: number,
  to: number,
  knows: KnowsId,
): Mentions {
  const ids: IdMention[] = [];
  const amounts: AmountMention[] = [];
  const dates: DateMention[] = [];
  for (let at = from; at < to; at += 1) {
    const lexeme = lexemes[at] as Lexeme;
    if (lexeme.kind === 'mark') continue;
    const date = lexeme.kind === 'word' ? undefined : dateAt(lexemes, at);
    if (date) {
      dates.push(date);
      continue;
    }
    const amount = lexeme.kind === 'number' ? amountAt(lexemes, at) : undefined;
    if (amount) {
      amounts.push(amount);
      continue;
    }
    const id = idAt(lexemes, at, ids.at(-1), knows);
    if (id) ids.push(id);
  }
  return { ids, amounts, dates };
}

/** Those of them that stand from lexeme `from` to before `to`. */
export function within(mentions: Mentions, from: number, to: number): Mentions {
  const inside = ({ at }: { readonly at: number }): boolean => at >= from && at < to;
  return {
    ids: mentions.ids.filter(inside),
    amounts: mentions.amounts.filter(inside),
    dates: mentions.dates.filter(inside),
  };
}

/** Sums of money alone. */
export function amountsIn(lexemes: readonly Lexeme[]): readonly AmountMention[] {
  return lexemes.flatMap(({ kind }, at) =>
    kind === 'number' ? (amountAt(lexemes, at) ?? []) : [],
  );
}

/** An identifier as it is compared. */
export function normalId(raw: string): string {
  return (raw.startsWith('#') ? raw.slice(1) : raw).toUpperCase();
}

const symbols = new Set(['$', '€', '£', '¥', '₹', '₽', '₩', '฿', '₺']);

function amountAt(lexemes: readonly Lexeme[], at: number): AmountMention | undefined {
  const lexeme = lexemes[at] as Lexeme;
  const before = lexemes[at - 1];
  const after = lexemes[at + 1];
  const symbol = symbols.has(before?.text ?? '')
    ? before?.text
    : symbols.has(after?.text ?? '')
      ? after?.text
      : undefined;
  if (is(after, 'cents')) {
    const readings = [Math.round(Number(lexeme.text))];
    return { readings, raw: lexeme.raw, at, symbol: '', bound: isBound(lexemes, at) };
  }
  const worded = is(before, 'money') || is(after, 'money');
  if (symbol === undefined && !worded) return undefined;
  const readings = amountReadings(lexeme.text);
  return readings.length === 0
    ? undefined
    : { readings, raw: lexeme.raw, at, symbol: symbol ?? '', bound: isBound(lexemes, at) };
}

/** "over $200", "your $3,000 threshold", "$200 or more". */
function isBound(lexemes: readonly Lexeme[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 4); before -= 1) {
    const lexeme = lexemes[before];
    if (is(lexeme, 'over') || is(lexeme, 'limit')) return true;
    const passes = lexeme?.kind === 'mark' || is(lexeme, 'definite') || is(lexeme, 'link');
    if (!passes) break;
  }
  return is(lexemes[at + 1], 'limit') || is(lexemes[at + 2], 'limit');
}

/** What a figure may mean, in hundredths: `1.234` is one and a bit, or a thousand and more. */
export function amountReadings(figure: string): readonly number[] {
  const comma = figure.lastIndexOf(',');
  const point = figure.lastIndexOf('.');
  const readings = new Set<number>();
  const add = (text: string): void => {
    const value = Number(text);
    if (Number.isFinite(value)) readings.add(Math.round(value * 100));
  };
  const plain = figure.replaceAll(',', '').replaceAll('.', '');
  if (comma < 0 && point < 0) {
    add(figure);
  } else if (comma >= 0 && point >= 0) {
    const decimal = comma > point ? ',' : '.';
    const group = decimal === ',' ? '.' : ',';
    add(figure.replaceAll(group, '').replace(decimal, '.'));
  } else {
    const mark = comma >= 0 ? comma : point;
    const several = figure.indexOf(figure[mark] as string) !== mark;
    const digitsAfter = figure.length - mark - 1;
    if (several || digitsAfter === 3) add(plain);
    if (!several && (digitsAfter !== 3 || point >= 0)) add(figure.replace(',', '.'));
  }
  return [...readings];
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})/;
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(?:\d{2}|\d{4})$/;

/** The month and day of a text that is an ISO date, or undefined. */
export function dayOf(text: string): string | undefined {
  if (text.charCodeAt(4) !== 45) return undefined;
  const iso = isoDate.exec(text);
  return iso ? `${Number(iso[2])}-${Number(iso[3])}` : undefined;
}

function dateAt(lexemes: readonly Lexeme[], at: number): DateMention | undefined {
  const { text, raw } = lexemes[at] as Lexeme;
  const iso = dayOf(text);
  if (iso) return { readings: [iso], raw, at };
  const dotted = dottedDate.exec(text);
  if (dotted) return { readings: [`${Number(dotted[2])}-${Number(dotted[1])}`], raw, at };
  const slashed = slashedDate(lexemes, at);
  if (slashed) return slashed;
  const day = dayNumber(text);
  if (day === undefined) return undefined;
  const month = monthNear(lexemes, at);
  return month === undefined ? undefined : { readings: [`${month}-${day}`], raw, at };
}

function slashedDate(lexemes: readonly Lexeme[], at: number): DateMention | undefined {
  const [first, slash, second, again, year] = lexemes.slice(at, at + 5);
  if (slash?.text !== '/' || again?.text !== '/' || !first || !second || !year) return undefined;
  const [a, b] = [Number(first.text), Number(second.text)];
  if (!(a >= 1 && a <= 31 && b >= 1 && b <= 31)) return undefined;
  return { readings: [`${a}-${b}`, `${b}-${a}`], raw: `${first.raw}/${second.raw}`, at };
}

function dayNumber(text: string): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th|er|º|ª)?$/.exec(text);
  const day = digits ? Number(digits[1]) : 0;
  return day >= 1 && day <= 31 ? day : undefined;
}

/** "May 20", "20 May", "20. Mai", "20 de mayo", "20th of May". */
function monthNear(lexemes: readonly Lexeme[], at: number): number | undefined {
  const before = lexemes[at - 1]?.info.month;
  if (before !== undefined) return before;
  for (let after = at + 1; after <= at + 2; after += 1) {
    const month = lexemes[after]?.info.month;
    if (month !== undefined) return month;
    const text = lexemes[after]?.text ?? '';
    if (text !== '.' && text !== 'de' && text !== 'of') return undefined;
  }
  return undefined;
}

function idAt(
  lexemes: readonly Lexeme[],
  at: number,
  before: IdMention | undefined,
  knows: KnowsId,
): IdMention | undefined {
  const { kind, raw } = lexemes[at] as Lexeme;
  if (isCompared(lexemes, at)) return undefined;
  const id = normalId(raw);
  const hash = raw.startsWith('#');
  const announced = hash || isAnnounced(lexemes, at, before);
  const known = knows(id, raw);
  if (kind === 'word') {
    const shouted = raw.length > 3 && raw === raw.toUpperCase() && raw !== raw.toLowerCase();
    // A word of the language in capital letters is a word all the same.
    const code = shouted && !isKnownWord(lexemes[at] as Lexeme);
    return code && (known || (announced && raw.length > 4))
      ? { id, raw, at, announced }
      : undefined;
  }
  if (kind === 'number') {
    const named = announced && raw.length > 2;
    const told = known === 'target' || (known === 'seen' && raw.length > 5);
    return named || told ? { id, raw, at, announced } : undefined;
  }
  if (known || hash) return { id, raw, at, announced };
  const worded = raw.length > 4 && isLetter(raw.charCodeAt(raw.length - 3));
  return isMeasure(raw) && (!announced || worded) ? undefined : { id, raw, at, announced };
}

/** "to match order #W7": what something is like. */
function isCompared(lexemes: readonly Lexeme[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 4); before -= 1) {
    const lexeme = lexemes[before];
    if (is(lexeme, 'like')) return true;
    if (!is(lexeme, 'idCue') && !is(lexeme, 'definite') && lexeme?.kind !== 'mark') return false;
  }
  return false;
}

function isKnownWord({ info }: Lexeme): boolean {
  const verb = info.done ?? info.past ?? info.base ?? info.light;
  return (verb ?? info.noun ?? info.thing) !== undefined || info.roles.size > 0;
}

function isAnnounced(
  lexemes: readonly Lexeme[],
  at: number,
  before: IdMention | undefined,
): boolean {
  for (let near = at - 1; near >= at - 3 && near >= 0; near -= 1) {
    const lexeme = lexemes[near] as Lexeme;
    if (is(lexeme, 'idCue')) return true;
    // "orders 4512 and 4513": what announced the first announces the second.
    if (before?.at === near) return before.announced;
    const passes = lexeme.kind === 'mark' || is(lexeme, 'and') || is(lexeme, 'be');
    if (!passes) return false;
  }
  return false;
}

/** `128GB`, `8-inch`, `10x`, `5-7`, `20th`: figures, not names. */
export function isMeasure(raw: string): boolean {
  return /^\d+(?:[.,]\d+)?-?(?:[a-z]{0,6}|[kKMGT]B?|MP|GHz|MHz|mAh|XL|XXL|L|W|V|\d{1,2})$/.test(
    raw,
  );
}
