import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';
import type { Role } from './keywords.ts';
import { pointerOf } from './pointer.ts';
import {
  declaredNames,
  dereference,
  facets,
  mapSubschemas,
  pointerOfRef,
  resolveRef,
  subschemas,
} from './schema-tree.ts';

/**
 * The same schema with what is implied made explicit: every object that declares properties takes no
 * others, unless it says otherwise, and says which are `required`. An object without `properties` is
 * a free map, except at the top, where it takes nothing. A composed object (`allOf`, `if`, a union
 * beside properties) is closed from outside, by naming there what its parts declare, since closing one
 * part would refuse what another one declares.
 */
export function closeArguments(root: JsonObject): JsonObject {
  return { type: 'object', ...new Closing(root).close(root, [], true) };
}

type Place = readonly (string | number)[];

class Closing {
  private readonly root: JsonObject;
  /** Definitions that are parts of something composed, and stay open. */
  private readonly openDefinitions: ReadonlySet<string>;

  constructor(root: JsonObject) {
    this.root = root;
    this.openDefinitions = partDefinitions(root);
  }

  close(schema: JsonObject, place: Place, isTop: boolean): JsonObject {
    if (isUnion(schema)) {
      return mapSubschemas(schema, (held, role, where) =>
        role === 'part'
          ? this.close(held, [...place, ...where], isTop)
          : this.inside(held, role, [...place, ...where]),
      );
    }
    const inner = this.leaveOpen(schema, place);
    if (isClosed(schema)) return withRequired(inner);
    if (isBareRef(schema) && this.isClosedElsewhere(schema, isTop)) return inner;
    const parts = facets(this.root, schema);
    if (parts.some(isOpen)) return withRequired(inner);
    return declares(parts) || isTop ? { ...inner, ...this.lid(schema, inner, parts) } : inner;
  }

  /** Names what all the parts declare, and takes nothing else. */
  private lid(schema: JsonObject, inner: JsonObject, parts: readonly JsonObject[]): JsonObject {
    const named = declaredNames(this.root, schema).map((name) => [name, {}] as const);
    const patterns = parts.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}));
    const matched = patterns.map((pattern) => [pattern, {}] as const);
    return {
      properties: { ...Object.fromEntries(named), ...asObject(inner.properties) },
      ...(matched.length > 0 && {
        patternProperties: { ...Object.fromEntries(matched), ...asObject(inner.patternProperties) },
      }),
      required: inner.required ?? [],
      additionalProperties: false,
    };
  }

  /** Closes what stands inside, and not the schema itself. */
  private leaveOpen(schema: JsonObject, place: Place): JsonObject {
    return mapSubschemas(schema, (held, role, where) =>
      this.inside(held, role, [...place, ...where]),
    );
  }

  private inside(held: JsonObject, role: Role, place: Place): JsonValue {
    if (role === 'probe') return held;
    const isPart =
      role === 'part' || (role === 'definition' && this.openDefinitions.has(pointerOf(place)));
    return isPart ? this.leaveOpen(held, place) : this.close(held, place, false);
  }

  private isClosedElsewhere({ $ref }: JsonObject, isTop: boolean): boolean {
    if (this.openDefinitions.has(pointerOfRef(String($ref)) ?? '')) return false;
    const target = dereference(this.root, { $ref: String($ref) });
    return (
      !isTop ||
      (isJsonObject(target) &&
        (isClosed(target) || isUnion(target) || declares(facets(this.root, target))))
    );
  }
}

/** The definitions that something composed refers to, directly or through another definition. */
function partDefinitions(root: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: JsonValue, isPart: boolean): void => {
    if (!isJsonObject(schema)) return;
    const pointer = typeof schema.$ref === 'string' ? pointerOfRef(schema.$ref) : undefined;
    const takesPart = isPart || !isBareRef(schema);
    if (pointer !== undefined && pointer !== '' && takesPart && !found.has(pointer)) {
      found.add(pointer);
      visit(resolveRef(root, `#${pointer}`) ?? true, true);
    }
    const partsAreWhole = isUnion(schema) && !isPart;
    for (const { schema: inner, role } of subschemas(schema)) {
      visit(inner, role === 'probe' || (role === 'part' && !partsAreWhole));
    }
  };
  visit(root, false);
  return found;
}

/** Keywords beside which the branches of a union are not whole by themselves. */
const besideUnion = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'allOf',
  '$ref',
  'if',
  'dependentSchemas',
];

/** Whether a schema is nothing but a choice between whole alternatives, as `anyOf: [X, null]` is. */
function isUnion(schema: JsonObject): boolean {
  const isOne = (schema.anyOf === undefined) !== (schema.oneOf === undefined);
  return isOne && besideUnion.every((keyword) => schema[keyword] === undefined);
}

/** Whether a schema is nothing but what it refers to. */
function isBareRef(schema: JsonObject): boolean {
  const isAlone = schema.properties === undefined && schema.patternProperties === undefined;
  const hasParts = subschemas(schema).some(
    ({ role, place }) => role === 'part' || place[0] === 'if',
  );
  return typeof schema.$ref === 'string' && isAlone && !hasParts;
}

function declares(parts: readonly JsonObject[]): boolean {
  return parts.some(
    (part) => part.properties !== undefined || part.patternProperties !== undefined,
  );
}

/** Whether a schema says itself which other properties it takes. */
function isClosed(schema: JsonObject): boolean {
  return schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined;
}

/** Whether it says that it takes some. */
function isOpen(schema: JsonObject): boolean {
  return isClosed(schema) && schema.additionalProperties !== false;
}

function withRequired(schema: JsonObject): JsonObject {
  return schema.properties === undefined || schema.required !== undefined
    ? schema
    : { ...schema, required: [] };
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
