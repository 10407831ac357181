import type { JsonObject, JsonValue } from './json.ts';

/** What a value became as JSON; `problem` says what could not be kept. */
export interface SafeJson {
  readonly value: JsonValue;
  readonly problem?: string;
}

const deepest = 64;

class NotKept extends Error {}

/**
 * Any value as plain JSON, never throwing: a BigInt becomes its digits, a Date its ISO text, a Map an
 * object, a Set a list; functions and symbols are left out. What is cyclic, nested deeper than 64,
 * or longer than `maxLength` UTF-16 units becomes null, and `problem` says so.
 */
export function safeJson(value: unknown, maxLength: number): SafeJson {
  try {
    const plain = new JsonReader(maxLength).read(value, 0) ?? null;
    const { length } = JSON.stringify(plain);
    if (length <= maxLength) return { value: plain };
    throw new NotKept(tooLong(maxLength));
  } catch (error) {
    return { value: null, problem: error instanceof NotKept ? error.message : 'it cannot be read' };
  }
}

class JsonReader {
  readonly #maxLength: number;
  /** Every value takes a character at least, so a small object that names itself often is found out too. */
  #left: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#left = maxLength;
  }

  read(value: unknown, depth: number): JsonValue | undefined {
    this.#left -= 1;
    if (this.#left < 0) throw new NotKept(tooLong(this.#maxLength));
    switch (typeof value) {
      case 'string':
        return value.toWellFormed();
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return value.toString();
      case 'object':
        return value === null ? null : this.#object(value, depth);
      default:
        return undefined;
    }
  }

  #object(value: object, depth: number): JsonValue | undefined {
    if (depth >= deepest) throw new NotKept(`it is cyclic or nested deeper than ${deepest}`);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Map) return this.#pairs(value, depth);
    if (Array.isArray(value) || value instanceof Set) {
      return Array.from(value, (item: unknown) => this.read(item, depth + 1) ?? null);
    }
    const own: unknown = Reflect.get(value, 'toJSON');
    if (typeof own === 'function') return this.read(own.call(value), depth + 1);
    return this.#pairs(Object.entries(value), depth);
  }

  #pairs(pairs: Iterable<readonly [unknown, unknown]>, depth: number): JsonObject {
    const kept: [string, JsonValue][] = [];
    for (const [key, item] of pairs) {
      const json = this.read(item, depth + 1);
      if (json !== undefined) kept.push([String(key).toWellFormed(), json]);
    }
    return Object.fromEntries(kept);
  }
}

function tooLong(maxLength: number): string {
  return `it is longer than ${maxLength} characters`;
}
