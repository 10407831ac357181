import type { JsonObject, JsonValue } from '../call/json.ts';
import type { Violation } from './validator.ts';

/**
 * Leaves, of each `anyOf` or `oneOf` that a value fails, only what is wrong with the branch that was
 * most likely meant, or the union itself where no branch takes values of this type.
 */
export function settleUnions(
  root: JsonObject,
  args: JsonValue,
  violations: readonly Violation[],
): readonly Violation[] {
  const union = outermostUnion(violations);
  if (union === undefined) return violations;
  const prefix = `${union.schemaPath}/${union.keyword}/`;
  const isInside = (violation: Violation): boolean => violation.schemaPath.startsWith(prefix);
  const inside = violations.filter((violation) => isInside(violation));
  const at = violations.indexOf(union);
  const before = violations.slice(0, at).filter((violation) => !isInside(violation));
  const after = violations.slice(at + 1).filter((violation) => !isInside(violation));
  const meant = settleUnions(root, args, likeliestBranch(union, prefix, inside));
  const settled = toldAsUnion(union, meant);
  return [...before, ...settled, ...settleUnions(root, args, after)].filter(
    (violation, index, all) => all.indexOf(violation) === index,
  );
}

/** Keywords by which an object is wrong in its members, which are told by name. */
const aboutMembers: ReadonlySet<string> = new Set([
  'required',
  'dependentRequired',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
]);

/**
 * Complaints about the value itself are told in the words of the whole union (`one of "a", "b" or
 * null`); where no branch was meant, so is the union.
 */
function toldAsUnion(union: Violation, meant: readonly Violation[]): readonly Violation[] {
  const [first] = meant;
  if (first === undefined) return [{ ...union, keyword: 'union' }];
  const isAboutItself = meant.every(
    ({ keyword, instancePath }) =>
      instancePath === union.instancePath && !aboutMembers.has(keyword),
  );
  return isAboutItself ? [{ ...first, schemaPath: union.schemaPath }] : meant;
}

function outermostUnion(violations: readonly Violation[]): Violation | undefined {
  let found: Violation | undefined;
  for (const violation of violations) {
    if (!isUnion(violation)) continue;
    if (found === undefined || violation.schemaPath.length < found.schemaPath.length) {
      found = violation;
    }
  }
  return found;
}

function isUnion({ keyword, params }: Violation): boolean {
  if (keyword === 'anyOf') return true;
  // A `oneOf` that several branches pass has nothing inside it to tell.
  return keyword === 'oneOf' && (params.passingSchemas as unknown[] | undefined)?.length === 0;
}

/**
 * What is wrong with the branch that comes closest: the type fits and, where branches are told apart
 * by a constant, the constant too; then the fewest complaints. Nothing where no branch's type fits.
 */
function likeliestBranch(
  union: Violation,
  prefix: string,
  inside: readonly Violation[],
): readonly Violation[] {
  const branches = new Map<string, Violation[]>();
  for (const violation of inside) {
    const index = violation.schemaPath.slice(prefix.length).split('/', 1)[0] ?? '';
    branches.set(index, [...(branches.get(index) ?? []), violation]);
  }
  let best: readonly Violation[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const complaints of branches.values()) {
    const distance = distanceOf(union, complaints);
    if (distance < least) {
      least = distance;
      best = complaints;
    }
  }
  return best;
}

const otherConstant = 1000;

function distanceOf(union: Violation, complaints: readonly Violation[]): number {
  let distance = 0;
  for (const { keyword, instancePath } of complaints) {
    const isHere = instancePath === union.instancePath;
    if (isHere && (keyword === 'type' || keyword === 'const' || keyword === 'boolean')) {
      return Number.POSITIVE_INFINITY;
    }
    const isChild = instancePath.lastIndexOf('/') === union.instancePath.length;
    distance += keyword === 'const' && !isHere && isChild ? otherConstant : 1;
  }
  return distance;
}
