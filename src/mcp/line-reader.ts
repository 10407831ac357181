/** A line as it came, without its line break; where it has a problem, `text` is its beginning. */
export interface Line {
  readonly text: string;
  readonly problem?: 'too_large' | 'not_utf8';
}

/** The longest message that is read where none is given, in bytes. */
export const defaultMaxBytes = 10_485_760;

const newline = 10;
const carriageReturn = 13;

/** How much of a line that is too large is kept, to read its id. */
const keptBytes = 65_536;

/**
 * Cuts a stream of bytes into lines of at most `maxBytes`. What is longer is dropped as it comes, all
 * but its beginning, and the next line is read as usual. Blank lines are left out.
 */
export class LineReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #isTooLarge = false;

  constructor(maxBytes: number = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that this chunk ends. */
  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, at));
      lines.push(...this.end());
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** What stands after the last line break, once the stream has ended. */
  end(): readonly Line[] {
    const isTooLarge = this.#isTooLarge;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    this.#isTooLarge = false;
    const line = lineOf(bytes, isTooLarge);
    return line.text.trim() === '' && line.problem === undefined ? [] : [line];
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0 || this.#isTooLarge) return;
    this.#length += part.length;
    // A copy, since streams use their buffers again.
    this.#parts.push(Uint8Array.prototype.slice.call(part));
    if (this.#length <= this.#maxBytes) return;
    this.#isTooLarge = true;
    this.#parts = [Buffer.concat(this.#parts).subarray(0, keptBytes)];
  }
}

/** Bytes as text (UTF-8, RFC 3629); what is no UTF-8 is not replaced silently. */
export function lineOf(bytes: Uint8Array, isTooLarge = false): Line {
  const whole = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  if (isTooLarge) return { text: loose.decode(whole), problem: 'too_large' };
  try {
    return { text: strict.decode(whole) };
  } catch {
    return { text: loose.decode(whole), problem: 'not_utf8' };
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loose = new TextDecoder('utf-8', { ignoreBOM: true });
