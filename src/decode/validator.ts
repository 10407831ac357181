import { Build } from 'typebox/schema';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { enforcing } from './enforce.ts';
import { hasPatternedNames, longestPatternedName } from './pattern.ts';
import { WorkBudget } from './work-budget.ts';

/** Says whether a value fits a schema that stands inside the compiled one. */
export type Fits = (schema: JsonObject, value: JsonValue) => boolean;

/** A compiled schema. */
export interface Validator {
  /** `too_costly`: it could not be told in a bounded number of steps. */
  judge(value: JsonValue): 'fits' | 'breaks' | 'too_costly';
  /** Runs `look` with a judge of parts; undefined where that takes too many steps. */
  lookInto<T>(look: (fits: Fits) => T): T | undefined;
}

/** Steps through references, of some 100 ns each; a list of a million numbers needs a million. */
const mostSteps = 1_000_000;

/**
 * Compiles a checked schema of draft 2020-12, and what stands inside it when it is first asked about.
 * Where code may not be made from text, the schemas are interpreted.
 */
export function compileSchema(root: JsonObject): Step<Validator, string> {
  const budget = new WorkBudget();
  const enforced = enforcing(root, budget);
  const checks = new WeakMap<JsonObject, (value: unknown) => boolean>();
  const checkOf = (schema: JsonObject): ((value: unknown) => boolean) => {
    const known = checks.get(schema);
    if (known !== undefined) return known;
    // `Compile` would bring the library's own error messages along, 3 kB of the package's entry.
    const compiled = Build(enforced(schema)).Evaluate();
    const check = (value: unknown): boolean => compiled.Check(value);
    checks.set(schema, check);
    return check;
  };
  try {
    const checkRoot = checkOf(root);
    const areNamesPatterned = hasPatternedNames(root);
    return pass({
      judge(value) {
        if (areNamesPatterned && hasLongName(value)) return 'too_costly';
        const fits = budget.within(mostSteps, () => checkRoot(value));
        return fits === undefined ? 'too_costly' : fits ? 'fits' : 'breaks';
      },
      lookInto: (look) =>
        budget.within(mostSteps, () => look((schema, value) => checkOf(schema)(value))),
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
