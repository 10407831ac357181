import type { JsonObject, JsonValue } from '../call/json.ts';
import type { Defect } from '../call/tool-error.ts';
import { isJsonObject } from './json-copy.ts';
import { assertions } from './keywords.ts';
import { likeliestBranch } from './likeliest-branch.ts';
import { nearestName, nearestValue } from './nearest.ts';
import { parameterNameOf, pointerOf } from './pointer.ts';
import { declaredNames, declaredSchema, dereference, facets } from './schema-tree.ts';
import { actualWords, expectedWords, typeFits } from './shape-words.ts';
import type { Defects } from './strict-json.ts';
import type { Fits } from './validator.ts';

/** No more defects than this are told at once. */
const mostDefects = 20;

/** What is told first. */
const order: Readonly<Partial<Record<Defect['code'], number>>> = {
  missing_argument: 0,
  invalid_argument_shape: 1,
  unsafe_number: 1,
  unexpected_argument: 2,
  invalid_arguments: 3,
};

/**
 * Finds where arguments that do not fit their schema fail it: one defect for each thing to mend, of a
 * union the branch that was most likely meant; what is missing first, then what is wrong, then what is
 * too much. The validator says of each part whether it fits; this only says where to look.
 */
export function findDefects(root: JsonObject, args: JsonValue, fits: Fits): Defects {
  const search = new Search(root, fits);
  search.look(root, args, [], root);
  const sorted = search.found().sort((a, b) => (order[a.code] ?? 9) - (order[b.code] ?? 9));
  const [first, ...others] = sorted.slice(0, mostDefects);
  return [first ?? notAsDescribed, ...others];
}

/** Where nothing more exact can be said. */
export const notAsDescribed: Defect = {
  code: 'invalid_arguments',
  path: '',
  detail: 'The arguments are not as the schema of the tool describes them.',
};

type Path = readonly (string | number)[];

class Search {
  private readonly root: JsonObject;
  private readonly fits: Fits;
  private readonly byPlace = new Map<string, Defect>();

  constructor(root: JsonObject, fits: Fits) {
    this.root = root;
    this.fits = fits;
  }

  found(): Defect[] {
    return [...this.byPlace.values()];
  }

  /**
   * Looks for what is wrong with a value that does not fit a schema. `words` is the schema that says
   * what is expected of the value as a whole, and what its properties are: a union, an `allOf`.
   */
  look(schema: JsonValue, value: JsonValue, at: Path, words: JsonValue): void {
    if (this.isEnough()) return;
    const before = this.byPlace.size;
    if (!isJsonObject(schema) || !typeFits(schema, value)) {
      this.wrongShape(words, value, at);
      return;
    }
    this.lookAtParts(schema, value, at, words);
    if (isJsonObject(value)) this.lookAtMembers(schema, value, at, words);
    if (Array.isArray(value)) this.lookAtItems(schema, value, at);
    const own = ownAssertions(schema);
    if (own !== null && !this.fits(own, value)) this.wrongShape(words, value, at);
    if (this.byPlace.size === before) this.wrongShape(words, value, at);
  }

  private lookAtParts(schema: JsonObject, value: JsonValue, at: Path, words: JsonValue): void {
    const { $ref, allOf, anyOf, oneOf, not } = schema;
    const target = typeof $ref === 'string' ? dereference(this.root, { $ref }) : undefined;
    for (const part of [target, ...listOf(allOf), ...this.conditional(schema, value)]) {
      if (this.fails(part, value)) this.look(part, value, at, words);
    }
    for (const branches of [listOf(anyOf), listOf(oneOf)]) {
      if (branches.length > 0 && branches.every((branch) => this.fails(branch, value))) {
        this.lookAtUnion(branches, value, at, words);
      }
    }
    const passing = listOf(oneOf).filter((branch) => !this.fails(branch, value));
    if (passing.length > 1) this.unfit(severalFit, value, at, words);
    if (not !== undefined && !this.fails(not, value)) this.unfit(notTogether, value, at, words);
  }

  /** The parts that hold on a condition which this value meets. */
  private conditional(schema: JsonObject, value: JsonValue): readonly (JsonValue | undefined)[] {
    const { if: condition, then: whenMet, else: otherwise, dependentSchemas } = schema;
    const chosen = condition === undefined || this.fails(condition, value) ? otherwise : whenMet;
    const dependent = Object.entries(objectOf(dependentSchemas))
      .filter(([name]) => isJsonObject(value) && Object.hasOwn(value, name))
      .map(([, part]) => part);
    return [condition === undefined ? undefined : chosen, ...dependent];
  }

  private lookAtUnion(
    branches: readonly JsonValue[],
    value: JsonValue,
    at: Path,
    words: JsonValue,
  ): void {
    const meant = likeliestBranch(this.root, branches, value, this.fits);
    if (meant === undefined) {
      this.wrongShape(words, value, at);
      return;
    }
    const declaresItself = declaredNames(this.root, meant).length > 0;
    this.look(meant, value, at, declaresItself || Array.isArray(value) ? meant : words);
  }

  private lookAtMembers(schema: JsonObject, value: JsonObject, at: Path, words: JsonValue): void {
    for (const name of requiredNames(schema, value)) {
      if (!Object.hasOwn(value, name)) this.missing(words, name, at);
    }
    const { properties, patternProperties, additionalProperties, propertyNames } = schema;
    const declared = objectOf(properties);
    const patterned = Object.entries(objectOf(patternProperties));
    for (const [name, held] of Object.entries(value)) {
      if (this.isEnough()) return;
      const path = [...at, name];
      const own = Object.hasOwn(declared, name) ? [declared[name] as JsonValue] : [];
      const matching = patterned.filter(([pattern]) => new RegExp(pattern, 'u').test(name));
      const schemas = [...own, ...matching.map(([, each]) => each as JsonValue)];
      const isExtra = schemas.length === 0 && additionalProperties !== undefined;
      for (const each of isExtra ? [additionalProperties] : schemas) {
        if (each === false) this.unexpected(words, held as JsonValue, path);
        else if (this.fails(each, held as JsonValue))
          this.look(each, held as JsonValue, path, each);
      }
      if (this.fails(propertyNames, name)) this.unexpected(words, held as JsonValue, path);
    }
    if (schema.unevaluatedProperties !== undefined) this.lookAtUnevaluated(schema, value, at);
  }

  /** The properties that no part declares, where the object may have no others. */
  private lookAtUnevaluated(schema: JsonObject, value: JsonObject, at: Path): void {
    const parts = facets(this.root, schema);
    const isOpen = parts.some((part) => isTaking(part.additionalProperties));
    const declared = new Set(declaredNames(this.root, schema));
    const patterns = parts.flatMap((part) => Object.keys(objectOf(part.patternProperties)));
    for (const [name, held] of Object.entries(value)) {
      const isKnown =
        declared.has(name) || patterns.some((each) => new RegExp(each, 'u').test(name));
      if (isOpen || isKnown || !this.fails(schema.unevaluatedProperties, held as JsonValue))
        continue;
      this.unexpected(schema, held as JsonValue, [...at, name]);
    }
  }

  private lookAtItems(schema: JsonObject, value: readonly JsonValue[], at: Path): void {
    const prefix = listOf(schema.prefixItems);
    for (const [index, item] of value.entries()) {
      const each = index < prefix.length ? prefix[index] : schema.items;
      if (each === false) this.unexpected(schema, item, [...at, index]);
      else if (this.fails(each, item)) this.look(each, item, [...at, index], each);
      if (this.isEnough()) return;
    }
  }

  /** More than are told, so that missing ones among them can go first. */
  private isEnough(): boolean {
    return this.byPlace.size >= 2 * mostDefects;
  }

  private fails(schema: JsonValue | undefined, value: JsonValue): schema is JsonValue {
    return schema === false || (isJsonObject(schema) && !this.fits(schema, value));
  }

  private missing(words: JsonValue, name: string, at: Path): void {
    const path = [...at, name];
    const declared = declaredSchema(this.root, words, name);
    this.add('missing', {
      code: 'missing_argument',
      path: pointerOf(path),
      parameterName: parameterNameOf(path),
      expectedShape: expectedWords(this.root, declared),
    });
  }

  private unexpected(words: JsonValue, value: JsonValue, path: Path): void {
    const name = String(path.at(-1));
    const nearest = nearestName(name, declaredNames(this.root, words));
    this.add('there', {
      code: 'unexpected_argument',
      path: pointerOf(path),
      parameterName: parameterNameOf(path),
      received: value,
      ...(nearest === undefined || nearest === name ? {} : { nearest }),
    });
  }

  private wrongShape(words: JsonValue, value: JsonValue, at: Path): void {
    if (at.length === 0) {
      this.add('there', notAsDescribed);
      return;
    }
    const place = { path: pointerOf(at), parameterName: parameterNameOf(at) };
    if (this.isInexact(words, value)) {
      const received = String(value);
      this.add('there', { code: 'unsafe_number', ...place, received, problem: 'too_large' });
      return;
    }
    const nearest = nearestValue(value, allowedValues(this.root, words));
    this.add('there', {
      code: 'invalid_argument_shape',
      ...place,
      expectedShape: expectedWords(this.root, words),
      actualShape: actualWords(value),
      received: value,
      ...(nearest === undefined ? {} : { nearest }),
    });
  }

  /** Whether a value is an integer that is meant to be one, and is not sure to be the one that was meant. */
  private isInexact(words: JsonValue, value: JsonValue): boolean {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
    return facets(this.root, words).some(({ type }) => type === 'integer');
  }

  /** A value that breaks a rule about the whole of it. */
  private unfit(detail: string, value: JsonValue, at: Path, words: JsonValue): void {
    if (at.length > 0 && (typeof value !== 'object' || value === null)) {
      this.wrongShape(words, value, at);
      return;
    }
    this.add('there', {
      code: 'invalid_arguments',
      path: pointerOf(at),
      ...(at.length > 0 ? { parameterName: parameterNameOf(at) } : {}),
      detail,
    });
  }

  /** The first thing that is found wrong at a place is told. */
  private add(kind: 'missing' | 'there', defect: Defect): void {
    const key = `${kind} ${'path' in defect ? defect.path : ''}`;
    if (!this.byPlace.has(key)) this.byPlace.set(key, defect);
  }
}

const severalFit =
  'The values fit more than one of the alternatives of which exactly one is allowed.';
const notTogether = 'The values are not allowed together.';

/** Keywords about the members of a value, each of which is looked at by itself. */
const aboutMembers: ReadonlySet<string> = new Set(['$ref', 'required', 'dependentRequired']);
const owns = new WeakMap<JsonObject, JsonObject | null>();

/** What a schema says of a value as a whole; null where that is no more than its type. */
function ownAssertions(schema: JsonObject): JsonObject | null {
  const known = owns.get(schema);
  if (known !== undefined) return known;
  const kept = Object.entries(schema).filter(
    ([keyword]) =>
      keyword === 'contains' || (Object.hasOwn(assertions, keyword) && !aboutMembers.has(keyword)),
  );
  const isTypeAlone = kept.every(([keyword]) => keyword === 'type') && schema.type !== 'integer';
  const own = isTypeAlone ? null : Object.fromEntries(kept);
  owns.set(schema, own);
  return own;
}

function requiredNames(schema: JsonObject, value: JsonObject): readonly string[] {
  const dependent = Object.entries(objectOf(schema.dependentRequired))
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([, names]) => listOf(names));
  return [...listOf(schema.required), ...dependent].map(String);
}

/** The values that could have been sent instead, where they are listed. */
function allowedValues(root: JsonObject, schema: JsonValue): readonly JsonValue[] {
  const listed = facets(root, schema).flatMap((node) => [node.const, ...listOf(node.enum)]);
  return listed.filter(
    (value): value is JsonValue => value !== undefined && typeof value !== 'object',
  );
}

function isTaking(additionalProperties: JsonValue | undefined): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
