import type { JsonValue } from '../call/json.ts';

const longestText = 200_000;
const deepest = 32;

/**
 * A value whose JSON text was handed over as a string, as that value; text that breaks off is read
 * up to there, and any other text stays text.
 */
export function looseJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const text = value.trimStart();
  if (text[0] !== '{' && text[0] !== '[') return value;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return new LooseReader(text.slice(0, longestText)).read() ?? value;
  }
}

/** Reads as much as there is; what is not JSON ends the reading. */
class LooseReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth = 0): JsonValue | undefined {
    this.#skip();
    const char = this.#text[this.#at];
    if (char === '"') return this.#string();
    if (depth < deepest && char === '{') return this.#object(depth);
    if (depth < deepest && char === '[') return this.#array(depth);
    return this.#scalar();
  }

  #object(depth: number): JsonValue {
    const object: Record<string, JsonValue> = {};
    this.#at += 1;
    for (;;) {
      this.#skip();
      const before = this.#at;
      if (this.#text[this.#at] !== '"') return this.#closed('}', object);
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ':') return object;
      this.#at += 1;
      const value = this.read(depth + 1);
      if (value === undefined) return object;
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      if (this.#at === before) return object;
    }
  }

  #array(depth: number): JsonValue {
    const array: JsonValue[] = [];
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === ']') return this.#closed(']', array);
      const before = this.#at;
      const value = this.read(depth + 1);
      if (value === undefined || this.#at === before) return array;
      array.push(value);
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
  }

  #closed<T>(mark: string, value: T): T {
    if (this.#text[this.#at] === mark) this.#at += 1;
    return value;
  }

  #string(): string {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== '"') {
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    this.#at = Math.min(end + 1, this.#text.length + 1);
    const raw = this.#text.slice(start, end);
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      return raw;
    }
  }

  #scalar(): JsonValue | undefined {
    const start = this.#at;
    while (this.#at < this.#text.length && !',}] \n\r\t'.includes(this.#text[this.#at] as string)) {
      this.#at += 1;
    }
    const word = this.#text.slice(start, this.#at);
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    const number = word === '' ? Number.NaN : Number(word);
    return Number.isFinite(number) ? number : undefined;
  }

  #skip(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }
}
