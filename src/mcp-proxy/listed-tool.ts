import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { ProxyConfig, ToolRule } from './config.ts';

/** A tool as a server lists it (MCP, `tools/list`), as far as the proxy reads it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly hasOutputSchema: boolean;
  readonly readOnlyHint: boolean | undefined;
  readonly idempotentHint: boolean;
}

/** Reads one item of a list; undefined where it has no name. */
export function listedTool(item: JsonValue): ListedTool | undefined {
  if (!isJsonObject(item) || typeof item.name !== 'string') return undefined;
  const { name, description, inputSchema, outputSchema } = item;
  const hints = isJsonObject(item.annotations) ? item.annotations : {};
  return {
    name,
    description: typeof description === 'string' ? description : '',
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    hasOutputSchema: isJsonObject(outputSchema),
    readOnlyHint: typeof hints.readOnlyHint === 'boolean' ? hints.readOnlyHint : undefined,
    idempotentHint: hints.idempotentHint === true,
  };
}

/** What holds for one tool: its own rule, the defaults of the file, the server's hints. */
export interface ToolTerms extends ToolRule {
  readonly effect: 'read' | 'write';
  readonly idempotent: boolean;
}

/** Reads and writes by the rule, then the server's hint, then the names; else it is a write. */
export function termsOf(listed: ListedTool, config: ProxyConfig): ToolTerms {
  const { timeoutMs, replayMs, errorMeans, extraArguments } = config;
  const own = config.tools !== undefined && Object.hasOwn(config.tools, listed.name);
  const rule: ToolRule = (own && config.tools?.[listed.name]) || {};
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(replayMs === undefined ? {} : { replayMs }),
    ...(errorMeans === undefined ? {} : { errorMeans }),
    ...(extraArguments === undefined ? {} : { extraArguments }),
    ...rule,
    effect: rule.effect ?? hintedEffect(listed, config),
    idempotent: rule.idempotent ?? listed.idempotentHint,
  };
}

function hintedEffect({ name, readOnlyHint }: ListedTool, config: ProxyConfig): 'read' | 'write' {
  if (readOnlyHint !== undefined) return readOnlyHint ? 'read' : 'write';
  return config.reads?.some((pattern) => isMatch(pattern, name)) ? 'read' : 'write';
}

/** `*` stands for any text. */
function isMatch(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}
