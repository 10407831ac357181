import type { JsonObject, JsonValue } from '../call/json.ts';
import type { Result } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import { declaredSchema } from '../decode/schema-tree.ts';
import { membersOf } from './json-members.ts';
import type { Form } from './mcp-request.ts';

/** A question to the user, and the argument that the answer becomes. */
export interface Question {
  readonly parameterName: string;
  readonly form: Form;
}

/** What a result asks of the user, where a form of MCP can ask it. */
export function questionIn(result: Result, tool: AnyTool | undefined): Question | undefined {
  if (result.outcome !== 'failed' || result.clarification === undefined) return undefined;
  const { question, parameterName } = result.clarification;
  const schema = tool && declaredSchema(tool.parameters, tool.parameters, parameterName);
  const field = isJsonObject(schema) ? fieldOf(schema) : undefined;
  if (field === undefined) return undefined;
  const requestedSchema: JsonObject = {
    type: 'object',
    properties: { [parameterName]: field },
    required: [parameterName],
  };
  return { parameterName, form: { message: question, requestedSchema } };
}

/** Forms have flat fields with few keywords (MCP, elicitation); decode holds the answer to all the others. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'enum'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
};

const formats: readonly JsonValue[] = ['email', 'uri', 'date', 'date-time'];

function fieldOf(schema: JsonObject): JsonObject | undefined {
  const { type, format } = schema;
  const allowed = typeof type === 'string' ? keywords[type] : undefined;
  if (allowed === undefined || type === undefined) return undefined;
  const kept = ['title', 'description', ...allowed].flatMap((name) => {
    const value = schema[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const said =
    type === 'string' && formats.includes(format ?? null) ? { format: format ?? null } : {};
  return { type, ...Object.fromEntries(kept), ...said };
}

/** The text of the arguments with one of them set; the others stay as they are written. */
export function withArgument(text: string, name: string, value: unknown): string | undefined {
  const start = text.indexOf('{');
  const { list, end } = membersOf(text, start);
  const written = JSON.stringify(value);
  if (end === undefined || written === undefined) return undefined;
  const present = list.find(({ key }) => key === name);
  if (present !== undefined) {
    return `${text.slice(0, present.start)}${written}${text.slice(present.end)}`;
  }
  const member = `${JSON.stringify(name)}:${written}${list.length === 0 ? '' : ','}`;
  return `${text.slice(0, start + 1)}${member}${text.slice(start + 1)}`;
}
