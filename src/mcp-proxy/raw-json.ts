import { char } from '../decode/char.ts';
import { skipBlank } from '../decode/json-problem.ts';
import { itemsOf, membersOf } from '../mcp/json-members.ts';

/** Where a value stands in a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The members of one JSON object, as they stand in its text. */
export interface RawObject {
  readonly members: ReadonlyMap<string, Span>;
  /** A key that stands there twice. */
  readonly twin: string | undefined;
  /** Where its closing brace is; −1 where the text ends or breaks before. */
  readonly close: number;
}

/**
 * Reads where the members of the object at `start` stand, without reading their values. What is no
 * JSON gives the members that are whole before it breaks; undefined where no object begins there.
 */
export function rawObject(text: string, start = 0): RawObject | undefined {
  const at = skipBlank(text, start);
  if (text.charCodeAt(at) !== char.openBrace) return undefined;
  const { list, end: objectEnd } = membersOf(text, at);
  const members = new Map<string, Span>();
  let twin: string | undefined;
  for (const { key, start: valueStart, end } of list) {
    if (end === undefined) continue;
    if (members.has(key)) twin ??= key;
    members.set(key, { start: valueStart, end });
  }
  return { members, twin, close: objectEnd === undefined ? -1 : objectEnd - 1 };
}

/** The places of the items of the list at `start`; undefined where there is no whole list. */
export function rawItems(text: string, start = 0): readonly Span[] | undefined {
  const at = skipBlank(text, start);
  return text.charCodeAt(at) === char.openBracket ? itemsOf(text, at) : undefined;
}

/** The text of a span. */
export function cutOut(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** The text with some spans of it replaced; they must not overlap. */
export function splice(
  text: string,
  changes: readonly { readonly span: Span; readonly with: string }[],
): string {
  let result = '';
  let at = 0;
  for (const change of [...changes].sort((a, b) => a.span.start - b.span.start)) {
    result += text.slice(at, change.span.start) + change.with;
    at = change.span.end;
  }
  return result + text.slice(at);
}
