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

const blank = /[\t\n\r ]*/y;
const bare = /[^\t\n\r ,\]}]*/y;

/**
 * Reads where the members of the object at `start` stand, without reading their values. What is no
 * JSON gives the members that are whole before it breaks; undefined where no object begins there.
 */
export function rawObject(text: string, start = 0): RawObject | undefined {
  let at = past(blank, text, start);
  if (text[at] !== '{') return undefined;
  const members = new Map<string, Span>();
  let twin: string | undefined;
  at = past(blank, text, at + 1);
  while (text[at] === '"') {
    const keyEnd = valueEnd(text, at);
    const colon = keyEnd < 0 ? -1 : past(blank, text, keyEnd);
    if (colon < 0 || text[colon] !== ':') break;
    const valueStart = past(blank, text, colon + 1);
    const end = valueEnd(text, valueStart);
    const key = stringFrom(text.slice(at, keyEnd));
    if (end < 0 || key === undefined) break;
    if (members.has(key)) twin ??= key;
    members.set(key, { start: valueStart, end });
    at = past(blank, text, end);
    if (text[at] !== ',') break;
    at = past(blank, text, at + 1);
  }
  return { members, twin, close: text[at] === '}' ? at : -1 };
}

/** The places of the items of the list at `start`; undefined where there is no whole list. */
export function rawItems(text: string, start = 0): readonly Span[] | undefined {
  let at = past(blank, text, start);
  if (text[at] !== '[') return undefined;
  const items: Span[] = [];
  at = past(blank, text, at + 1);
  while (text[at] !== ']') {
    const end = valueEnd(text, at);
    if (end <= at) return undefined;
    items.push({ start: at, end });
    at = past(blank, text, end);
    if (text[at] === ',') at = past(blank, text, at + 1);
    else if (text[at] !== ']') return undefined;
  }
  return items;
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

/** Where the value at `at` ends; −1 where the text ends before it does. Brackets are only counted. */
function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first !== '{' && first !== '[') {
    const end = past(bare, text, at);
    return end < text.length ? end : -1;
  }
  let depth = 0;
  for (let place = at; place < text.length; place++) {
    const unit = text[place];
    if (unit === '"') {
      place = stringEnd(text, place) - 1;
      if (place < 0) return -1;
    } else if (unit === '{' || unit === '[') depth++;
    else if ((unit === '}' || unit === ']') && --depth === 0) return place + 1;
  }
  return -1;
}

function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return -1;
}

function stringFrom(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
