import { Compile, Errors } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { enforceable } from './enforce.ts';
import { isJsonObject } from './json-copy.ts';
import { longestPatternedName } from './pattern.ts';
import { segmentsOf, valueAt } from './pointer.ts';
import { schemaAt } from './schema-tree.ts';
import { WorkBudget } from './work-budget.ts';

/** One keyword of a schema that a value breaks. */
export interface Violation {
  readonly keyword: string;
  /** `#/properties/a/anyOf/0`: the schema that has the keyword; references on the way are left out. */
  readonly schemaPath: string;
  /** A JSON Pointer into the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A compiled schema. */
export interface Validator {
  /** `too_costly`: it could not be told in a bounded number of steps. */
  judge(value: JsonValue): 'fits' | 'breaks' | 'too_costly';
  /** The keywords that the value breaks, those inside unions included; none where that is too costly. */
  violations(value: JsonValue): readonly Violation[];
}

/** Steps through references, of some 100 ns each; a list of a million numbers needs a million. */
const mostSteps = 1_000_000;
/** Naming what is wrong goes through all branches, at some µs a step. */
const mostNamingSteps = 50_000;
/** Inside unions each branch has its violations, so that more are kept than are ever told. */
const mostViolations = 500;

/** Compiles a checked schema of draft 2020-12; where code may not be made from text, it is interpreted. */
export function compileSchema(schema: JsonObject): Step<Validator, string> {
  const budget = new WorkBudget();
  const enforced = enforceable(schema, budget);
  try {
    const compiled = Compile(enforced.schema);
    const named = (found: Violation): Violation =>
      found.keyword === '~refine' ? { ...found, keyword: String(found.params.message) } : found;
    return pass({
      judge(value) {
        if (enforced.hasNamePatterns && hasLongName(value)) return 'too_costly';
        const fits = budget.within(mostSteps, () => compiled.Check(value));
        return fits === undefined ? 'too_costly' : fits ? 'fits' : 'breaks';
      },
      violations(value) {
        const found = budget.within(mostNamingSteps, () => allViolations(enforced.schema, value));
        return (found ?? [])
          .map(named)
          .map((each) => ({ ...each, schemaPath: enforced.shownPath(each.schemaPath) }));
      },
    });
  } catch (error) {
    return refuse(
      `the schema cannot be compiled: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Names that a backtracking engine could take long over. */
function hasLongName(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasLongName);
  return Object.entries(value).some(
    ([name, held]) => name.length > longestPatternedName || hasLongName(held as JsonValue),
  );
}

/** The violations of a value, with those of a failed `then` or `else` in place of the `if`. */
function allViolations(root: JsonObject, value: JsonValue): readonly Violation[] {
  return violationsOf(root, value).flatMap((violation) => {
    if (violation.keyword !== 'if') return [violation];
    const keyword = String(violation.params.failingKeyword);
    const node = schemaAt(root, violation.schemaPath);
    const branch = isJsonObject(node) ? node[keyword] : undefined;
    if (!isJsonObject(branch)) return [violation];
    const { $defs = {}, definitions = {} } = root;
    const held = valueAt(value, segmentsOf(violation.instancePath));
    const inside = violationsOf({ ...branch, $defs, definitions }, held);
    return inside.length === 0
      ? [violation]
      : inside.map((inner) => ({
          ...inner,
          schemaPath: `${violation.schemaPath}/${keyword}${inner.schemaPath.slice(1)}`,
          instancePath: `${violation.instancePath}${inner.instancePath}`,
        }));
  });
}

/** All that the validator has to say; by itself it keeps the first eight. */
function violationsOf(schema: JsonObject, value: JsonValue): readonly Violation[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: mostViolations });
  try {
    return Errors(schema, value)[1] as unknown as readonly Violation[];
  } finally {
    Settings.Set({ maxErrors });
  }
}
