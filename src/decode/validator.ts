import { Compile } from 'typebox/schema';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import { compilePattern } from './pattern.ts';
import { mapSubschemas } from './schema-tree.ts';

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
  isValid(value: JsonValue): boolean;
  /** Every keyword that the value breaks, those inside unions included. */
  violations(value: JsonValue): readonly Violation[];
}

/** Compiles a checked schema of draft 2020-12; where code may not be made from text, it is interpreted. */
export function compileSchema(schema: JsonObject): Step<Validator, string> {
  try {
    const compiled = Compile(withPatterns(schema));
    return pass({
      isValid: (value) => compiled.Check(value),
      violations: (value) => compiled.Errors(value)[1] as unknown as readonly Violation[],
    });
  } catch (error) {
    return refuse(
      `the schema cannot be compiled: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** The schema with its patterns as regular expressions, which the validator takes as they are. */
function withPatterns(schema: JsonObject): JsonObject {
  const inner = mapSubschemas(schema, withPatterns);
  const pattern = typeof schema.pattern === 'string' ? compilePattern(schema.pattern) : undefined;
  return pattern?.ok ? { ...inner, pattern: pattern.value as unknown as JsonObject } : inner;
}
