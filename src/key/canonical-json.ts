import type { JsonValue } from '../call/json.ts';

/** Nested deeper than this, a value is refused; so is one that contains itself. */
export const deepestCanonical = 1000;

/**
 * The canonical text of a JSON value (RFC 8785): keys sorted by UTF-16 unit, no space, numbers and
 * strings as ECMAScript writes them. Throws a TypeError that names the place where a value has none:
 * NaN and the infinities, half surrogate pairs, undefined, bigints, functions, symbols, objects that
 * are neither plain nor arrays, and what is nested deeper than `deepestCanonical`.
 */
export function canonicalize(value: JsonValue): string {
  return write(value, 0, []);
}

/** `trail` holds the keys that lead to the value in its first `depth` places: it is read only on a refusal. */
type Trail = (string | number)[];

function write(value: unknown, depth: number, trail: Trail): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, depth, trail);
    case 'number':
      if (!Number.isFinite(value)) throw refusal(`${value} has`, depth, trail);
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= deepestCanonical) throw tooDeep(depth, trail);
      return Array.isArray(value)
        ? writeArray(value, depth, trail)
        : writeObject(value, depth, trail);
    default:
      throw refusal(`${value === undefined ? 'undefined' : `a ${typeof value}`} has`, depth, trail);
  }
}

function writeArray(items: readonly unknown[], depth: number, trail: Trail): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    trail[depth] = index;
    text += index === 0 ? '' : ',';
    text += write(items[index], depth + 1, trail);
  }
  return `${text}]`;
}

function writeObject(value: object, depth: number, trail: Trail): string {
  if (!isPlain(value)) throw refusal('an object that is not plain has', depth, trail);
  const keys = sorted(Object.keys(value));
  let text = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    trail[depth] = key;
    text += index === 0 ? '' : ',';
    text += writeString(key, depth + 1, trail);
    text += ':';
    text += write((value as Record<string, unknown>)[key], depth + 1, trail);
  }
  return `${text}}`;
}

/** Anything but what stands for itself between quotes: all except controls, `"`, `\\` and surrogates. */
const needsCare = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
const surrogate = /[\ud800-\udfff]/;
const halfPair = /\p{Surrogate}/u;

function writeString(value: string, depth: number, trail: Trail): string {
  if (!needsCare.test(value)) return `"${value}"`;
  if (surrogate.test(value) && halfPair.test(value))
    throw refusal('half of a surrogate pair has', depth, trail);
  return JSON.stringify(value);
}

/** Objects of another realm are plain too: their prototype is a root as well. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  );
}

/** Sorts in place; for few keys, often nearly in order, this is several times faster than `sort`. */
function sorted(keys: string[]): string[] {
  if (keys.length > 64) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let place = index;
    while (place > 0 && (keys[place - 1] as string) > key) {
      keys[place] = keys[place - 1] as string;
      place -= 1;
    }
    keys[place] = key;
  }
  return keys;
}

function refusal(what: string, depth: number, trail: Trail): TypeError {
  return new TypeError(`${what} no canonical form (RFC 8785), at ${pointer(depth, trail)}`);
}

function tooDeep(depth: number, trail: Trail): TypeError {
  const place = pointer(depth, trail);
  return new TypeError(
    `nested deeper than ${deepestCanonical} levels, or in itself, under ${place}`,
  );
}

const longestPlace = 200;

/** A JSON Pointer (RFC 6901), cut where it is long, or words for the whole. */
function pointer(depth: number, trail: Trail): string {
  if (depth === 0) return 'the top';
  const steps = trail.slice(0, depth);
  const text = steps
    .map((step) => `/${`${step}`.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return text.length > longestPlace ? `${text.slice(0, longestPlace)}…` : text;
}
