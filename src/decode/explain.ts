import type { JsonObject, JsonValue } from '../call/json.ts';
import { type Clarification, defaultActions, type FailedResult, failed } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Defect, ToolError } from '../call/tool-error.ts';
import { isJsonObject } from './json-copy.ts';
import { declaredSchema } from './schema-tree.ts';
import { shortened } from './shape-words.ts';
import { actionOf, sentenceOf } from './words.ts';

/** How much of what was received is told back, in UTF-16 units. */
const longestReceived = 200;
const longestName = 100;
const longestSummary = 400;
const longestHint = 120;
/** How many names of tools are told. */
const mostNames = 50;
/** How many defects a result tells one by one. */
const mostDefects = 8;

type Missing = Defect & { readonly code: 'missing_argument' };

/**
 * The result that a model recovers from: what was expected, what came, and exactly what to do next.
 * Only a missing argument that the tool lists in `askUser` asks the user.
 */
export function explain(error: ToolError, tool: AnyTool | undefined): FailedResult {
  const defects = error.defects.slice(0, mostDefects);
  const [first] = error.defects;
  const clarification = clarificationOf(error, tool);
  const hidden = error.defects.length - 1;
  const more =
    hidden === 0 ? '' : ` ${hidden === 1 ? 'One more problem' : `${hidden} more problems`}.`;
  return failed(error.code, shortened(sentenceOf(first, error.tool), longestSummary) + more, {
    nextActions: actionsOf(defects, error, tool),
    outputs: {
      toolName: shortened(error.tool, longestName),
      ...factsOf(first),
      ...(defects.length > 1 ? { defects: defects.map(compact) } : {}),
    },
    ...(clarification ? { clarification } : {}),
  });
}

/** Codes whose actions say themselves what to send next. */
const saysItAll: ReadonlySet<string> = new Set(['unknown_tool', 'invalid_json']);

/** What to do for each defect, what only the user can say first. */
function actionsOf(
  defects: readonly Defect[],
  error: ToolError,
  tool: AnyTool | undefined,
): readonly string[] {
  const asked = defects.filter((defect): defect is Missing => isForUser(defect, tool));
  const repaired = defects.filter((defect) => !isForUser(defect, tool));
  const actions = [
    ...asked.map((defect) => `Ask the user: ${questionFor(defect, tool)}`),
    ...repaired.map((defect) => actionOf(defect)),
  ];
  if (actions.length === 0) return defaultActions(error.code);
  const isRepairable = asked.length === 0 && !saysItAll.has(error.code);
  return isRepairable
    ? [...actions, `Then call ${shortened(error.tool, longestName)} again.`]
    : actions;
}

/** The first missing argument that only the user can supply. */
function clarificationOf(error: ToolError, tool: AnyTool | undefined): Clarification | undefined {
  const asked = error.defects.find((defect): defect is Missing => isForUser(defect, tool));
  return asked && { question: questionFor(asked, tool), parameterName: asked.parameterName };
}

function isForUser(defect: Defect, tool: AnyTool | undefined): defect is Missing {
  return (
    defect.code === 'missing_argument' &&
    tool?.spec.askUser?.includes(defect.parameterName) === true
  );
}

/** Names the parameter, and says what it is in the words of its own description where it has one. */
function questionFor({ parameterName, expectedShape }: Missing, tool: AnyTool | undefined): string {
  const schema = tool && declaredSchema(tool.parameters, tool.parameters, parameterName);
  const described = isJsonObject(schema) ? schema.description : undefined;
  const hint = typeof described === 'string' && described !== '' ? described : expectedShape;
  return `Which ${shortened(parameterName, longestName)} is meant? (${shortened(hint, longestHint)})`;
}

/** The facts of a defect for programs, each bounded. */
function factsOf(defect: Defect): JsonObject {
  const facts: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(defect)) {
    // The name that was asked for is told as `toolName`.
    if (name === 'code' || name === 'name') continue;
    facts[name] =
      name === 'received' ? receivedFact(value as JsonValue) : bounded(value as JsonValue);
  }
  return facts;
}

function compact(defect: Defect): JsonObject {
  const facts = factsOf(defect);
  const { code } = defect;
  const told: Record<string, JsonValue> = { code };
  for (const name of ['parameterName', 'expectedShape', 'actualShape', 'nearest', 'detail']) {
    if (facts[name] !== undefined) told[name] = facts[name];
  }
  return told;
}

/** What came, as it came where it is small, else the beginning of its text. */
function receivedFact(value: JsonValue): JsonValue {
  if (typeof value === 'string') return shortened(value, longestReceived);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= longestReceived ? value : shortened(text, longestReceived);
}

/** Any other fact: text is cut, and of a list of names the first ones are told. */
function bounded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return shortened(value, longestReceived);
  return Array.isArray(value) ? value.slice(0, mostNames) : value;
}
