import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonObject } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { isJsonObject, jsonCopy } from './json-copy.ts';

const target = 'draft-2020-12';

/**
 * The JSON Schema of what a library's schema takes in, by the Standard JSON Schema interface, or why
 * there is none: the library does not offer it, or a value in it has no JSON form.
 */
export function toJsonSchema(schema: StandardSchemaV1): Step<JsonObject, string> {
  const standard = schema['~standard'] as StandardSchemaV1['~standard'] &
    Partial<StandardJSONSchemaV1['~standard']>;
  const convert = standard.jsonSchema?.input;
  if (typeof convert !== 'function') return refuse(withoutProjection(standard.vendor));
  try {
    const made = convert({ target, libraryOptions: optionsFor(standard.vendor) });
    const copy = jsonCopy(made);
    if (!isJsonObject(copy)) return refuse('its JSON Schema is not an object');
    // A zod file is shown as a string, which it never is.
    return JSON.stringify(copy).includes('"contentEncoding":"binary"')
      ? refuse('a value has no JSON form: a file cannot be written as JSON')
      : pass(copy);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : 'its JSON Schema cannot be made';
    const fields = standard.vendor === 'zod' ? unrepresentable(convert) : [];
    const where = fields.length > 0 ? ` (${fields.join(', ')})` : '';
    return refuse(
      `a value has no JSON form${where}: ${reason}. Describe it as the model writes it`,
    );
  }
}

function withoutProjection(vendor: string): string {
  const mend =
    vendor === 'valibot'
      ? 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema'
      : vendor === 'zod'
        ? 'use zod 4.2 or newer'
        : 'use a library with Standard JSON Schema, or a plain JSON Schema';
  return `the ${vendor} schema has no JSON Schema projection; ${mend}`;
}

/**
 * arktype leaves a value without a JSON form open (`{}`) unless it is told otherwise. What it adds
 * in code (predicates, morphs) is left to its own validation, which runs afterwards.
 */
function optionsFor(vendor: string): Record<string, unknown> {
  if (vendor !== 'arktype') return {};
  const refused = (kind: string) => (): never => {
    throw new TypeError(`a ${kind} cannot be represented in JSON Schema`);
  };
  return {
    fallback: {
      date: refused('Date'),
      domain: refused('bigint or symbol'),
      proto: refused('class instance'),
      symbolKey: refused('symbol key'),
      arrayObject: refused('list with properties'),
    },
  };
}

/** The places whose values zod cannot represent, as `when`, `items.at`. */
function unrepresentable(convert: StandardJSONSchemaV1.Converter['input']): readonly string[] {
  const places: string[] = [];
  const override = (at: {
    zodSchema: { _zod?: { def?: { type?: string } } };
    jsonSchema: object;
    path: readonly (string | number)[];
  }): void => {
    const type = at.zodSchema._zod?.def?.type ?? '';
    const isEmpty = Object.keys(at.jsonSchema).length === 0;
    if (isEmpty && type !== 'any' && type !== 'unknown') places.push(placeName(at.path));
  };
  try {
    convert({ target, libraryOptions: { unrepresentable: 'any', override } });
  } catch {
    return [];
  }
  return places;
}

function placeName(path: readonly (string | number)[]): string {
  return path.filter((step) => step !== 'properties').join('.');
}
