import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import { facets } from './schema-tree.ts';

/** Whether arguments can have something at a path (`reason`, `items.note`; lists are walked through). */
export function hasParameter(root: JsonObject, path: string): boolean {
  let places: readonly (JsonValue | undefined)[] = [root];
  for (const name of path.split('.')) {
    places = throughItems(root, places).flatMap((node) => propertyOf(node, name));
    if (places.length === 0) return false;
  }
  return true;
}

function propertyOf(node: JsonObject, name: string): readonly JsonValue[] {
  const { properties, additionalProperties } = node;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
    return [properties[name] as JsonValue];
  }
  const isFreeMap = node.type === 'object' && properties === undefined && !isComposed(node);
  const others = additionalProperties ?? isFreeMap;
  return others === false ? [] : [others];
}

function isComposed(node: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf', '$ref', 'unevaluatedProperties'].some((key) => key in node);
}

/** The schemas at these places, and those of the items where they are lists. */
function throughItems(
  root: JsonObject,
  places: readonly (JsonValue | undefined)[],
): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  let open = places;
  while (open.length > 0) {
    const fresh = open.flatMap((place) => facets(root, place)).filter((node) => !found.has(node));
    for (const node of fresh) found.add(node);
    open = fresh.flatMap(({ items, prefixItems }) => [
      items,
      ...(Array.isArray(prefixItems) ? (prefixItems as JsonValue[]) : []),
    ]);
  }
  return [...found];
}
