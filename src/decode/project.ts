import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonObject } from '../call/json.ts';
import { andThen, mapValue, pass, refuse, type Step } from '../call/step.ts';
import type { InputSchema } from '../call/tool.ts';
import { checkSchema } from './check-schema.ts';
import { closeArguments } from './close.ts';
import { deepFreeze, isJsonObject, jsonCopy } from './json-copy.ts';
import { modernise } from './modernise.ts';
import { declaredNames, facets } from './schema-tree.ts';
import { toJsonSchema } from './standard-json-schema.ts';

/** A schema as JSON Schema 2020-12, checked. */
export interface Projection {
  readonly schema: JsonObject;
  /** What is shown to the model and not enforced. */
  readonly warnings: readonly string[];
}

/** Whether a schema is one of a library's, rather than plain JSON Schema. */
export function isStandardSchema(schema: InputSchema): schema is StandardSchemaV1 {
  return '~standard' in schema;
}

/**
 * Projects what describes arguments to the schema that the model is shown, or says why it cannot be.
 * `ordinal` names an argument to add, by which a model asks for a second identical call.
 */
export function projectArguments(input: InputSchema, ordinal?: string): Step<Projection, string> {
  return andThen(project(input), ({ schema, warnings }) => {
    if (schema.type !== undefined && schema.type !== 'object') {
      return refuse('its input must describe an object, as arguments have names');
    }
    const whole = ordinal === undefined ? pass(schema) : withOrdinal(schema, ordinal);
    return mapValue(whole, (open) => ({ schema: deepFreeze(closeArguments(open)), warnings }));
  });
}

function withOrdinal(schema: JsonObject, name: string): Step<JsonObject, string> {
  if (declaredNames(schema, schema).includes(name)) {
    return refuse(`its schema has ${name} already; give repeat another argument`);
  }
  const [, ...parts] = facets(schema, schema);
  if (parts.some((part) => part.additionalProperties === false)) {
    return refuse(
      'it can be repeated only if no part of its schema has additionalProperties: false',
    );
  }
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return pass({ ...schema, properties: { ...properties, [name]: ordinalSchema } });
}

const ordinalSchema: JsonObject = {
  type: 'integer',
  minimum: 1,
  description:
    'Leave it out, except to do exactly the same once more because the user wants it: then 2, then 3.',
};

/** Projects what describes data, as it is: other properties than the declared ones may be there. */
export function projectData(output: InputSchema): Step<Projection, string> {
  const projected = project(output);
  return projected.ok
    ? pass({ ...projected.value, schema: deepFreeze(projected.value.schema) })
    : projected;
}

function project(input: InputSchema): Step<Projection, string> {
  const plain = isStandardSchema(input) ? toJsonSchema(input) : copied(input);
  if (!plain.ok) return plain;
  const written = checkSchema(plain.value);
  if (written.problems.length > 0) return refuse(written.problems.join('; '));
  const schema = modernise(plain.value);
  const { problems, warnings } = checkSchema(schema);
  return problems.length > 0 ? refuse(problems.join('; ')) : pass({ schema, warnings });
}

function copied(input: unknown): Step<JsonObject, string> {
  try {
    const copy = jsonCopy(input);
    return isJsonObject(copy) ? pass(copy) : refuse('the schema is not an object');
  } catch (error) {
    return refuse(error instanceof TypeError ? error.message : 'the schema cannot be read');
  }
}
