import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import { mapSubschemas } from './schema-tree.ts';

/**
 * The same schema with draft-07's keywords in the words of draft 2020-12, so that one dialect is shown
 * and enforced: a list of `items` is `prefixItems`, `dependencies` is `dependentRequired` and
 * `dependentSchemas`. `$schema` and `$id` are left out, having nothing to say to a model.
 */
export function modernise(schema: JsonObject): JsonObject {
  const { $schema: _, $id: __, items, additionalItems, dependencies, ...rest } = schema;
  const renamed: Record<string, JsonValue> = { ...rest };
  if (Array.isArray(items)) {
    if (items.length > 0) renamed.prefixItems = items;
    if (additionalItems !== undefined) renamed.items = additionalItems;
  } else if (items !== undefined) {
    renamed.items = items;
  }
  if (isJsonObject(dependencies)) Object.assign(renamed, dependents(schema, dependencies));
  return mapSubschemas(renamed, (inner) => modernise(inner));
}

function dependents(schema: JsonObject, dependencies: JsonObject): JsonObject {
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, needs]) => Array.isArray(needs));
  const schemas = entries.filter(([, needs]) => !Array.isArray(needs));
  return {
    ...(names.length > 0 && {
      dependentRequired: { ...asObject(schema.dependentRequired), ...Object.fromEntries(names) },
    }),
    ...(schemas.length > 0 && {
      dependentSchemas: { ...asObject(schema.dependentSchemas), ...Object.fromEntries(schemas) },
    }),
  };
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
