import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import type { Role } from './keywords.ts';
import { pointerOf } from './pointer.ts';
import { mapSubschemas, pointerOfRef, resolveRef, subschemas } from './schema-tree.ts';

/**
 * The same schema with what is implied made explicit: every object that declares properties takes no
 * others, unless it says otherwise, and says which are `required`. An object without `properties` is
 * a free map, except at the top, where it takes nothing. A composed object (`allOf`, `if`, a union
 * beside properties) is closed from outside, by `unevaluatedProperties`, as closing one of its parts
 * would refuse what another part declares.
 */
export function closeArguments(root: JsonObject): JsonObject {
  const closed = new Closing(root).closeRoot();
  return isClosed(closed) || closesByParts(closed)
    ? closed
    : { ...closed, unevaluatedProperties: false };
}

/** Keywords beside which the branches of a union are no longer whole by themselves. */
const besideUnion = [
  'properties',
  'patternProperties',
  'allOf',
  '$ref',
  'if',
  'then',
  'else',
  'dependentSchemas',
];

class Closing {
  private readonly root: JsonObject;
  /** Definitions that are parts of something composed, and stay open. */
  private readonly openDefinitions: ReadonlySet<string>;

  constructor(root: JsonObject) {
    this.root = root;
    this.openDefinitions = partDefinitions(root);
  }

  closeRoot(): JsonObject {
    const isBare = !isComposed(this.root) && this.root.patternProperties === undefined;
    const declared =
      isBare && this.root.additionalProperties === undefined
        ? { properties: {}, ...this.root }
        : this.root;
    return this.close({ type: 'object', ...declared }, []);
  }

  private close(schema: JsonObject, place: readonly (string | number)[]): JsonObject {
    const branchesAreWhole = isUnion(schema);
    const inner = mapSubschemas(schema, (held, role, where) =>
      this.inside(held, role, [...place, ...where], branchesAreWhole),
    );
    if (branchesAreWhole || isClosed(schema)) return withRequired(inner);
    if (isComposed(schema)) {
      return this.declaresInParts(schema)
        ? { ...withRequired(inner), unevaluatedProperties: false }
        : inner;
    }
    const declares = schema.properties !== undefined || schema.patternProperties !== undefined;
    return declares ? { ...withRequired(inner), additionalProperties: false } : inner;
  }

  private inside(
    held: JsonObject,
    role: Role,
    place: readonly (string | number)[],
    branchesAreWhole: boolean,
  ): JsonValue {
    if (role === 'probe') return held;
    if (role === 'part')
      return branchesAreWhole ? this.close(held, place) : this.leaveOpen(held, place);
    return this.openDefinitions.has(pointerOf(place))
      ? this.leaveOpen(held, place)
      : this.close(held, place);
  }

  /** Closes what stands inside, and not the schema itself. */
  private leaveOpen(schema: JsonObject, place: readonly (string | number)[]): JsonObject {
    return mapSubschemas(schema, (held, role, where) =>
      this.inside(held, role, [...place, ...where], false),
    );
  }

  /**
   * Whether a composed schema has properties declared somewhere, and is not one bare `$ref` to
   * something that is closed where it stands.
   */
  private declaresInParts(schema: JsonObject): boolean {
    if (typeof schema.$ref === 'string' && !isComposed({ ...schema, $ref: undefined as never })) {
      const isOpen = this.openDefinitions.has(pointerOfRef(schema.$ref) ?? '');
      const besides = schema.properties !== undefined || schema.patternProperties !== undefined;
      if (!isOpen && !besides) return false;
    }
    return declaresProperties(this.root, schema, new Set());
  }
}

/** Whether properties are declared for the value that this schema describes, in any of its parts. */
function declaresProperties(root: JsonObject, schema: JsonValue, seen: Set<JsonValue>): boolean {
  if (!isJsonObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (schema.properties !== undefined || schema.patternProperties !== undefined) return true;
  const target = typeof schema.$ref === 'string' ? resolveRef(root, schema.$ref) : undefined;
  const parts = subschemas(schema).filter(({ role }) => role === 'part');
  return [target, ...parts.map((part) => part.schema)].some(
    (part) => part !== undefined && declaresProperties(root, part, seen),
  );
}

/** The definitions that something composed refers to, directly or through another definition. */
function partDefinitions(root: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: JsonValue, isPart: boolean): void => {
    if (!isJsonObject(schema)) return;
    const isMixed =
      isComposed({ ...schema, $ref: undefined as never }) || schema.properties !== undefined;
    const pointer = typeof schema.$ref === 'string' ? pointerOfRef(schema.$ref) : undefined;
    if (pointer !== undefined && pointer !== '' && (isPart || isMixed) && !found.has(pointer)) {
      found.add(pointer);
      visit(resolveRef(root, `#${pointer}`) ?? true, true);
    }
    const partsAreWhole = isUnion(schema) && !isPart;
    for (const inner of subschemas(schema)) {
      visit(inner.schema, inner.role === 'probe' || (inner.role === 'part' && !partsAreWhole));
    }
  };
  visit(root, false);
  return found;
}

/** Whether a schema is nothing but a choice between whole alternatives, as `anyOf: [X, null]` is. */
function isUnion(schema: JsonObject): boolean {
  const isOne = (schema.anyOf === undefined) !== (schema.oneOf === undefined);
  return isOne && besideUnion.every((keyword) => schema[keyword] === undefined);
}

function isComposed(schema: JsonObject): boolean {
  return (
    typeof schema.$ref === 'string' ||
    subschemas(schema).some(({ role, place }) => role === 'part' || place[0] === 'if')
  );
}

function isClosed(schema: JsonObject): boolean {
  return schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined;
}

/** Whether every alternative of a union says itself what it takes. */
function closesByParts(schema: JsonObject): boolean {
  const branches = schema.anyOf ?? schema.oneOf;
  return (
    isUnion(schema) &&
    Array.isArray(branches) &&
    branches.every((branch) => !isJsonObject(branch) || isClosed(branch))
  );
}

function withRequired(schema: JsonObject): JsonObject {
  return schema.properties === undefined || schema.required !== undefined
    ? schema
    : { ...schema, required: [] };
}
