import type { JsonObject, JsonValue } from '../call/json.ts';
import { andThen, pass, refuse, type Step } from '../call/step.ts';
import type { AcceptedArguments, InputOf, InputSchema, Tool, ToolSpec } from '../call/tool.ts';
import type { Defect } from '../call/tool-error.ts';
import { ordinalName, problemOfNames, problemOfSpec } from './check-spec.ts';
import { findDefects, notAsDescribed } from './find-defects.ts';
import { runOwnSchema } from './own-schema.ts';
import { isStandardSchema, projectArguments, projectData } from './project.ts';
import type { Defects } from './strict-json.ts';
import { compileSchema, type Validator } from './validator.ts';

/**
 * Defines a tool: its spec checked, its schema projected to what the model is shown, and compiled once.
 * Throws a TypeError that names the tool and says what to change where the spec cannot hold.
 */
export function tool<
  const Name extends string,
  S extends InputSchema,
  Context = unknown,
  Data extends JsonValue = JsonValue,
>(spec: ToolSpec<Name, S, Context, Data>): Tool<Name, S, Context, Data> {
  const fail = (problem: string): never => {
    throw new TypeError(`tool ${JSON.stringify(spec?.name) ?? ''}: ${problem}`);
  };
  const orFail = <T>(step: Step<T, string>): T => (step.ok ? step.value : fail(step.error));

  if (typeof spec !== 'object' || spec === null) fail('its spec must be an object');
  const loose = spec as unknown as Readonly<Record<string, unknown>>;
  const problem = problemOfSpec(loose);
  if (problem !== undefined) fail(problem);

  const ordinal = ordinalName(loose);
  const { schema, warnings } = orFail(projectArguments(spec.input, ordinal));
  const stray = problemOfNames(loose, schema);
  if (stray !== undefined) fail(stray);
  const validator = orFail(compileSchema(schema));
  const output = spec.output === undefined ? undefined : orFail(projectData(spec.output));
  const data = output && orFail(compileSchema(output.schema));

  return Object.freeze({
    name: spec.name,
    spec: Object.freeze({ ...spec }),
    parameters: schema,
    warnings,
    accept(args: JsonObject, onError: (cause: unknown) => void = ignore) {
      return andThen(holdAgainst(validator, schema, args), () =>
        acceptOwn(spec.input, args, ordinal, onError),
      ) as Step<AcceptedArguments<InputOf<S>>, Defects>;
    },
    acceptData: (value: JsonValue) => acceptData(data, output?.schema ?? {}, value),
  });
}

function ignore(): void {}

function holdAgainst(
  validator: Validator,
  schema: JsonObject,
  args: JsonObject,
): Step<JsonObject, Defects> {
  const verdict = validator.judge(args);
  if (verdict === 'fits') return pass(args);
  if (verdict === 'too_costly') return refuse([tooCostly]);
  const defects = validator.lookInto((fits) => findDefects(schema, args, fits));
  return refuse(defects ?? [notAsDescribed]);
}

const tooCostly: Defect = {
  code: 'invalid_arguments',
  path: '',
  detail:
    'The arguments are too large or too deeply nested to be checked; send flatter or fewer ones.',
};

function acceptOwn(
  schema: InputSchema,
  given: JsonObject,
  ordinalArgument: string | undefined,
  onError: (cause: unknown) => void,
): Step<AcceptedArguments<unknown>, Defects> {
  const { args, ordinal } = takeOrdinal(given, ordinalArgument);
  if (!isStandardSchema(schema)) return pass({ input: args, args, ordinal });
  return andThen(runOwnSchema(schema, args, onError), (input) => pass({ input, args, ordinal }));
}

function takeOrdinal(
  given: JsonObject,
  argument: string | undefined,
): { args: JsonObject; ordinal: number } {
  if (argument === undefined || !Object.hasOwn(given, argument)) return { args: given, ordinal: 1 };
  const { [argument]: ordinal, ...args } = given;
  return { args, ordinal: Number(ordinal) };
}

function acceptData(
  validator: Validator | undefined,
  schema: JsonObject,
  data: JsonValue,
): Step<JsonValue, string> {
  if (validator === undefined || validator.judge(data) === 'fits') return pass(data);
  const [first] = validator.lookInto((fits) => findDefects(schema, data, fits)) ?? [notAsDescribed];
  const place = 'path' in first ? ` at "${first.path}"` : '';
  const expected = 'expectedShape' in first ? `: expected ${first.expectedShape}` : '';
  return refuse(`the data does not fit the output schema${place}${expected}`);
}
