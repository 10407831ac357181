import type { JsonObject, JsonValue } from '../call/json.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { Defect } from '../call/tool-error.ts';
import { char, isBlank } from './char.ts';
import { diagnose } from './diagnose.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { hidesKeys, scan } from './scan.ts';

/** One or more defects. */
export type Defects = readonly [Defect, ...Defect[]];

/**
 * Parses a text that is exactly one JSON object (RFC 8259) and in which nothing is hidden: no key
 * twice, no number that a double would change, no half character, no key that reaches a prototype.
 * Names every defect it can find, in the order of the text. Repairs nothing and never throws.
 */
export function parseStrict(
  text: unknown,
  limits: Limits = defaultLimits,
): Step<JsonObject, Defects> {
  if (typeof text !== 'string') return refuse([notText(text)]);
  if (text.length > limits.maxLength) {
    const { length } = text;
    return refuse([{ code: 'arguments_too_large', length, limit: limits.maxLength }]);
  }
  const value = parseClean(text, limits.maxDepth);
  return value === undefined ? refuse(defectsOf(text, limits.maxDepth)) : pass(value);
}

/** The object, where the text is one and hides nothing. */
function parseClean(text: string, maxDepth: number): JsonObject | undefined {
  // A text that was cut off is not worth the scan; diagnosing reads it anyway.
  if (!endsWithBrace(text)) return undefined;
  const scanned = scan(text, maxDepth);
  if (!scanned.clean) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return hidesKeys(value, scanned.members) ? undefined : (value as JsonObject);
}

function endsWithBrace(text: string): boolean {
  let last = text.length - 1;
  while (last >= 0 && isBlank(text.charCodeAt(last))) last--;
  return text.charCodeAt(last) === char.closeBrace;
}

function defectsOf(text: string, maxDepth: number): Defects {
  const [first, ...others] = diagnose(text, maxDepth);
  return [first ?? unexplained, ...others];
}

/** Should `scan` ever suspect what `diagnose` finds clean, the text is refused all the same. */
const unexplained: Defect = {
  code: 'invalid_json',
  problem: 'syntax',
  detail: 'not one JSON object',
  line: 1,
  column: 1,
};

function notText(value: unknown): Defect {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  const detail = `${kind} instead of text`;
  return { code: 'invalid_json', problem: 'not_text', detail, line: 1, column: 1 };
}
