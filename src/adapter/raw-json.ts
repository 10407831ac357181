/**
 * The texts of an object's members as they are written, by their names; of two equal names the last.
 * The text is to be a JSON object that a parser has taken.
 */
export function memberTexts(json: string): ReadonlyMap<string, string> {
  return new Map(
    partsOf(json).map((part) => {
      const end = endOfString(part, 0);
      const name = JSON.parse(part.slice(0, end)) as string;
      return [name, part.slice(part.indexOf(':', end) + 1).trim()];
    }),
  );
}

/** The texts of a list's items as they are written. The text is to be a JSON array that a parser has taken. */
export function itemTexts(json: string): readonly string[] {
  return partsOf(json);
}

/** What stands between the commas of an object or a list. */
function partsOf(json: string): readonly string[] {
  const text = json.trim();
  const last = text.length - 1;
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < last; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  const rest = text.slice(start, last).trim();
  return rest === '' ? parts : [...parts, rest];
}

/** Where the string that begins at a quote has ended. */
function endOfString(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
