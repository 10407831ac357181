import { pass, refuse, type Step } from '../call/step.ts';

/**
 * Compiles a schema's pattern: with Unicode, as JSON Schema asks for (2020-12, section 6.4), or, where
 * it is only valid without, as it was meant.
 */
export function compilePattern(pattern: string): Step<RegExp, string> {
  try {
    return pass(new RegExp(pattern, 'u'));
  } catch {
    try {
      return pass(new RegExp(pattern));
    } catch {
      return refuse('it is no regular expression');
    }
  }
}
