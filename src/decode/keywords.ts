import type { JsonValue } from '../call/json.ts';
import { isJsonObject } from './json-copy.ts';

/**
 * What a keyword's schemas describe: `child`, a value inside the one at hand; `part`, the same value,
 * from another side; `probe`, a value that is only tried on; `definition`, whatever refers to it.
 */
export type Role = 'child' | 'part' | 'probe' | 'definition';

/** A keyword that holds schemas: one, a list of them, a map of them, or (draft-07's `items`) one or a list. */
export interface Applicator {
  readonly role: Role;
  readonly holds: 'one' | 'list' | 'map' | 'one or list';
}

/** The keywords that hold schemas, of drafts 2020-12 and 07. */
export const applicators: Readonly<Record<string, Applicator>> = {
  properties: { role: 'child', holds: 'map' },
  patternProperties: { role: 'child', holds: 'map' },
  additionalProperties: { role: 'child', holds: 'one' },
  unevaluatedProperties: { role: 'child', holds: 'one' },
  propertyNames: { role: 'probe', holds: 'one' },
  items: { role: 'child', holds: 'one or list' },
  prefixItems: { role: 'child', holds: 'list' },
  additionalItems: { role: 'child', holds: 'one' },
  unevaluatedItems: { role: 'child', holds: 'one' },
  contains: { role: 'probe', holds: 'one' },
  allOf: { role: 'part', holds: 'list' },
  anyOf: { role: 'part', holds: 'list' },
  oneOf: { role: 'part', holds: 'list' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { role: 'part', holds: 'one' },
  else: { role: 'part', holds: 'one' },
  if: { role: 'probe', holds: 'one' },
  not: { role: 'probe', holds: 'one' },
  dependentSchemas: { role: 'part', holds: 'map' },
  $defs: { role: 'definition', holds: 'map' },
  definitions: { role: 'definition', holds: 'map' },
};

/** Keywords that say something about values and hold no schemas, with what their own value must be. */
export const assertions: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  type: (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: () => true,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  maximum: isNumber,
  exclusiveMaximum: isNumber,
  minimum: isNumber,
  exclusiveMinimum: isNumber,
  maxLength: isCount,
  minLength: isCount,
  pattern: isString,
  format: isString,
  maxItems: isCount,
  minItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  maxContains: isCount,
  minContains: isCount,
  maxProperties: isCount,
  minProperties: isCount,
  required: isNames,
  dependentRequired: (value) => isJsonObject(value) && Object.values(value).every(isNames),
  dependencies: isJsonObject,
  $ref: isString,
};

/** Keywords that change nothing of what is valid. */
export const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** Keywords of other drafts and dialects that change what is valid, and that nothing here would enforce. */
export const unsupported: ReadonlySet<string> = new Set([
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'nullable',
  'propertyDependencies',
  'extends',
  'disallow',
  'divisibleBy',
  'formatMinimum',
  'formatMaximum',
  'formatExclusiveMinimum',
  'formatExclusiveMaximum',
  'instanceof',
  'typeof',
  'range',
  'exclusiveRange',
  'regexp',
  'patternRequired',
  'prohibited',
  'anyRequired',
  'oneRequired',
  'allRequired',
  'deepProperties',
  'deepRequired',
  'uniqueItemProperties',
  'select',
  'selectCases',
  'selectDefault',
]);

function isType(value: JsonValue): boolean {
  return (
    value === 'object' ||
    value === 'array' ||
    value === 'string' ||
    value === 'number' ||
    value === 'integer' ||
    value === 'boolean' ||
    value === 'null'
  );
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number';
}

function isCount(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isString(value: JsonValue): boolean {
  return typeof value === 'string';
}

function isNames(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isString);
}
