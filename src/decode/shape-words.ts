import type { JsonObject, JsonValue } from '../call/json.ts';
import { knownFormats } from './formats.ts';
import { isJsonObject } from './json-copy.ts';
import { dereference } from './schema-tree.ts';

const mostMembers = 12;
const mostProperties = 6;
const longestPattern = 80;
const longestWords = 200;

/** What a schema asks for, in a few words for a model: `an integer of at least 1`, `a list of strings`. */
export function expectedWords(root: JsonObject, schema: JsonValue | undefined): string {
  return shortened(wordsOf(root, schema, 0), longestWords);
}

/** A text cut to a length, with an ellipsis where something is gone; pairs of surrogates stay whole. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 2)) ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}

function wordsOf(root: JsonObject, at: JsonValue | undefined, depth: number): string {
  const schema = dereference(root, at);
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema) || depth > 3) return 'a value';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return enumWords(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && schema.properties === undefined) {
    return joined(branches.map((branch) => wordsOf(root, branch, depth + 1)));
  }
  const types = Array.isArray(schema.type) ? schema.type : [typeOf(root, schema)];
  return joined(types.map((type) => typeWords(root, schema, String(type), depth)));
}

/** The type, also where only the keywords that go with it say so. */
function typeOf(root: JsonObject, schema: JsonObject): JsonValue {
  if (schema.type !== undefined) return schema.type;
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.pattern !== undefined || schema.format !== undefined) return 'string';
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  for (const part of parts) {
    const inner = dereference(root, part);
    if (isJsonObject(inner) && inner.type !== undefined) return inner.type;
  }
  return 'value';
}

function typeWords(root: JsonObject, schema: JsonObject, type: string, depth: number): string {
  switch (type) {
    case 'string':
      return stringWords(schema);
    case 'integer':
      return `an integer${numberWords(schema)}`;
    case 'number':
      return `a number${numberWords(schema)}`;
    case 'boolean':
      return 'a boolean, true or false';
    case 'array':
      return listWords(root, schema, depth);
    case 'object':
      return objectWords(schema);
    case 'null':
      return 'null';
    default:
      return 'a value';
  }
}

function stringWords(schema: JsonObject): string {
  const format = typeof schema.format === 'string' ? knownFormats.get(schema.format) : undefined;
  if (format !== undefined) return format;
  if (schema.contentEncoding !== undefined) return `a string in ${schema.contentEncoding}`;
  const length = countWords(schema.minLength, schema.maxLength, 'character');
  const sized = length === '' ? 'a string' : `a string of ${length}`;
  return typeof schema.pattern === 'string'
    ? `${sized} matching ${shortened(schema.pattern, longestPattern)}`
    : sized;
}

function numberWords(schema: JsonObject): string {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const minimum = isTelling(schema.minimum) ? schema.minimum : undefined;
  const maximum = isTelling(schema.maximum) ? schema.maximum : undefined;
  const bounds = [];
  if (minimum !== undefined && maximum !== undefined) bounds.push(`from ${minimum} to ${maximum}`);
  else if (minimum !== undefined) bounds.push(`of at least ${minimum}`);
  else if (maximum !== undefined) bounds.push(`of at most ${maximum}`);
  if (isTelling(exclusiveMinimum)) bounds.push(`greater than ${exclusiveMinimum}`);
  if (isTelling(exclusiveMaximum)) bounds.push(`less than ${exclusiveMaximum}`);
  if (multipleOf !== undefined) bounds.push(`that is a multiple of ${multipleOf}`);
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

/** The bounds of a safe integer, which libraries write for `integer`, tell a model nothing. */
function isTelling(bound: JsonValue | undefined): boolean {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function listWords(root: JsonObject, schema: JsonObject, depth: number): string {
  const count = countWords(schema.minItems, schema.maxItems, '');
  const sized = count === '' ? 'a list' : `a list of ${count}`;
  const contained =
    schema.contains === undefined ? undefined : wordsOf(root, schema.contains, depth + 1);
  const holding = contained === undefined ? '' : ` that holds ${contained}`;
  const distinct = `${schema.uniqueItems === true ? ', no two the same' : ''}${holding}`;
  if (schema.prefixItems !== undefined) return `${sized} of fixed values${distinct}`;
  const items = itemWords(root, schema.items, depth);
  if (items === '') return `${sized}${count === '' ? '' : ' values'}${distinct}`;
  return `${sized}${count === '' ? ' of' : ''} ${items}${distinct}`;
}

/** `strings`, `integers`, `objects with sku, quantity`; nothing where the items may be anything. */
function itemWords(root: JsonObject, items: JsonValue | undefined, depth: number): string {
  const schema = dereference(root, items);
  if (!isJsonObject(schema)) return '';
  const words = wordsOf(root, schema, depth + 1);
  if (words === 'a value') return '';
  const several = /^an? (string|integer|number|object|UUID)( .*)?$/.exec(words);
  if (several !== null) return `${several[1]}s${several[2] ?? ''}`;
  if (words.startsWith('a boolean')) return 'booleans';
  if (words.startsWith('a list')) return `lists${words.slice('a list'.length)}`;
  return `values, each ${words}`;
}

function objectWords(schema: JsonObject): string {
  const names = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const count = countWords(schema.minProperties, schema.maxProperties, 'property');
  if (names.length === 0) return count === '' ? 'an object' : `an object of ${count}`;
  const shown = names.slice(0, mostProperties).join(', ');
  return `an object with ${shown}${names.length > mostProperties ? ', …' : ''}`;
}

function enumWords(members: readonly JsonValue[]): string {
  if (members.length === 1) return JSON.stringify(members[0]);
  const shown = members.slice(0, mostMembers).map((member) => JSON.stringify(member));
  return `one of ${shown.join(', ')}${members.length > mostMembers ? ', …' : ''}`;
}

/** `at least 1 character`, `1 to 3`, `exactly 2`. */
function countWords(
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  unit: string,
): string {
  const counted = (count: JsonValue): string =>
    unit === '' ? `${count}` : `${count} ${count === 1 ? unit : plural(unit)}`;
  if (least !== undefined && least === most) return `exactly ${counted(least)}`;
  if (least !== undefined && most !== undefined) return `${least} to ${counted(most)}`;
  if (least !== undefined && least !== 0) return `at least ${counted(least)}`;
  return most === undefined ? '' : `at most ${counted(most)}`;
}

function plural(unit: string): string {
  return unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`;
}

/** `X, Y or Z`, with constants gathered: `one of "a", "b" or null`. */
function joined(alternatives: readonly string[]): string {
  const distinct = [...new Set(alternatives)];
  const last = distinct.pop() ?? 'a value';
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`;
}

const longestUnwrapped = 100_000;

/** What came, in a few words: `an integer`, `null`, `a string holding a list` where that was meant. */
export function actualWords(value: JsonValue): string {
  if (typeof value !== 'string') return kindWords(value);
  if (value === '') return 'an empty string';
  const held = heldIn(value);
  return held === undefined || typeof held === 'string'
    ? 'a string'
    : `a string holding ${kindWords(held)}`;
}

function kindWords(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether a value is of a type that a schema takes; where it names none, any is. */
export function typeFits(schema: JsonObject, value: JsonValue): boolean {
  const { type } = schema;
  if (type === undefined) return true;
  return Array.isArray(type) ? type.some((each) => isOfType(value, each)) : isOfType(value, type);
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isJsonObject(value);
  return typeof value === type;
}

/** The value that a string is the JSON text of; Python's words for true, false and nothing count. */
function heldIn(text: string): JsonValue | undefined {
  if (text.length > longestUnwrapped) return undefined;
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null' || word === 'none') return null;
  if (!/^[-[{0-9]/.test(word)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
