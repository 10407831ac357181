import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import { compilePattern } from './pattern.ts';
import { segmentsOf } from './pointer.ts';
import { dereference, mapSubschemas, stepInto, subschemas } from './schema-tree.ts';
import type { WorkBudget } from './work-budget.ts';

/** A schema in the form that the validator runs. */
export interface Enforced {
  readonly schema: JsonObject;
  /** Whether names of properties are held against patterns, which takes names of bounded length. */
  readonly hasNamePatterns: boolean;
  /** A path into this form as a path into the schema that is shown. */
  shownPath(path: string): string;
}

/**
 * The same schema with what the validator is to do its own way: patterns in linear time, `uniqueItems`
 * in linear time, integers that are exact, and, where a schema refers to itself, each reference counted.
 */
export function enforceable(root: JsonObject, budget: WorkBudget): Enforced {
  const isRecursive = hasCycle(root);
  const counted = new Set<JsonValue>();
  let hasNamePatterns = false;
  const rewrite = (shown: JsonObject): JsonObject => {
    const schema = rewriteAssertions(mapSubschemas(shown, rewrite));
    hasNamePatterns ||= schema.patternProperties !== undefined;
    if (!isRecursive || schema.$ref === undefined || shown === root) return schema;
    const wrapper = { allOf: [refinement(() => budget.spend(), 'budget'), schema] };
    counted.add(wrapper);
    return wrapper;
  };
  const schema = rewrite(root);
  return { schema, hasNamePatterns, shownPath: (path) => withoutWrappers(schema, counted, path) };
}

function rewriteAssertions(schema: JsonObject): JsonObject {
  const { pattern, uniqueItems, if: condition, contains, unevaluatedProperties, ...rest } = schema;
  const compiled = typeof pattern === 'string' ? compilePattern(pattern) : undefined;
  return {
    ...rest,
    ...(compiled?.ok ? { pattern: compiled.value as unknown as JsonValue } : {}),
    ...(uniqueItems === true ? refinement(hasNoTwins, 'uniqueItems') : {}),
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

/** A check in code, which the validator takes beside the keywords; `name` stands in its violation. */
function refinement(check: (value: JsonValue) => boolean, name: string): JsonObject {
  return { '~refine': [{ check, error: () => name }] } as unknown as JsonObject;
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

/** Leaves out of a path the steps into the reference that a wrapper counts. */
function withoutWrappers(root: JsonObject, wrappers: ReadonlySet<JsonValue>, path: string): string {
  let at: JsonValue | undefined = root;
  let shown = '#';
  let skip = 0;
  for (const segment of segmentsOf(path.slice(1))) {
    while (isJsonObject(at) && stepInto(at, segment) === undefined && typeof at.$ref === 'string') {
      at = dereference(root, at);
    }
    if (skip === 0 && at !== undefined && wrappers.has(at) && segment === 'allOf') skip = 2;
    at = stepInto(at, segment);
    if (skip > 0) skip--;
    else shown += `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return shown;
}
