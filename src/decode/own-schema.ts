import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonObject } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { Defect } from '../call/tool-error.ts';
import { parameterNameOf, pointerOf } from './pointer.ts';
import { shortened } from './shape-words.ts';
import type { Defects } from './strict-json.ts';

const mostDefects = 20;
const longestDetail = 300;

/**
 * Runs a library's schema over arguments that fit its JSON Schema: refinements, defaults, transforms.
 * One that throws, or that is asynchronous, refuses the call; the cause goes to `onError` alone, and
 * later where it came as a promise.
 */
export function runOwnSchema(
  schema: StandardSchemaV1,
  args: JsonObject,
  onError: (cause: unknown) => void,
): Step<unknown, Defects> {
  try {
    const outcome = schema['~standard'].validate(args);
    if (outcome instanceof Promise) {
      // zod comes here too where a refinement throws: it tries again asynchronously.
      outcome.then(() => onError(new TypeError(asynchronous)), onError);
      return refuse([unchecked]);
    }
    if (outcome.issues === undefined) return pass(outcome.value);
    const [first, ...others] = outcome.issues.slice(0, mostDefects).map(defectOf);
    return refuse([first ?? unchecked, ...others]);
  } catch (cause) {
    onError(cause);
    return refuse([unchecked]);
  }
}

const asynchronous = 'the schema is asynchronous, and arguments are decoded synchronously';

const unchecked: Defect = {
  code: 'invalid_arguments',
  path: '',
  detail: 'The arguments could not be checked.',
};

function defectOf(issue: StandardSchemaV1.Issue): Defect {
  const segments = (issue.path ?? []).map((step) =>
    String(typeof step === 'object' ? step.key : step),
  );
  return {
    code: 'invalid_arguments',
    path: pointerOf(segments),
    ...(segments.length > 0 ? { parameterName: parameterNameOf(segments) } : {}),
    detail: shortened(String(issue.message), longestDetail),
  };
}
