import type { JsonObject, JsonValue } from '../call/json.ts';

/** No schema is nested deeper. */
const deepest = 200;

/**
 * A deep copy of plain data with properties that are undefined left out, as JSON leaves them out.
 * Throws a TypeError that names the place where a value has no JSON form.
 */
export function jsonCopy(value: unknown, place = 'schema', depth = 0): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new TypeError(`${place} has no JSON form (${typeof value})`);
  if (depth > deepest) throw new TypeError(`${place} is nested too deep, or in a circle`);
  if (Array.isArray(value)) {
    return value.map((item, index) => jsonCopy(item, `${place}.${index}`, depth + 1));
  }
  const copy: Record<string, JsonValue> = {};
  for (const [key, held] of Object.entries(value)) {
    if (key === '__proto__') throw new TypeError(`${place} has a key __proto__`);
    if (held !== undefined) copy[key] = jsonCopy(held, `${place}.${key}`, depth + 1);
  }
  return copy;
}

/** Freezes plain data, all the way down. */
export function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const held of Object.values(value)) deepFreeze(held as JsonValue);
    Object.freeze(value);
  }
  return value;
}

/** An object, and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
