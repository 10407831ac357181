import type { JsonObject, JsonValue } from '../call/json.ts';

/** One place of a schema; undefined where it says nothing. */
export type SchemaNode = JsonValue | undefined;

/** An object or an array. */
export type Compound = JsonObject | readonly JsonValue[];

/** Of the branches of a union, those to look into. */
export type ChooseBranches = (branches: readonly JsonValue[]) => readonly JsonValue[];

/**
 * The plain nodes that hold together at one place: the given ones, with local `$ref`s followed,
 * `allOf` taken apart, and of `anyOf` and `oneOf` the branches that are chosen.
 */
export function facets(
  nodes: readonly SchemaNode[],
  root: JsonObject,
  choose: ChooseBranches,
): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const open = [...nodes];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node) || found.has(node)) continue;
    found.add(node);
    if (typeof node.$ref === 'string') open.push(resolve(node.$ref, root));
    open.push(...list(node.allOf), ...choose(list(node.anyOf)), ...choose(list(node.oneOf)));
  }
  return [...found];
}

/**
 * Chooses the one branch that a value can be meant for, told by types, constants, enums and required
 * properties; none where several are left, since then nothing is known of what it would default to.
 */
export function branchFor(value: Compound, root: JsonObject): ChooseBranches {
  return (branches) => {
    const fitting = branches.filter((branch) => mayFit(value, branch, root));
    return fitting.length === 1 ? fitting : [];
  };
}

/** What a property of this name is held against: its declarations, else what other properties are. */
export function propertySchemas(nodes: readonly JsonObject[], name: string): readonly SchemaNode[] {
  const named = declaredSchemas(nodes, name);
  return named.length > 0 ? named : nodes.map((node) => node.additionalProperties);
}

/** The schemas that declare a property by its name. */
export function declaredSchemas(nodes: readonly JsonObject[], name: string): readonly JsonValue[] {
  return nodes.flatMap((node) => own(node.properties, name) ?? []);
}

/** Each property that is declared by name. */
export function declaredNames(nodes: readonly JsonObject[]): readonly string[] {
  return [
    ...new Set(
      nodes.flatMap((node) => (isObject(node.properties) ? Object.keys(node.properties) : [])),
    ),
  ];
}

/** Whether a property must be there. */
export function isRequired(nodes: readonly JsonObject[], name: string): boolean {
  return nodes.some((node) => list(node.required).includes(name));
}

/** What the item at `index` is held against; draft-07's list of `items` is read as `prefixItems`. */
export function itemSchemas(nodes: readonly JsonObject[], index: number): readonly SchemaNode[] {
  return nodes.map((node) => {
    const tuple = isList(node.items) ? node.items : list(node.prefixItems);
    if (index < tuple.length) return tuple[index];
    return isList(node.items) ? node.additionalItems : node.items;
  });
}

/** The first default that is given at this place, also by what it refers to. */
export function defaultAt(nodes: readonly SchemaNode[], root: JsonObject): JsonValue | undefined {
  return facets(nodes, root, () => []).find((node) => node.default !== undefined)?.default;
}

/** An object, and not an array. */
function isObject(value: SchemaNode): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An array. */
export function isList(value: SchemaNode): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function list(value: SchemaNode): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** Own properties only: an argument may be named `constructor`. */
function own(value: SchemaNode, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** `#` or `#/…`, a JSON Pointer (RFC 6901) into the document; any other reference leads nowhere. */
function resolve(reference: string, root: JsonObject): SchemaNode {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  const steps = decodeFragment(reference).slice(1).split('/').slice(1);
  let node: SchemaNode = root;
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = isList(node) ? node[Number(name)] : own(node, name);
  }
  return node;
}

function decodeFragment(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

function mayFit(value: Compound, branch: JsonValue, root: JsonObject): boolean {
  if (branch === false) return false;
  const nodes = facets([branch], root, () => []);
  return (
    nodes.every((node) => typeFits(value, node) && constantFits(value, node)) &&
    (!isObject(value) || propertiesFit(value, nodes, root))
  );
}

function propertiesFit(value: JsonObject, nodes: readonly JsonObject[], root: JsonObject): boolean {
  const required = nodes.flatMap((node) => list(node.required));
  if (required.some((name) => !Object.hasOwn(value, `${name}`))) return false;
  return Object.entries(value).every(([name, item]) =>
    facets(propertySchemas(nodes, name), root, () => []).every((node) => constantFits(item, node)),
  );
}

function constantFits(value: JsonValue, node: JsonObject): boolean {
  const allowed = node.const === undefined ? node.enum : [node.const];
  return !isList(allowed) || allowed.includes(value) || allowed.some(isCompound);
}

function isCompound(value: JsonValue): value is Compound {
  return typeof value === 'object' && value !== null;
}

function typeFits(value: Compound, node: JsonObject): boolean {
  const types = isList(node.type) ? node.type : [node.type];
  return node.type === undefined || types.includes(isList(value) ? 'array' : 'object');
}
