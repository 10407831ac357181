import { isDigit, isLetter, isSpace } from './tokens.ts';

/** A sentence, a heading, a row of a table, or a piece of JSON. */
export interface Unit {
  readonly kind: 'text' | 'item' | 'heading' | 'row' | 'json' | 'rule';
  /** Where it begins, its list marker included. */
  readonly start: number;
  /** Where its own text begins. */
  readonly textStart: number;
  readonly end: number;
  /** How far it is indented, in columns. */
  readonly indent: number;
  /** Whether it is the first sentence of its line. */
  readonly opensLine: boolean;
  /** Whether an empty line stands before it. */
  readonly afterBlank: boolean;
  /** Whether it stands in a block quotation. */
  readonly quoted: boolean;
  /** Whether it is a ticked box of a task list. */
  readonly ticked: boolean;
}

/** Where a reading of units stands, so that more text can follow. */
export interface UnitCursor {
  at: number;
  fenced: boolean;
  /** Up to here no JSON is looked for again, so that brackets left open cost their length once. */
  plainUntil: number;
}

/** Longest sentence, in UTF-16 units; what is longer is cut between words. */
const longestSentence = 4_000;
/** Longest piece of JSON that is read as one. */
const longestJson = 64_000;

/**
 * The next unit from the cursor on, which moves past it; null where the text ends, or, unless it is
 * `final`, where more text could still change what the unit is.
 */
export function nextUnit(text: string, cursor: UnitCursor, final: boolean): Unit | null {
  for (;;) {
    const lead = skipBlanks(text, cursor.at);
    if (lead.at >= text.length) return null;
    if (lead.opensLine && text.startsWith('```', lead.at)) {
      const end = lineEnd(text, lead.at);
      if (end === text.length && !final) return null;
      cursor.fenced = !cursor.fenced;
      cursor.at = end;
      return bare(lead, 'rule', end);
    }
    const unit = unitAt(text, lead, cursor, final);
    if (unit) cursor.at = unit.end;
    return unit;
  }
}

/** All units of a text. */
export function unitsOf(text: string): Unit[] {
  const cursor: UnitCursor = { at: 0, fenced: false, plainUntil: 0 };
  const units: Unit[] = [];
  for (let unit = nextUnit(text, cursor, true); unit; unit = nextUnit(text, cursor, true)) {
    units.push(unit);
  }
  return units;
}

interface Lead {
  readonly at: number;
  readonly opensLine: boolean;
  readonly afterBlank: boolean;
  readonly indent: number;
}

function skipBlanks(text: string, from: number): Lead {
  let at = from;
  let lines = from === 0 ? 1 : 0;
  let indent = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 10) {
      lines += 1;
      indent = 0;
    } else if (isSpace(code)) {
      indent += code === 9 ? 4 : 1;
    } else {
      break;
    }
    at += 1;
  }
  return { at, opensLine: lines > 0, afterBlank: lines > 1 || from === 0, indent };
}

function bare(lead: Lead, kind: Unit['kind'], end: number): Unit {
  const { at, opensLine, afterBlank, indent } = lead;
  return {
    kind,
    start: at,
    textStart: at,
    end,
    indent,
    opensLine,
    afterBlank,
    quoted: false,
    ticked: false,
  };
}

function unitAt(text: string, lead: Lead, cursor: UnitCursor, final: boolean): Unit | null {
  const first = text[lead.at] as string;
  if (lead.opensLine) {
    if ((first === '{' || first === '[') && lead.at >= cursor.plainUntil) {
      const end = jsonEnd(text, lead.at, final);
      if (end === undefined) return null;
      if (end > 0) return bare(lead, 'json', end);
      cursor.plainUntil = -end;
    }
    if (first === '|') return wholeLine(text, lead, 'row', lead.at, final);
    if (first === '#') {
      const textStart = headingStart(text, lead.at);
      if (textStart > 0) return wholeLine(text, lead, 'heading', textStart, final);
    }
  }
  const marker = lead.opensLine
    ? markerAt(text, lead.at)
    : { end: lead.at, quoted: false, item: false, ticked: false };
  if (marker.end >= text.length && !final) return null;
  const end = sentenceEnd(text, marker.end, final);
  if (end === undefined) return null;
  const { quoted, item, ticked } = marker;
  return { ...bare(lead, item ? 'item' : 'text', end), textStart: marker.end, quoted, ticked };
}

function wholeLine(
  text: string,
  lead: Lead,
  kind: Unit['kind'],
  textStart: number,
  final: boolean,
): Unit | null {
  const end = lineEnd(text, lead.at);
  if (end === text.length && !final && end - lead.at < longestSentence) return null;
  return { ...bare(lead, kind, end), textStart };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function headingStart(text: string, from: number): number {
  let at = from;
  while (text[at] === '#' && at - from < 7) at += 1;
  if (at - from > 6 || text[at] !== ' ') return 0;
  return at + 1;
}

interface Marker {
  readonly end: number;
  readonly quoted: boolean;
  readonly item: boolean;
  readonly ticked: boolean;
}

/** The list markers and quotation marks at the beginning of a line. */
function markerAt(text: string, from: number): Marker {
  let at = from;
  let quoted = false;
  while (text[at] === '>') {
    quoted = true;
    at += text[at + 1] === ' ' ? 2 : 1;
  }
  const after = bulletEnd(text, at);
  const box = after > at ? text.slice(after, after + 4).toLowerCase() : '';
  const boxed = box === '[x] ' || box === '[ ] ';
  return {
    end: boxed ? after + 4 : after,
    quoted,
    item: after > at,
    ticked: box === '[x] ',
  };
}

const bullets = new Set(['-', '*', '+', '•', '–', '—', '·', '‣', '◦', '▪']);

function bulletEnd(text: string, from: number): number {
  const first = text[from];
  if (first !== undefined && bullets.has(first)) {
    return isSpace(text.charCodeAt(from + 1)) ? pastSpaces(text, from + 1) : from;
  }
  let at = from;
  while (at - from < 3 && isDigit(text.charCodeAt(at))) at += 1;
  if (at === from || (text[at] !== '.' && text[at] !== ')')) return from;
  return isSpace(text.charCodeAt(at + 1)) ? pastSpaces(text, at + 1) : from;
}

function pastSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '\n' && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const closers = new Set(['"', "'", '”', '’', '»', ')', ']', '*', '_', '`', '“']);

/** Where the sentence that begins at `from` ends; undefined where more text has to be seen first. */
function sentenceEnd(text: string, from: number, final: boolean): number | undefined {
  const limit = Math.min(text.length, from + longestSentence);
  for (let at = from; at < limit; at += 1) {
    const char = text[at] as string;
    if (char === '\n') {
      const next = skipBlanks(text, at);
      if (next.at >= text.length) return final ? at : undefined;
      if (next.afterBlank || breaksLine(text, next.at)) return at;
    } else if (isEnd(text, at, from)) {
      let end = at + 1;
      while (
        end < text.length &&
        (isEndMark(text[end] as string) || closers.has(text[end] as string))
      ) {
        end += 1;
      }
      if (end >= text.length) return final ? end : undefined;
      if (isSpace(text.charCodeAt(end)) || isWide(char)) return end;
      at = end - 1;
    }
  }
  if (limit < text.length) return wordEnd(text, from, limit);
  return final ? trimmedEnd(text, from) : undefined;
}

function trimmedEnd(text: string, from: number): number {
  let end = text.length;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

function wordEnd(text: string, from: number, limit: number): number {
  for (let at = limit; at > limit - 200 && at > from; at -= 1) {
    if (isSpace(text.charCodeAt(at))) return at;
  }
  return limit;
}

function isEndMark(char: string): boolean {
  return char === '.' || char === '!' || char === '?' || char === '…' || isWide(char);
}

function isWide(char: string): boolean {
  return char === '。' || char === '！' || char === '？';
}

/** Abbreviations whose full stop never ends a sentence. */
const titles = setOf(
  'mr mrs ms dr st approx vs bzw ca ggf inkl zzgl sr sra mme dhr mevr bijv e g i z b d u h p ej',
);
/** Abbreviations whose full stop ends no sentence before a figure. */
const counters = setOf(
  'no nr n núm num art fl jan feb mar apr jun jul aug sep sept oct okt nov dec dez',
);
/** Abbreviations whose full stop ends a sentence before a capital letter only. */
const midway = setOf('am pm a m etc inc ltd co corp usw enz sig');
const monthNames = setOf('jan feb mär mar apr mai may mei jun jul aug sep okt oct nov dez dec');

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

function isEnd(text: string, at: number, from: number): boolean {
  const char = text[at] as string;
  if (!isEndMark(char)) return false;
  if (char !== '.') return true;
  let start = at;
  while (start > from && at - start < 12 && isLetter(text.charCodeAt(start - 1))) start -= 1;
  const word = text.slice(start, at).toLowerCase();
  const next = text.codePointAt(pastSpaces(text, at + 1));
  if (word === '') return !isOrdinal(text, at);
  if (next === undefined || titles.has(word)) return next === undefined;
  if (counters.has(word)) return !(isDigit(next) || next === 35);
  if (!midway.has(word)) return true;
  const first = String.fromCodePoint(next);
  return first.toLowerCase() !== first;
}

/** `20. Mai`: a day, not the end of a sentence. */
function isOrdinal(text: string, at: number): boolean {
  if (!isDigit(text.charCodeAt(at - 1)) || isDigit(text.charCodeAt(at - 3))) return false;
  const next = pastSpaces(text, at + 1);
  return next > at + 1 && monthNames.has(text.slice(next, next + 3).toLowerCase());
}

/** Whether what stands at the beginning of a line cannot go on with the sentence before it. */
function breaksLine(text: string, at: number): boolean {
  const point = text.codePointAt(at) as number;
  if (!isLetter(point)) return !(point === 40 || point === 34); // '(' and '"' may go on
  const char = String.fromCodePoint(point);
  return char.toLowerCase() !== char || isDigit(point);
}

/** Where a piece of JSON ends; if it is none, how far was looked, negative; undefined if it may still become one. */
function jsonEnd(text: string, from: number, final: boolean): number | undefined {
  const limit = Math.min(text.length, from + longestJson);
  let depth = 0;
  let inString = false;
  for (let at = from; at < limit; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
    } else if (char === '{' || char === '[') {
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return isJson(text.slice(from, at + 1)) ? at + 1 : -at - 1;
    }
  }
  return final || limit < text.length ? -limit : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
