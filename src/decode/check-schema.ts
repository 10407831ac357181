import type { JsonObject, JsonValue } from '../call/json.ts';
import { knownFormats } from './formats.ts';
import { isJsonObject } from './json-copy.ts';
import { annotations, applicators, assertions, unsupported } from './keywords.ts';
import { compilePattern, isSafeForNames } from './pattern.ts';
import { pointerOf } from './pointer.ts';
import { dereference, pointerOfRef, resolveRef, subschemas } from './schema-tree.ts';

/** What is wrong with a schema, and what in it is shown without being enforced. */
export interface SchemaReport {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const drafts =
  /^https?:\/\/json-schema\.org\/(?:draft\/(?:2020-12|2019-09)|draft-0[67])\/schema#?$/;

/** Whether a schema says that it is written in draft-07 or draft-06. */
function isOldDraft(schema: JsonObject): boolean {
  return typeof schema.$schema === 'string' && /draft-0[67]/.test(schema.$schema);
}

/**
 * Reads a whole JSON Schema for what cannot be enforced: keywords that change what is valid and have
 * no meaning here, keywords with a value that they cannot have, references that lead nowhere or in a
 * circle. What is merely unknown is a warning.
 */
export function checkSchema(root: JsonObject): SchemaReport {
  const check = new SchemaCheck(root);
  check.checkDialect();
  check.checkNode(root, []);
  return { problems: check.problems, warnings: check.warnings() };
}

class SchemaCheck {
  readonly problems: string[] = [];
  private readonly root: JsonObject;
  private readonly unknownKeywords = new Set<string>();
  private readonly unknownFormats = new Set<string>();

  constructor(root: JsonObject) {
    this.root = root;
  }

  checkDialect(): void {
    const { $schema } = this.root;
    if ($schema !== undefined && !(typeof $schema === 'string' && drafts.test($schema))) {
      this.problems.push(
        `$schema ${JSON.stringify($schema)} is not supported; use draft 2020-12 or draft-07`,
      );
    }
  }

  checkNode(node: JsonValue, place: readonly (string | number)[]): void {
    if (typeof node === 'boolean') return;
    if (!isJsonObject(node)) {
      this.report(place, 'is not a schema');
      return;
    }
    for (const [keyword, value] of Object.entries(node)) this.checkKeyword(keyword, value, place);
    this.checkReference(node, place);
    this.checkNames(node, place);
    if (node.unevaluatedProperties !== undefined && place.length > 0 && !this.excludesLists(node)) {
      this.report(place, 'has unevaluatedProperties and does not say type: object');
    }
    if (node.unevaluatedProperties !== undefined && /^(?:then|else)$/.test(`${place.at(-1)}`)) {
      this.report(place, 'has unevaluatedProperties of its own; put it beside the if');
    }
    if (place.length > 0 && node.$id !== undefined && JSON.stringify(node).includes('"$ref"')) {
      this.report(place, 'has an $id of its own, which changes what its references mean');
    }
    for (const inner of subschemas(node)) this.checkNode(inner.schema, [...place, ...inner.place]);
  }

  /** What is shown and not enforced, each kind in one sentence. */
  warnings(): readonly string[] {
    const keywords = [...this.unknownKeywords].join(', ');
    const formats = [...this.unknownFormats].join(', ');
    return [
      ...(keywords === '' ? [] : [`shown to the model and not enforced: keywords ${keywords}`]),
      ...(formats === '' ? [] : [`shown to the model and not enforced: formats ${formats}`]),
    ];
  }

  private checkKeyword(
    keyword: string,
    value: JsonValue,
    place: readonly (string | number)[],
  ): void {
    if (unsupported.has(keyword)) {
      this.report(place, `uses ${keyword}, which changes what is valid and is not supported`);
    } else if (Object.hasOwn(applicators, keyword)) {
      if (!holdsSchemas(applicators[keyword]?.holds, value)) {
        this.report(place, `has a malformed ${keyword}`);
      }
    } else if (Object.hasOwn(assertions, keyword)) {
      if (assertions[keyword]?.(value) !== true) this.report(place, `has a malformed ${keyword}`);
      else this.checkText(keyword, value, place);
    } else if (!annotations.has(keyword)) {
      this.unknownKeywords.add(keyword);
    }
    if (keyword === 'patternProperties' && isJsonObject(value)) {
      for (const pattern of Object.keys(value)) {
        if (!isSafeForNames(pattern)) {
          this.report(
            place,
            `has names matching ${pattern}, which is no simple regular expression`,
          );
        }
      }
    }
  }

  private checkText(keyword: string, value: JsonValue, place: readonly (string | number)[]): void {
    if (keyword === 'pattern') this.checkPattern(String(value), place);
    if (keyword === 'format' && !knownFormats.has(String(value))) {
      this.unknownFormats.add(String(value));
    }
  }

  private checkPattern(pattern: string, place: readonly (string | number)[]): void {
    const compiled = compilePattern(pattern);
    if (!compiled.ok) this.report(place, `has the pattern ${pattern}: ${compiled.error}`);
  }

  /** Whether no list fits, by what holds in any case. The validator would count its items too. */
  private excludesLists(node: JsonObject, depth = 0): boolean {
    const { $ref, allOf, type } = node;
    if (type !== undefined) return ![type].flat().includes('array');
    const target = typeof $ref === 'string' ? dereference(this.root, node) : undefined;
    const parts = [target, ...(Array.isArray(allOf) ? allOf : [])];
    return (
      depth < 20 && parts.some((part) => isJsonObject(part) && this.excludesLists(part, depth + 1))
    );
  }

  /** Every object has these by inheritance, so that they would be there without being sent. */
  private checkNames(node: JsonObject, place: readonly (string | number)[]): void {
    const { properties, required } = node;
    const names = [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...(Array.isArray(required) ? required.map(String) : []),
    ];
    const inherited = names.filter((name) => name !== 'constructor' && name in Object.prototype);
    if (inherited.length > 0) {
      this.report(place, `has a property named ${inherited[0]}, as every object has; rename it`);
    }
  }

  private checkReference(node: JsonObject, place: readonly (string | number)[]): void {
    const { $ref } = node;
    if (typeof $ref !== 'string') return;
    const target = pointerOfRef($ref) === undefined ? undefined : resolveRef(this.root, $ref);
    if (typeof target !== 'boolean' && !isJsonObject(target)) {
      this.report(place, `refers to ${$ref}, which is nowhere in this schema`);
    } else if (this.comesBack(node)) {
      this.report(place, `refers to ${$ref}, which leads back to itself`);
    }
    const silenced = Object.keys(node).filter(
      (keyword) => keyword !== '$ref' && isAsserting(keyword),
    );
    if (isOldDraft(this.root) && silenced.length > 0) {
      this.report(
        place,
        `has ${silenced.join(', ')} beside $ref, which draft-07 ignores; put the $ref into allOf`,
      );
    }
  }

  /** Whether a schema is reached again from itself without a step into the value. */
  private comesBack(start: JsonObject): boolean {
    const seen = new Set<JsonValue>();
    const open: JsonValue[] = this.sameValue(start);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node === start) return true;
      if (seen.has(node) || !isJsonObject(node)) continue;
      seen.add(node);
      open.push(...this.sameValue(node));
    }
    return false;
  }

  /** The schemas that hold for the same value as this one does. */
  private sameValue(node: JsonObject): JsonValue[] {
    const target = typeof node.$ref === 'string' ? resolveRef(this.root, node.$ref) : undefined;
    const parts = subschemas(node)
      .filter(({ role, place }) => role === 'part' || place[0] === 'if' || place[0] === 'not')
      .map(({ schema }) => schema);
    return target === undefined ? parts : [target, ...parts];
  }

  private report(place: readonly (string | number)[], what: string): void {
    this.problems.push(`${place.length === 0 ? 'the schema' : `#${pointerOf(place)}`} ${what}`);
  }
}

function isAsserting(keyword: string): boolean {
  if (keyword === '$defs' || keyword === 'definitions') return false;
  return Object.hasOwn(assertions, keyword) || Object.hasOwn(applicators, keyword);
}

function holdsSchemas(holds: string | undefined, value: JsonValue): boolean {
  const isSchema = isJsonObject(value) || typeof value === 'boolean';
  if (holds === 'one') return isSchema;
  if (holds === 'map') return isJsonObject(value);
  if (holds === 'list') return Array.isArray(value) && value.length > 0;
  return isSchema || Array.isArray(value);
}
