import type { JsonValue } from '../call/json.ts';
import type { Defect, JsonProblem } from '../call/tool-error.ts';
import { shortened } from './shape-words.ts';

const longestName = 60;
const longestValue = 60;
const mostNames = 30;

/** What is wrong, in one sentence for a model. */
export function sentenceOf(defect: Defect, tool: string): string {
  switch (defect.code) {
    case 'unknown_tool':
      return `There is no tool named ${name(defect.name)}.`;
    case 'invalid_json':
      return `The arguments are not one JSON object: ${jsonSentence(defect)}.`;
    case 'arguments_too_large':
      return `The arguments have ${defect.length} characters, and at most ${defect.limit} are taken.`;
    case 'arguments_too_deep':
      return `The arguments are nested more than ${defect.limit} levels deep.`;
    case 'duplicate_key':
      return `The argument ${name(defect.parameterName)} is given twice.`;
    case 'forbidden_key':
      return `The key ${name(defect.parameterName)} is not allowed in arguments.`;
    case 'invalid_unicode':
      return `The argument ${name(defect.parameterName)} has half a character in it (a lone surrogate).`;
    case 'unsafe_number':
      return `The number ${shortened(defect.received, longestValue)} of ${name(defect.parameterName)} cannot be held exactly: ${numberWords[defect.problem]}.`;
    case 'missing_argument':
      return `The argument ${name(defect.parameterName)} of ${name(tool)} is missing; expected ${defect.expectedShape}.`;
    case 'invalid_argument_shape':
      return `The argument ${name(defect.parameterName)} must be ${defect.expectedShape}; ${defect.actualShape} came${seen(defect.received)}.`;
    case 'unexpected_argument':
      return `${name(tool)} has no argument ${name(defect.parameterName)}.`;
    case 'invalid_arguments':
      return defect.parameterName === undefined
        ? defect.detail
        : `The argument ${name(defect.parameterName)} is not valid: ${defect.detail}`;
  }
}

/** What to do about it, in one sentence for a model. */
export function actionOf(defect: Defect): string {
  switch (defect.code) {
    case 'unknown_tool':
      return toolAction(defect);
    case 'invalid_json':
      return jsonActions[defect.problem];
    case 'arguments_too_large':
      return `Send at most ${defect.limit} characters of arguments in one call.`;
    case 'arguments_too_deep':
      return `Send arguments that are nested at most ${defect.limit} levels deep.`;
    case 'duplicate_key':
      return `Give ${name(defect.parameterName)} once, with the value that is meant.`;
    case 'forbidden_key':
      return `Leave out ${name(defect.parameterName)}.`;
    case 'invalid_unicode':
      return `Send ${name(defect.parameterName)} with whole characters.`;
    case 'unsafe_number':
      return `Send ${name(defect.parameterName)} as an exact number within ±9007199254740991, or as the tool describes it.`;
    case 'missing_argument':
      return `Give ${name(defect.parameterName)}: ${defect.expectedShape}.`;
    case 'invalid_argument_shape':
      return shapeAction(defect);
    case 'unexpected_argument':
      return defect.nearest === undefined
        ? `Leave out ${name(defect.parameterName)}.`
        : `Leave out ${name(defect.parameterName)}, or name it ${name(defect.nearest)} if that is meant.`;
    case 'invalid_arguments':
      return defect.parameterName === undefined
        ? 'Correct the arguments as the message says.'
        : `Correct ${name(defect.parameterName)} as the message says.`;
  }
}

function toolAction(defect: Defect & { readonly code: 'unknown_tool' }): string {
  if (defect.allowed.length === 0) return 'Answer without a tool: none is available here.';
  const shown = defect.allowed.slice(0, mostNames).join(', ');
  const list = `${shown}${defect.allowed.length > mostNames ? ', …' : ''}`;
  return defect.nearest === undefined
    ? `Use one of these tools: ${list}.`
    : `Use ${defect.nearest} if that is meant, or another of these tools: ${list}.`;
}

function shapeAction(defect: Defect & { readonly code: 'invalid_argument_shape' }): string {
  const target = name(defect.parameterName);
  const unquoted = defect.actualShape.startsWith('a string holding')
    ? ' Send the JSON value itself, not a string that holds it.'
    : '';
  const near =
    defect.nearest === undefined ? '' : ` The nearest allowed value is ${json(defect.nearest)}.`;
  return `Send ${target} as ${defect.expectedShape}.${unquoted}${near}`;
}

function jsonSentence(defect: Defect & { readonly code: 'invalid_json' }): string {
  const place = `line ${defect.line}, column ${defect.column}`;
  switch (defect.problem) {
    case 'blank':
      return 'the text is blank';
    case 'truncated':
      return `the text is cut off (${defect.detail})`;
    case 'fenced':
      return `a Markdown fence stands around it (${place})`;
    case 'commented':
      return `a comment stands in it (${place})`;
    case 'concatenated':
      return `a second object follows the first (${place})`;
    case 'trailing_text':
      return `other text follows the object (${place})`;
    case 'not_an_object':
      return `it is ${defect.detail}`;
    case 'not_text':
      return defect.detail;
    case 'syntax':
      return `${defect.detail} (${place})`;
  }
}

const jsonActions: Readonly<Record<JsonProblem, string>> = {
  blank: 'Send the arguments as one JSON object; {} if there are none.',
  truncated:
    'The message was cut off before its end. Send the whole call again, with fewer or shorter arguments.',
  fenced: 'Send the bare JSON object, without a Markdown fence.',
  commented: 'Send the JSON object without comments.',
  concatenated: 'Send one JSON object per call; make one call for each.',
  trailing_text: 'Send only the JSON object, with nothing after it.',
  not_an_object: 'Send one JSON object, with the arguments by name.',
  not_text: 'Send the arguments as the text of one JSON object.',
  syntax:
    'Correct the JSON: double quotes, no trailing commas, true, false and null in lower case.',
};

const numberWords = {
  too_large: 'integers are exact up to ±9007199254740991 only',
  overflow: 'it is too large',
  underflow: 'it is too close to zero',
  rounded: 'it would be rounded to an integer',
} as const;

function name(text: string): string {
  return `"${shortened(text, longestName)}"`;
}

function json(value: JsonValue): string {
  return shortened(JSON.stringify(value), longestValue);
}

/** What came, where it is short enough to be told in a sentence. */
function seen(value: JsonValue): string {
  if (value === null || value === '' || typeof value === 'object') return '';
  return ` (${json(value)})`;
}
