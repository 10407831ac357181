import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import { compilePattern } from './pattern.ts';
import { dereference, mapSubschemas, subschemas } from './schema-tree.ts';
import type { WorkBudget } from './work-budget.ts';

/**
 * Turns a schema, or one that stands inside it, into the form that the validator runs: patterns in
 * bounded time, `uniqueItems` in linear time, integers that are exact, and, where a schema refers to
 * itself, each reference counted. A form that has references has the root with it.
 */
export function enforcing(
  root: JsonObject,
  budget: WorkBudget,
): (schema: JsonObject) => JsonObject {
  const isRecursive = hasCycle(root);
  const forms = new WeakMap<JsonObject, JsonObject>();
  const form = (shown: JsonObject): JsonObject => {
    const known = forms.get(shown);
    if (known !== undefined) return known;
    const inner = rewriteAssertions(mapSubschemas(shown, form));
    const { $ref } = inner;
    const moved =
      typeof $ref === 'string' ? { ...inner, $ref: `#/$defs/root${$ref.slice(1)}` } : inner;
    const isCounted = isRecursive && $ref !== undefined;
    const made = isCounted ? { allOf: [refinement(() => budget.spend()), moved] } : moved;
    forms.set(shown, made);
    return made;
  };
  return (schema) =>
    hasReference(schema) ? { ...form(schema), $defs: { root: form(root) } } : form(schema);
}

function rewriteAssertions(schema: JsonObject): JsonObject {
  const { pattern, uniqueItems, if: condition, contains, unevaluatedProperties, ...rest } = schema;
  const compiled = typeof pattern === 'string' ? compilePattern(pattern) : undefined;
  return {
    ...rest,
    ...(compiled?.ok ? { pattern: compiled.value as unknown as JsonValue } : {}),
    ...(uniqueItems === true ? refinement(hasNoTwins) : {}),
    ...(condition === undefined ? {} : { if: probe(condition) }),
    ...(contains === undefined ? {} : { contains: probe(contains) }),
    ...(unevaluatedProperties === undefined
      ? {}
      : { unevaluatedProperties: apart(unevaluatedProperties) }),
    ...(schema.type === 'integer' ? exactBounds(schema) : {}),
  };
}

/**
 * A schema that may fail without the value failing. By itself it would leave the validator's record of
 * evaluated properties in disorder (typebox 1.4: `if` beside `unevaluatedProperties`); a union's branch
 * has a record of its own.
 */
function probe(schema: JsonValue): JsonObject {
  return { anyOf: [schema] };
}

/** A schema whose own properties must not count as evaluated ones of the object around (the same). */
function apart(schema: JsonValue): JsonValue {
  return isJsonObject(schema) ? { not: { not: schema } } : schema;
}

/** A check in code, which the validator takes beside the keywords. */
function refinement(check: (value: JsonValue) => boolean): JsonObject {
  return { '~refine': [{ check, error: () => '' }] } as unknown as JsonObject;
}

/** Past ±(2^53 − 1) neighbouring integers are one double, so none of them is exactly what was meant. */
function exactBounds({ minimum, maximum }: JsonObject): JsonObject {
  const most = Number.MAX_SAFE_INTEGER;
  return {
    minimum: typeof minimum === 'number' ? Math.max(minimum, -most) : -most,
    maximum: typeof maximum === 'number' ? Math.min(maximum, most) : most,
  };
}

function hasNoTwins(value: JsonValue): boolean {
  return !Array.isArray(value) || new Set(value.map(sortedText)).size === value.length;
}

/** JSON text that is the same for the same value, whatever the order of its keys. */
function sortedText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedText(value[name] ?? null)}`).join()}}`;
}

function hasReference(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  return (
    schema.$ref !== undefined || subschemas(schema).some((inner) => hasReference(inner.schema))
  );
}

/** Whether a schema can be inside itself, at whatever depth of the value. */
function hasCycle(root: JsonObject): boolean {
  const done = new Set<JsonValue>();
  const open = new Set<JsonValue>();
  const visit = (schema: JsonValue | undefined): boolean => {
    if (!isJsonObject(schema) || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const target = typeof schema.$ref === 'string' ? dereference(root, schema) : undefined;
    const isFound = [target, ...subschemas(schema).map((inner) => inner.schema)].some(visit);
    open.delete(schema);
    done.add(schema);
    return isFound;
  };
  return visit(root);
}
