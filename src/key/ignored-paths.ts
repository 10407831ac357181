import type { JsonObject } from '../call/json.ts';
import {
  everyBranch,
  everyItemSchema,
  facets,
  propertySchemas,
  type SchemaNode,
} from './schema-walk.ts';

/** Ignored paths as a tree: by name, what is ignored below it; `whole` for the property itself. */
export type IgnoredPaths = ReadonlyMap<string, IgnoredPaths | 'whole'>;

type Tree = Map<string, Tree | 'whole'>;

/** Nothing is ignored. */
export const nothingIgnored: IgnoredPaths = new Map();

/** Reads `reason`, `items.note`: names joined by dots. Throws a TypeError on a path with an empty name. */
export function ignoredPaths(paths: readonly string[]): IgnoredPaths {
  const tree: Tree = new Map();
  for (const path of paths) {
    const names = path.split('.');
    if (names.includes('')) throw new TypeError(`no path to ignore: ${JSON.stringify(path)}`);
    add(tree, names);
  }
  return tree;
}

/**
 * The ignored paths that no arguments can have by this schema: misspelt, most likely, so that the
 * free text they are meant for would make a second write.
 */
export function strayPaths(paths: readonly string[], schema: JsonObject): readonly string[] {
  return paths.filter((path) => !leadsSomewhere(path.split('.'), [schema], schema));
}

function leadsSomewhere(
  names: readonly string[],
  nodes: readonly SchemaNode[],
  root: JsonObject,
): boolean {
  const [name, ...rest] = names;
  if (name === undefined) return true;
  const places = throughItems(nodes, root);
  const schemas = places.flatMap((place) => propertySchemas([place], name)).filter(allowsSome);
  return schemas.length > 0 && leadsSomewhere(rest, schemas, root);
}

/** Arrays are walked through, so their items count as the place itself. */
function throughItems(nodes: readonly SchemaNode[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  let open = nodes;
  while (open.length > 0) {
    const fresh = facets(open, root, everyBranch).filter((node) => !found.has(node));
    for (const node of fresh) found.add(node);
    open = fresh.flatMap((node) => everyItemSchema(node));
  }
  return [...found];
}

function allowsSome(schema: SchemaNode): boolean {
  return schema !== undefined && schema !== false;
}

function add(tree: Tree, names: readonly string[]): void {
  const [name, ...rest] = names;
  if (name === undefined) return;
  const below = tree.get(name);
  if (rest.length === 0 || below === 'whole') {
    tree.set(name, 'whole');
    return;
  }
  const branch: Tree = below ?? new Map();
  tree.set(name, branch);
  add(branch, rest);
}
