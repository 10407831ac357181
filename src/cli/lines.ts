/** One line of a stream, or why it cannot be read. */
export type Line =
  | { readonly kind: 'line'; readonly number: number; readonly text: string }
  | { readonly kind: 'too_long'; readonly number: number; readonly limitBytes: number }
  | { readonly kind: 'not_utf8'; readonly number: number };

const lineFeed = 0x0a;

/**
 * Splits bytes into lines of UTF-8, holding at most one line of `limitBytes` at a time; the rest of a
 * longer one is passed over. A last line without its end counts. Line numbers count from 1.
 */
export async function* linesOf(
  source: AsyncIterable<Buffer>,
  limitBytes: number,
): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= limitBytes) parts.push(part);
    else parts = [];
  };
  const end = (): Line => {
    const line = lineFrom(parts, length, number, limitBytes);
    number += 1;
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      take(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    take(chunk.subarray(from));
  }
  if (length > 0) yield end();
}

function lineFrom(
  parts: readonly Buffer[],
  length: number,
  number: number,
  limitBytes: number,
): Line {
  if (length > limitBytes) return { kind: 'too_long', number, limitBytes };
  const text = utf8(Buffer.concat(parts));
  return text === undefined ? { kind: 'not_utf8', number } : { kind: 'line', number, text };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes; undefined where they are none. A byte order mark stays. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
