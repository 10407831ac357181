const lineFeed = 0x0a;

/** Splits bytes into lines, holding at most `limitBytes` of one; a longer one is dropped and reported. */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: () => void;
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(
    limitBytes: number,
    on: { readonly line: (line: Buffer) => void; readonly tooLong: () => void },
  ) {
    this.#limitBytes = limitBytes;
    this.#onLine = on.line;
    this.#onTooLong = on.tooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      this.#take(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
  }

  /** Hands out a last line without its end. */
  end(): void {
    const line = Buffer.concat(this.#parts);
    const isTooLong = this.#length > this.#limitBytes;
    this.#parts = [];
    this.#length = 0;
    if (isTooLong) this.#onTooLong();
    else if (line.some((byte) => byte > 0x20)) this.#onLine(line);
  }

  #take(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.#limitBytes) this.#parts.push(part);
    else this.#parts = [];
  }
}

/** The longest message that is taken from either side, in bytes. */
export const longestMessageBytes: number = 64 * 1024 * 1024;

const strict = new TextDecoder('utf-8', { fatal: true });

/** The text of UTF-8 bytes; undefined where they are none. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
