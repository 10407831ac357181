import { char } from '../decode/char.ts';
import { skipBlank } from '../decode/json-problem.ts';

/** One member of an object, and where its value stands in the text. */
export interface Member {
  /** The key, its escapes read. */
  readonly key: string;
  readonly start: number;
  /** The place after the value; undefined where the text ends inside it. */
  readonly end: number | undefined;
}

/** The members of one object, in the order of the text. */
export interface Members {
  readonly list: readonly Member[];
  /** The place after the closing brace; undefined where there is none. */
  readonly end: number | undefined;
}

/**
 * Finds the members of the object that begins at `start`, by quotes and brackets alone: exact where
 * the text is JSON (RFC 8259), else as far as it can be read. It judges no grammar inside of values.
 */
export function membersOf(text: string, start: number): Members {
  const list: Member[] = [];
  if (text.charCodeAt(start) !== char.openBrace) return { list, end: undefined };
  let at = skipBlank(text, start + 1);
  if (text.charCodeAt(at) === char.closeBrace) return { list, end: at + 1 };
  for (;;) {
    const keyEnd = stringEnd(text, at);
    const key = keyEnd === undefined ? undefined : readKey(text.slice(at, keyEnd));
    if (keyEnd === undefined || key === undefined) return { list, end: undefined };
    const colon = skipBlank(text, keyEnd);
    if (text.charCodeAt(colon) !== char.colon) return { list, end: undefined };
    const valueStart = skipBlank(text, colon + 1);
    const end = valueEnd(text, valueStart);
    list.push({ key, start: valueStart, end });
    if (end === undefined) return { list, end: undefined };
    at = skipBlank(text, end);
    const unit = text.charCodeAt(at);
    if (unit === char.closeBrace) return { list, end: at + 1 };
    if (unit !== char.comma) return { list, end: undefined };
    at = skipBlank(text, at + 1);
  }
}

/** Where each value of the list that begins at `start` stands; undefined where the list has no end. */
export function itemsOf(
  text: string,
  start: number,
): readonly { readonly start: number; readonly end: number }[] | undefined {
  const items: { start: number; end: number }[] = [];
  let at = skipBlank(text, start + 1);
  if (text.charCodeAt(at) === char.closeBracket) return items;
  for (;;) {
    const end = valueEnd(text, at);
    if (end === undefined) return undefined;
    items.push({ start: at, end });
    at = skipBlank(text, end);
    const unit = text.charCodeAt(at);
    if (unit === char.closeBracket) return items;
    if (unit !== char.comma) return undefined;
    at = skipBlank(text, at + 1);
  }
}

/** The place after the value that begins at `start`; undefined where the text ends first. */
function valueEnd(text: string, start: number): number | undefined {
  const unit = text.charCodeAt(start);
  if (unit === char.quote) return stringEnd(text, start);
  if (unit === char.openBrace || unit === char.openBracket) return bracketEnd(text, start);
  let at = start;
  while (at < text.length && !endsWord(text.charCodeAt(at))) at++;
  return at > start && at < text.length ? at : undefined;
}

function bracketEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === char.quote) {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (unit === char.openBrace || unit === char.openBracket) {
      depth++;
    } else if (unit === char.closeBrace || unit === char.closeBracket) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The place after the closing quote of the string at `start`; undefined where none stands or ends there. */
function stringEnd(text: string, start: number): number | undefined {
  if (text.charCodeAt(start) !== char.quote) return undefined;
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === char.quote) return at + 1;
    if (unit === char.backslash) at++;
  }
  return undefined;
}

function endsWord(unit: number): boolean {
  return (
    unit === char.comma ||
    unit === char.closeBrace ||
    unit === char.closeBracket ||
    unit <= char.space
  );
}

function readKey(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}
