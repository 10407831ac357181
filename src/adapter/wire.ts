import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';

/** The objects in a list of what went over a wire; none where it is no list. */
export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A text of what went over a wire; empty where it is none. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
