import { readFileSync } from 'node:fs';
import { failed } from '../call/result.ts';
import type { AnyTool, JsonSchema, Toolset } from '../call/tool.ts';
import { tool } from '../decode/define-tool.ts';
import { toolset } from '../decode/toolset.ts';
import { UsageError } from './command.ts';

/**
 * The tools of a file, to decode by: a list, or an object with a list under `tools`, as MCP, OpenAI and
 * Anthropic give them. Throws a UsageError that names the tool where one cannot be used.
 */
export function readTools(path: string): Toolset {
  const items = listIn(parse(path));
  if (items === undefined) {
    throw new UsageError(`${path} has no list of tools: an array, or { "tools": [...] }.`);
  }
  try {
    return toolset(items.map(toolFrom));
  } catch (cause) {
    throw new UsageError(`${path}: ${(cause as Error).message}`);
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UsageError(`Cannot read tools from ${path}: ${(cause as Error).message}`);
  }
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const list = isObject(value) ? value.tools : value;
  return Array.isArray(list) ? list : undefined;
}

/** OpenAI's chat form has all under `function`; the others differ in what they call the schema. */
function toolFrom(item: unknown, index: number): AnyTool {
  const place = `tool ${index + 1}`;
  if (!isObject(item)) throw new TypeError(`${place} is not an object`);
  const given = isObject(item.function) ? item.function : item;
  const { name, description } = given;
  if (typeof name !== 'string') throw new TypeError(`${place} has no name`);
  const input = given.inputSchema ?? given.input_schema ?? given.parameters ?? given.schema;
  if (!isObject(input) && !(input === undefined && item.type === 'function')) {
    throw new TypeError(
      `${JSON.stringify(name)} has no schema: inputSchema, input_schema, parameters or schema`,
    );
  }
  return tool({
    name,
    description: typeof description === 'string' ? description : '',
    input: input ?? takesNothing,
    effect: 'read',
    run: () => failed('tool_failed', 'Nothing runs here.'),
  });
}

/** What OpenAI takes a function without parameters for. */
const takesNothing: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
