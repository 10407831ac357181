import type { JsonValue } from '../call/json.ts';
import { char, isHighSurrogate, isLowSurrogate, isNumberPart } from './char.ts';
import { mayBeUnsafe, numberProblem } from './unsafe-number.ts';

/** What one pass over a text found. `members` is how many `"key": value` pairs it has. */
export type Scan = { readonly clean: true; readonly members: number } | { readonly clean: false };

const suspect: Scan = { clean: false };

/**
 * Passes once over a text and says whether `JSON.parse` would hide something in it: a number that it
 * changes, half a surrogate pair, nesting past `maxDepth`, or a text that is cut off. It judges no
 * grammar, which is left to `JSON.parse`, and names nothing, which is left to `diagnose`.
 * Twin keys show in the count of members, which `hidesKeys` holds against the parsed value.
 */
export function scan(text: string, maxDepth: number): Scan {
  const end = text.length;
  let members = 0;
  let depth = 0;
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === char.quote) {
      at = stringEnd(text, at + 1, end);
      if (at < 0) return suspect;
    } else if (unit > char.colon) {
      if (unit === char.openBrace || unit === char.openBracket) {
        if (++depth > maxDepth) return suspect;
      } else if (unit === char.closeBrace || unit === char.closeBracket) {
        depth--;
      }
    } else if (unit === char.colon) {
      members++;
    } else if (unit >= char.zero || unit === char.minus) {
      at = numberEnd(text, at, end);
      if (at < 0) return suspect;
    }
  }
  return depth === 0 && isWellFormed(text) ? { clean: true, members } : suspect;
}

/** Where a string that begins before `at` has its closing quote, or −1 where `diagnose` must look. */
function stringEnd(text: string, at: number, end: number): number {
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === char.quote) return at;
    if (unit !== char.backslash) {
      at++;
    } else if (text.charCodeAt(at + 1) !== char.lowerU) {
      at += 2;
    } else {
      at = escapeEnd(text, at);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** The place after a `\u` escape, or after two that make a pair; −1 for half a pair. */
function escapeEnd(text: string, at: number): number {
  const unit = escapedUnit(text, at);
  if (isLowSurrogate(unit)) return -1;
  if (!isHighSurrogate(unit)) return at + 6;
  return isLowSurrogate(escapedUnit(text, at + 6)) ? at + 12 : -1;
}

/** The unit that a `\u` escape at this place stands for; NaN where none stands there. */
function escapedUnit(text: string, at: number): number {
  if (text.charCodeAt(at) !== char.backslash || text.charCodeAt(at + 1) !== char.lowerU) {
    return Number.NaN;
  }
  const digits = text.slice(at + 2, at + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
}

/** The last place of a number, or −1 where a double would change it. */
function numberEnd(text: string, start: number, end: number): number {
  let at = start + 1;
  let hasExponent = false;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (!isNumberPart(unit)) break;
    if (unit === char.lowerE || unit === char.upperE) hasExponent = true;
    at++;
  }
  const isSuspect = mayBeUnsafe(at - start, hasExponent);
  if (isSuspect && numberProblem(text.slice(start, at)) !== undefined) return -1;
  return at - 1;
}

/** Whether no half of a surrogate pair stands alone; `isWellFormed` is in every runtime since 2023. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** Whether a parsed value has fewer keys than its text has members, or a key that no argument may have. */
export function hidesKeys(value: JsonValue, members: number): boolean {
  const keys = countKeys(value);
  return keys !== members;
}

/** A key that no argument may have makes the count −Infinity. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') keys += countKeys(item);
    return keys;
  }
  const object = value as { readonly [key: string]: JsonValue };
  for (const key in object) {
    const held = object[key] as JsonValue;
    keys++;
    if (typeof held === 'object' && held !== null) keys += countKeys(held);
    if (isForbidden(key, held)) return Number.NEGATIVE_INFINITY;
  }
  return keys;
}

/** Whether a key could reach an object's prototype where arguments are merged or copied. */
function isForbidden(key: string, value: JsonValue): boolean {
  if (key === '__proto__') return true;
  return (
    key === 'constructor' &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'prototype')
  );
}
