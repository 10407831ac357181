import { didNotHappen, type Finding, happened, notKnownYet } from '../call/evidence.ts';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { canonicalize } from '../key/canonical-json.ts';
import type { Condition, ReconcileRule } from './config.ts';
import { contentText } from './content.ts';

/**
 * A text with `{name}` replaced by arguments; `{a.b}` walks into objects. A text that is nothing but
 * `{name}` becomes the value itself. What is not there becomes null, inside a text nothing.
 */
export function fillIn(template: JsonValue, args: JsonObject): JsonValue {
  if (typeof template === 'string') return fillInText(template, args);
  if (Array.isArray(template)) return template.map((item: JsonValue) => fillIn(item, args));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fillIn(value, args)]),
  );
}

const placeholder = /\{([^{}\s]+)\}/g;

function fillInText(template: string, args: JsonObject): JsonValue {
  const whole = /^\{([^{}\s]+)\}$/.exec(template)?.[1];
  if (whole !== undefined) return valueAt(args, whole.split('.')) ?? null;
  return fillInPath(template, args);
}

/** The same, always as text: what is no text stands in it as canonical JSON. */
export function fillInPath(template: string, args: JsonObject): string {
  return template.replaceAll(placeholder, (_, path: string) => {
    const value = valueAt(args, path.split('.'));
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : canonicalize(value);
  });
}

/** What a reading tool's answer (a CallToolResult) says of a write. */
export function findingOf(rule: ReconcileRule, answer: JsonObject, args: JsonObject): Finding {
  const holds = (conditions: readonly Condition[] = []): boolean =>
    conditions.length > 0 && conditions.every((condition) => isMet(condition, answer, args));
  const isHappened = holds(rule.happened);
  const isNot = holds(rule.didNotHappen);
  // An answer that says both says nothing, and neither does an error.
  if (isHappened === isNot || answer.isError === true) return notKnownYet();
  if (isNot) return didNotHappen();
  return happened({ confirmedBy: rule.tool, content: answer.content ?? [] });
}

function isMet(condition: Condition, answer: JsonObject, args: JsonObject): boolean {
  const value = valueAt(readable(answer), pointerSteps(condition.at));
  if (condition.exists !== undefined) return (value !== undefined) === condition.exists;
  if (value === undefined) return false;
  if (condition.equals !== undefined) return isSame(value, fillIn(condition.equals, args));
  return contains(value, fillIn(condition.contains ?? null, args));
}

/** The answer, beside what its text is and says as JSON. */
function readable(answer: JsonObject): JsonObject {
  const text = contentText(answer.content);
  let json: JsonValue = null;
  try {
    json = JSON.parse(text) as JsonValue;
  } catch {
    // Most texts say nothing as JSON.
  }
  return { ...answer, text, json };
}

function contains(value: JsonValue, wanted: JsonValue): boolean {
  if (typeof value === 'string') {
    return typeof wanted !== 'object' && wanted !== '' && value.includes(String(wanted));
  }
  return Array.isArray(value) && value.some((item: JsonValue) => has(item, wanted));
}

/** Whether an item is what is wanted, or an object with all its members. */
function has(item: JsonValue, wanted: JsonValue): boolean {
  if (!isObject(item) || !isObject(wanted)) return isSame(item, wanted);
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(item, name) && has(item[name] ?? null, value),
  );
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  return canonicalize(left) === canonicalize(right);
}

function pointerSteps(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a path; lists take numbers. */
function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as JsonObject)[step];
  }
  return value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
