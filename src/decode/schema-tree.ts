import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import { applicators, type Role } from './keywords.ts';
import { segmentsOf } from './pointer.ts';

/** A schema inside another, and where it stands. */
export interface Subschema {
  readonly schema: JsonValue;
  readonly role: Role;
  /** The keyword, and the index or name under it. */
  readonly place: readonly (string | number)[];
}

/** Every schema that stands right inside another one. */
export function subschemas(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const applicator = applicatorOf(keyword);
    if (applicator === undefined) continue;
    const { role, holds } = applicator;
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        found.push({ schema: item, role, place: [keyword, index] });
      });
    } else if (holds === 'map' && isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        found.push({ schema: item, role, place: [keyword, name] });
      }
    } else {
      found.push({ schema: value, role, place: [keyword] });
    }
  }
  return found;
}

/** The same schema with every schema that stands right inside it changed. */
export function mapSubschemas(
  schema: JsonObject,
  change: (inner: JsonObject, role: Role, place: readonly (string | number)[]) => JsonValue,
): JsonObject {
  const changed: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const applicator = applicatorOf(keyword);
    const one = (inner: JsonValue, ...place: (string | number)[]): JsonValue =>
      isJsonObject(inner) && applicator
        ? change(inner, applicator.role, [keyword, ...place])
        : inner;
    if (applicator === undefined) changed[keyword] = value;
    else if (Array.isArray(value))
      changed[keyword] = value.map((inner, index) => one(inner, index));
    else if (applicator.holds !== 'map') changed[keyword] = one(value);
    else {
      const entries = Object.entries(value as JsonObject);
      changed[keyword] = Object.fromEntries(
        entries.map(([name, inner]) => [name, one(inner, name)]),
      );
    }
  }
  return changed;
}

function applicatorOf(keyword: string): (typeof applicators)[string] | undefined {
  return Object.hasOwn(applicators, keyword) ? applicators[keyword] : undefined;
}

/** Where a reference (`#`, `#/…`) leads inside the whole schema; undefined where it leads nowhere. */
export function resolveRef(root: JsonObject, ref: string): JsonValue | undefined {
  const pointer = pointerOfRef(ref);
  if (pointer === undefined) return undefined;
  let at: JsonValue | undefined = root;
  for (const segment of segmentsOf(pointer)) at = stepInto(at, segment);
  return at;
}

/** The JSON Pointer of a reference into the same document; undefined for any other reference. */
export function pointerOfRef(ref: string): string | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(ref.slice(1));
  } catch {
    return undefined;
  }
}

/** What a schema refers to, where it has no keyword of its own that matters beside `$ref`. */
export function dereference(
  root: JsonObject,
  schema: JsonValue | undefined,
): JsonValue | undefined {
  let at = schema;
  for (let hops = 0; hops < 100; hops++) {
    if (!isJsonObject(at) || typeof at.$ref !== 'string') return at;
    at = resolveRef(root, at.$ref);
  }
  return at;
}

/** What an object or a list has at a key or index. */
function stepInto(at: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (typeof at !== 'object' || at === null) return undefined;
  return Object.hasOwn(at, segment) ? (at as JsonObject)[segment] : undefined;
}

/** The schemas that hold for the same value as this one: itself, what it refers to, and its parts. */
export function facets(root: JsonObject, schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const ofRoot = facetsByRoot.get(root) ?? new WeakMap<JsonObject, readonly JsonObject[]>();
  facetsByRoot.set(root, ofRoot);
  const known = ofRoot.get(schema);
  if (known !== undefined) return known;
  const found = facetsFound(root, schema);
  ofRoot.set(schema, found);
  return found;
}

/** Schemas do not change, and each defect asks for the same ones. */
const facetsByRoot = new WeakMap<JsonObject, WeakMap<JsonObject, readonly JsonObject[]>>();

function facetsFound(root: JsonObject, schema: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const open: (JsonValue | undefined)[] = [schema];
  while (open.length > 0) {
    const node = open.pop();
    if (!isJsonObject(node) || found.has(node)) continue;
    found.add(node);
    if (typeof node.$ref === 'string') open.push(resolveRef(root, node.$ref));
    for (const { role, schema: part } of subschemas(node)) if (role === 'part') open.push(part);
  }
  return [...found];
}

/** The properties that a schema or any of its parts declares by name. */
export function declaredNames(root: JsonObject, schema: JsonValue | undefined): readonly string[] {
  const names = facets(root, schema).flatMap((node) =>
    isJsonObject(node.properties) ? Object.keys(node.properties) : [],
  );
  return [...new Set(names)];
}

/**
 * How a property is declared by a schema or any of its parts; a declaration that says something goes
 * before one that only names it.
 */
export function declaredSchema(
  root: JsonObject,
  schema: JsonValue | undefined,
  name: string,
): JsonValue | undefined {
  let named: JsonValue | undefined;
  for (const { properties } of facets(root, schema)) {
    const declared = isJsonObject(properties) ? stepInto(properties, name) : undefined;
    if (isJsonObject(declared) && Object.keys(declared).length > 0) return declared;
    named ??= declared;
  }
  return named;
}
