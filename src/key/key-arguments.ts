import type { JsonObject, JsonValue } from '../call/json.ts';
import { deepestCanonical } from './canonical-json.ts';
import { type IgnoredPaths, ignoredPaths, nothingIgnored } from './ignored-paths.ts';
import {
  branchFor,
  declaredNames,
  declaredSchemas,
  defaultAt,
  facets,
  isList,
  isRequired,
  itemSchemas,
  propertySchemas,
  type SchemaNode,
} from './schema-walk.ts';

/** What stands beside the arguments when a key is made of them. */
export interface KeyRules {
  /** Paths that describe and do not decide: `reason`, `items.note`; arrays are walked through. */
  readonly ignore?: readonly string[];
  /** The schema that the arguments were held against. */
  readonly schema?: JsonObject;
}

/** Defaults are filled in inside of this many others, and no deeper: a schema may hold itself. */
const deepestFilling = 3;

/**
 * The arguments as they count for the key, so that two ways of saying the same are one intent:
 * ignored paths left out, defaults filled in, and null dropped where a declared property is optional
 * (null beside a default stays apart from both). The arguments themselves are left as they are.
 */
export function keyArguments(args: JsonObject, rules: KeyRules): JsonObject {
  const root = rules.schema ?? {};
  const ignored = ignoredPaths(rules.ignore ?? []);
  return reducedObject(args, { root, nodes: [root], ignored, filled: 0, depth: 0 });
}

/** Where the walk through the arguments stands. */
interface Place {
  readonly root: JsonObject;
  readonly nodes: readonly SchemaNode[];
  readonly ignored: IgnoredPaths;
  /** How many filled-in defaults this is inside of. */
  readonly filled: number;
  readonly depth: number;
}

function reduced(value: JsonValue, place: Place): JsonValue {
  // What is deeper is refused where it is written canonically.
  if (typeof value !== 'object' || value === null || place.depth > deepestCanonical) return value;
  return isList(value) ? reducedItems(value, place) : reducedObject(value as JsonObject, place);
}

function reducedItems(items: readonly JsonValue[], place: Place): readonly JsonValue[] {
  const here = facets(place.nodes, place.root, branchFor(items, place.root));
  return items.map((item, index) =>
    reduced(item, { ...place, nodes: itemSchemas(here, index), depth: place.depth + 1 }),
  );
}

function reducedObject(value: JsonObject, place: Place): JsonObject {
  const here = facets(place.nodes, place.root, branchFor(value, place.root));
  const kept: [string, JsonValue][] = [];
  for (const [name, item] of Object.entries(value)) {
    const ignored = place.ignored.get(name) ?? nothingIgnored;
    if (ignored === 'whole' || (item === null && isAbsence(name, here))) continue;
    const nodes = propertySchemas(here, name);
    kept.push([name, reduced(item, { ...place, nodes, ignored, depth: place.depth + 1 })]);
  }
  // Not by assignment: a key named __proto__ would vanish.
  return Object.fromEntries([...kept, ...filledIn(value, here, place)]);
}

/** Whether null may say no more than leaving the property out; what has a default is filled in there. */
function isAbsence(name: string, here: readonly JsonObject[]): boolean {
  return declaredSchemas(here, name).length > 0 && !isRequired(here, name);
}

function filledIn(
  value: JsonObject,
  here: readonly JsonObject[],
  place: Place,
): [string, JsonValue][] {
  if (place.filled >= deepestFilling) return [];
  const absent = declaredNames(here).filter((name) => !Object.hasOwn(value, name));
  return absent.flatMap((name): [string, JsonValue][] => {
    const nodes = declaredSchemas(here, name);
    const byDefault = defaultAt(nodes, place.root) ?? null;
    const ignored = place.ignored.get(name) ?? nothingIgnored;
    if (byDefault === null || ignored === 'whole') return [];
    const inside = { ...place, nodes, ignored, filled: place.filled + 1, depth: place.depth + 1 };
    return [[name, reduced(byDefault, inside)]];
  });
}
