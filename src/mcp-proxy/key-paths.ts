import type { JsonObject, JsonValue } from '../call/json.ts';
import { hasParameter } from '../decode/parameter-path.ts';
import { declaredNames, declaredSchema, facets } from '../decode/schema-tree.ts';
import type { ToolRule } from './config.ts';

/**
 * The paths that do not decide which intent a call is. Of `only`, all that a schema declares beside
 * them. A path that the schema does not have goes to `warn`, and has no effect.
 */
export function ignoredByRule(
  key: NonNullable<ToolRule['key']>,
  schema: JsonObject,
  warn: (message: string) => void,
): readonly string[] {
  const paths = 'only' in key ? key.only : key.ignore;
  const known = paths.filter((path) => hasParameter(schema, path));
  for (const path of paths) {
    if (!known.includes(path)) warn(`its key names ${path}, which its schema does not have`);
  }
  return 'only' in key ? allBut(known, schema, schema, '') : known;
}

function allBut(
  only: readonly string[],
  root: JsonObject,
  schema: JsonValue | undefined,
  prefix: string,
): readonly string[] {
  return declaredNames(root, schema).flatMap((name) => {
    const path = `${prefix}${name}`;
    if (only.includes(path)) return [];
    if (!only.some((one) => one.startsWith(`${path}.`))) return [path];
    return allBut(only, root, itemsOf(root, declaredSchema(root, schema, name)), `${path}.`);
  });
}

/** What stands in a list, or the value itself where it is none. */
function itemsOf(root: JsonObject, schema: JsonValue | undefined): JsonValue | undefined {
  const items = facets(root, schema).find((node) => node.items !== undefined)?.items;
  return items === undefined ? schema : itemsOf(root, items);
}
