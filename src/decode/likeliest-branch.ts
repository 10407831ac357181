import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import { declaredSchema, dereference, facets } from './schema-tree.ts';
import { typeFits } from './shape-words.ts';
import type { Fits } from './validator.ts';

/** A branch that is told from the others by a constant which the value does not have. */
const otherConstant = 1000;
/** So many items of a list are enough to compare branches by. */
const mostItems = 20;

/**
 * Of the branches of a union that a value fails, the one that it was most likely meant for: the type
 * fits, the constants that tell branches apart fit, and the fewest members are wrong. None for a value
 * that has no members, or where no branch takes values of its type.
 */
export function likeliestBranch(
  root: JsonObject,
  branches: readonly JsonValue[],
  value: JsonValue,
  fits: Fits,
): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  let best: JsonObject | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const branch of branches) {
    const schema = dereference(root, branch);
    if (!isJsonObject(schema) || !typeFits(schema, value)) continue;
    const distance = Array.isArray(value)
      ? wrongItems(schema, value, fits)
      : wrongMembers(root, schema, value as JsonObject, fits);
    if (distance < least) {
      least = distance;
      best = schema;
    }
  }
  return best;
}

function wrongItems(schema: JsonObject, value: readonly JsonValue[], fits: Fits): number {
  const { items } = schema;
  if (!isJsonObject(items)) return 0;
  return value.slice(0, mostItems).filter((item) => !fits(items, item)).length;
}

function wrongMembers(root: JsonObject, schema: JsonObject, value: JsonObject, fits: Fits): number {
  const parts = facets(root, schema);
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  const isClosed = parts.some((part) => part.additionalProperties === false);
  let wrong = required.filter((name) => !Object.hasOwn(value, String(name))).length;
  for (const [name, held] of Object.entries(value)) {
    const declared = dereference(root, declaredSchema(root, schema, name));
    if (declared === undefined) wrong += isClosed ? 1 : 0;
    else if (isJsonObject(declared) && !fits(declared, held as JsonValue)) {
      wrong += declared.const !== undefined || declared.enum !== undefined ? otherConstant : 1;
    }
  }
  return wrong;
}
