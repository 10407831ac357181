import type { JsonObject, JsonValue } from '../call/json.ts';
import type { Defect } from '../call/tool-error.ts';
import { isJsonObject } from './json-copy.ts';
import { nearestName, nearestValue } from './nearest.ts';
import { parameterNameOf, pointerOf, segmentsOf, valueAt } from './pointer.ts';
import { declaredNames, declaredSchema, facets, schemaAt } from './schema-tree.ts';
import { actualWords, expectedWords } from './shape-words.ts';
import type { Defects } from './strict-json.ts';
import { settleUnions } from './unions.ts';
import type { Violation } from './validator.ts';

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
 * Turns what a validator found into defects for a model: one for each thing to mend, a union's many
 * complaints become one, missing arguments come first, then wrong ones, then those too many.
 */
export function defectsOf(
  root: JsonObject,
  args: JsonObject,
  violations: readonly Violation[],
): Defects {
  const told = new Map<string, Defect>();
  for (const violation of settleUnions(root, args, violations)) {
    for (const defect of defectsOfOne(root, args, violation)) {
      const key = `${defect.code === 'missing_argument' ? 'missing' : 'there'} ${pathOf(defect)}`;
      if (!told.has(key)) told.set(key, defect);
    }
  }
  const sorted = [...told.values()].sort((a, b) => (order[a.code] ?? 9) - (order[b.code] ?? 9));
  const [first, ...others] = sorted.slice(0, mostDefects);
  return [first ?? notAsDescribed, ...others];
}

const notAsDescribed: Defect = {
  code: 'invalid_arguments',
  path: '',
  detail: 'The arguments are not as the schema of the tool describes them.',
};

function pathOf(defect: Defect): string {
  return 'path' in defect ? defect.path : '';
}

function defectsOfOne(root: JsonObject, args: JsonObject, violation: Violation): readonly Defect[] {
  const at = segmentsOf(violation.instancePath);
  const value = valueAt(args, at);
  switch (violation.keyword) {
    case 'required':
      return missing(root, violation, namesIn(violation.params.requiredProperties));
    case 'dependentRequired':
      return missing(
        root,
        violation,
        namesIn(violation.params.dependencies).filter(
          (name) => isJsonObject(value) && !Object.hasOwn(value, name),
        ),
      );
    case 'boolean':
      return at.length === 0 ? [notAsDescribed] : [unexpected(root, violation, at, value)];
    case 'unevaluatedProperties':
      return undeclared(root, violation, value);
    case 'propertyNames':
      return namesIn(violation.params.propertyNames).map((name) =>
        unexpected(root, violation, [...at, name], valueAt(args, [...at, name])),
      );
    // Each of its names is told by a violation of its own.
    case 'additionalProperties':
      return [];
    case 'minimum':
    case 'maximum':
      return [outOfBounds(root, violation, at, value)];
    case 'if':
    case 'not':
    case 'oneOf':
      return [unfit(root, violation, at, value)];
    default:
      // The complaint about a key is told by `propertyNames`.
      if (violation.schemaPath.endsWith('/propertyNames')) return [];
      return at.length === 0 ? [notAsDescribed] : [wrongShape(root, violation, at, value)];
  }
}

function missing(
  root: JsonObject,
  violation: Violation,
  names: readonly string[],
): readonly Defect[] {
  const at = segmentsOf(violation.instancePath);
  return names.map((name) => ({
    code: 'missing_argument',
    path: pointerOf([...at, name]),
    parameterName: parameterNameOf([...at, name]),
    expectedShape: expectedWords(root, declaredSchema(root, violation.schemaPath, name)),
  }));
}

function unexpected(
  root: JsonObject,
  violation: Violation,
  at: readonly string[],
  value: JsonValue,
): Defect {
  const owner = violation.schemaPath.replace(/\/[^/]*$/, '');
  const name = at.at(-1) ?? '';
  const nearest = nearestName(name, declaredNames(root, schemaAt(root, owner)));
  return {
    code: 'unexpected_argument',
    path: pointerOf(at),
    parameterName: parameterNameOf(at),
    received: value,
    ...(nearest === undefined || nearest === name ? {} : { nearest }),
  };
}

/** The properties that no part of a composed object declares; where a part fails, all count as unevaluated. */
function undeclared(root: JsonObject, violation: Violation, value: JsonValue): readonly Defect[] {
  const at = segmentsOf(violation.instancePath);
  const declared = new Set(declaredNames(root, schemaAt(root, violation.schemaPath)));
  const inner = { ...violation, schemaPath: `${violation.schemaPath}/unevaluatedProperties` };
  return namesIn(violation.params.unevaluatedProperties)
    .filter((name) => !declared.has(name))
    .map((name) => unexpected(root, inner, [...at, name], valueAt(value, [name])));
}

function wrongShape(
  root: JsonObject,
  violation: Violation,
  at: readonly string[],
  value: JsonValue,
): Defect {
  const nearest = nearestValue(value, allowedValues(root, violation));
  return {
    code: 'invalid_argument_shape',
    path: pointerOf(at),
    parameterName: parameterNameOf(at),
    expectedShape: expectedWords(root, schemaAt(root, violation.schemaPath)),
    actualShape: actualWords(value),
    received: value,
    ...(nearest === undefined ? {} : { nearest }),
  };
}

/** Outside of what the schema asks for, or of what an integer can be at all. */
function outOfBounds(
  root: JsonObject,
  violation: Violation,
  at: readonly string[],
  value: JsonValue,
): Defect {
  const most = Number.MAX_SAFE_INTEGER;
  const isInexact = Math.abs(Number(violation.params.limit)) === most;
  if (!isInexact || typeof value !== 'number') return wrongShape(root, violation, at, value);
  return {
    code: 'unsafe_number',
    path: pointerOf(at),
    parameterName: parameterNameOf(at),
    received: String(value),
    problem: 'too_large',
  };
}

/** The values that could have been sent instead, where they are listed. */
function allowedValues(root: JsonObject, { schemaPath, params }: Violation): readonly JsonValue[] {
  const listed = facets(root, schemaAt(root, schemaPath)).flatMap((node) => [
    node.const,
    ...(Array.isArray(node.enum) ? (node.enum as JsonValue[]) : []),
  ]);
  const given = Array.isArray(params.allowedValues) ? params.allowedValues : [];
  return [...listed, ...given].filter(isScalar);
}

/** A value that breaks a rule about the whole of it. */
function unfit(
  root: JsonObject,
  violation: Violation,
  at: readonly string[],
  value: JsonValue,
): Defect {
  if (at.length > 0 && (typeof value !== 'object' || value === null)) {
    return wrongShape(root, violation, at, value);
  }
  const several = violation.keyword === 'oneOf';
  return {
    code: 'invalid_arguments',
    path: pointerOf(at),
    ...(at.length > 0 ? { parameterName: parameterNameOf(at) } : {}),
    detail: several
      ? 'The values fit more than one of the alternatives of which exactly one is allowed.'
      : 'The values are not allowed together.',
  };
}

function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.map(String) : [];
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
