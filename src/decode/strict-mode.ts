import type { JsonObject, JsonValue } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { isJsonObject } from './json-copy.ts';
import { limitsFrom } from './limits.ts';
import { resolveRef } from './schema-tree.ts';
import { parseStrict } from './strict-json.ts';
import { compileSchema, type Fits, type Validator } from './validator.ts';

/** A schema of arguments as OpenAI's strict mode takes it, and the way back. */
export interface StrictMode {
  /** Every property is required; one that may be left out may be null instead. */
  readonly schema: JsonObject;
  /** The text by the tool's own schema: without the nulls that only say that something is left out. */
  restore(text: string): string;
}

/**
 * Projects the schema of a tool's arguments to the part of JSON Schema that OpenAI's strict mode takes
 * ("Structured model outputs", supported schemas), or says what in it has no such form. Keywords that
 * only narrow a value move to its description; they are enforced all the same.
 */
export function strictMode(parameters: JsonObject): Step<StrictMode, string> {
  const own = compileSchema(parameters);
  if (!own.ok) return own;
  try {
    const projecting = new Projecting(own.value);
    const schema = projecting.top(parameters);
    const strict = compileSchema(schema);
    if (!strict.ok) return strict;
    const way: WayBack = { root: schema, added: projecting.added };
    return pass({ schema, restore: (text) => restored(text, strict.value, way) });
  } catch (error) {
    if (error instanceof NoStrictForm) return refuse(error.message);
    throw error;
  }
}

class NoStrictForm extends Error {}

/** What the mode takes as it is. */
const taken: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'description', 'title', '$ref', 'pattern'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems'],
]);

/** What only narrows or describes, and is said in words. */
const told: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['default', 'examples', 'format'],
]);

const silent: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', 'deprecated', 'readOnly', 'writeOnly'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
]);

const formats: ReadonlySet<JsonValue> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);

class Projecting {
  /** The schemas that null was added to. */
  readonly added: Set<JsonObject> = new Set();
  readonly #own: Validator;

  constructor(own: Validator) {
    this.#own = own;
  }

  top(schema: JsonObject): JsonObject {
    if (schema.type !== 'object' || schema.anyOf !== undefined || schema.oneOf !== undefined) {
      throw new NoStrictForm('its arguments are a choice between objects');
    }
    return this.#schema(schema);
  }

  #schema(schema: JsonValue): JsonObject {
    if (!isJsonObject(schema)) throw new NoStrictForm('it takes any value somewhere');
    const made: Record<string, JsonValue> = {};
    const words: Record<string, JsonValue> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (taken.has(keyword) || (keyword === 'format' && formats.has(value))) made[keyword] = value;
      else if (told.has(keyword)) words[keyword] = value;
      else if (!silent.has(keyword)) Object.assign(made, this.#holding(keyword, value, schema));
    }
    checkReference(schema);
    if (schema.type === 'object' && schema.properties === undefined) throw noMap();
    if (
      !['type', 'anyOf', 'enum', 'const', '$ref'].some((keyword) => made[keyword] !== undefined)
    ) {
      throw new NoStrictForm('it takes any value somewhere');
    }
    const { description } = schema;
    const said = [description, Object.keys(words).length === 0 ? undefined : JSON.stringify(words)];
    const text = said.filter((part) => part !== undefined).join(' ');
    return text === '' ? made : { ...made, description: text };
  }

  /** A keyword that holds schemas, or one that says which properties there are. */
  #holding(keyword: string, value: JsonValue, schema: JsonObject): JsonObject {
    switch (keyword) {
      case 'properties':
        return this.#properties(schema, value as JsonObject);
      case 'required':
        return {};
      case 'additionalProperties':
        if (value === false) return { additionalProperties: false };
        throw noMap();
      case 'items':
        return { items: this.#schema(value) };
      case 'anyOf':
      case 'oneOf':
        return { anyOf: (value as readonly JsonValue[]).map((branch) => this.#schema(branch)) };
      case '$defs':
        return { $defs: mapped(value as JsonObject, (definition) => this.#schema(definition)) };
      default:
        throw new NoStrictForm(`strict mode has no ${keyword}`);
    }
  }

  #properties({ required = [] }: JsonObject, properties: JsonObject): JsonObject {
    const needed = required as readonly string[];
    return {
      properties: mapped(properties, (property, name) =>
        needed.includes(name) ? this.#schema(property) : this.#nullable(property),
      ),
      required: Object.keys(properties),
      additionalProperties: false,
    };
  }

  #nullable(property: JsonValue): JsonObject {
    const strict = this.#schema(property);
    if (this.#own.lookInto((fits) => fits(property as JsonObject, null)) !== false) return strict;
    const either = { anyOf: [strict, { type: 'null' }] };
    this.added.add(either);
    return either;
  }
}

function mapped(
  held: JsonObject,
  change: (schema: JsonValue, name: string) => JsonObject,
): JsonObject {
  return Object.fromEntries(Object.entries(held).map(([name, one]) => [name, change(one, name)]));
}

function noMap(): NoStrictForm {
  return new NoStrictForm('it has an object whose properties are not all named');
}

/** Other places than definitions move when null is added. */
function checkReference({ $ref }: JsonObject): void {
  if ($ref === undefined || $ref === '#' || /^#\/\$defs\/[^/]+$/.test(String($ref))) return;
  throw new NoStrictForm(`it refers to ${$ref}, which is neither # nor a definition`);
}

interface WayBack {
  readonly root: JsonObject;
  readonly added: ReadonlySet<JsonObject>;
}

/** What is no JSON object by the strict rules is left as it is, for decoding to name its defects. */
function restored(text: string, strict: Validator, way: WayBack): string {
  const parsed = parseStrict(text, limitsFrom(undefined));
  if (!parsed.ok) return text;
  const value = strict.lookInto((fits) => back(parsed.value, way.root, way, fits));
  return value === undefined ? text : JSON.stringify(value);
}

function back(value: JsonValue, node: JsonObject, way: WayBack, fits: Fits): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const schema = chosen(value, node, way, fits);
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return isJsonObject(items) ? value.map((item) => back(item, items, way, fits)) : value;
  }
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const kept = Object.entries(value).flatMap(([name, held]): [string, JsonValue][] => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(inner)) return [[name, held]];
    return held === null && way.added.has(inner) ? [] : [[name, back(held, inner, way, fits)]];
  });
  return Object.fromEntries(kept);
}

/** The schema that says what is inside a value: what is referred to, the branch that it fits. */
function chosen(
  value: JsonValue,
  node: JsonObject,
  { root }: WayBack,
  fits: Fits,
): JsonObject | undefined {
  let at: JsonValue | undefined = node;
  for (let hops = 0; hops < 100 && isJsonObject(at); hops += 1) {
    if (typeof at.$ref === 'string') at = resolveRef(root, at.$ref);
    else if (Array.isArray(at.anyOf)) {
      const branches: readonly JsonObject[] = at.anyOf;
      at = branches.find((branch) => fits(branch, value));
    } else return at;
  }
  return undefined;
}
