import type { JsonValue } from './json.ts';

/** Why a text is not one JSON object. */
export type JsonProblem =
  | 'blank'
  | 'truncated'
  | 'fenced'
  | 'commented'
  | 'concatenated'
  | 'trailing_text'
  | 'not_an_object'
  | 'not_text'
  | 'syntax';

/** One thing that is wrong with a tool call. `path` is a JSON Pointer (RFC 6901) into the arguments. */
export type Defect =
  | {
      readonly code: 'unknown_tool';
      readonly name: string;
      readonly allowed: readonly string[];
      readonly nearest?: string;
    }
  | {
      readonly code: 'invalid_json';
      readonly problem: JsonProblem;
      /** What stands at that place, in words. */
      readonly detail: string;
      /** Line and column count from 1; columns in UTF-16 units. */
      readonly line: number;
      readonly column: number;
    }
  | { readonly code: 'arguments_too_large'; readonly length: number; readonly limit: number }
  | { readonly code: 'arguments_too_deep'; readonly path: string; readonly limit: number }
  | { readonly code: 'duplicate_key'; readonly path: string; readonly parameterName: string }
  | { readonly code: 'forbidden_key'; readonly path: string; readonly parameterName: string }
  | { readonly code: 'invalid_unicode'; readonly path: string; readonly parameterName: string }
  | {
      readonly code: 'unsafe_number';
      readonly path: string;
      readonly parameterName: string;
      /** The number as it was written. */
      readonly received: string;
      readonly problem: 'too_large' | 'overflow' | 'underflow' | 'rounded';
    }
  | {
      readonly code: 'missing_argument';
      readonly path: string;
      readonly parameterName: string;
      /** A short human shape, such as `an integer` or `a date, yyyy-MM-dd`. */
      readonly expectedShape: string;
    }
  | {
      readonly code: 'invalid_argument_shape';
      readonly path: string;
      readonly parameterName: string;
      readonly expectedShape: string;
      /** `null`, `a string`, `an object`, … */
      readonly actualShape: string;
      readonly received: JsonValue;
      /** The allowed value that is nearest to what came. */
      readonly nearest?: JsonValue;
    }
  | {
      readonly code: 'unexpected_argument';
      readonly path: string;
      readonly parameterName: string;
      readonly received: JsonValue;
      readonly nearest?: string;
    }
  | {
      readonly code: 'invalid_arguments';
      readonly path: string;
      readonly parameterName?: string;
      /** The rule's own message, written by the tool's author for the model. */
      readonly detail: string;
    };

/** What is wrong with a tool call: every defect that was found, the first one naming the error. */
export interface ToolError {
  readonly code: Defect['code'];
  /** The name that was asked for. */
  readonly tool: string;
  /** The text of the arguments as it came. */
  readonly received: string;
  readonly defects: readonly [Defect, ...Defect[]];
}
