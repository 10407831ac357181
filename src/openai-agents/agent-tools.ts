import { tool as agentTool, type FunctionTool, type RunContext } from '@openai/agents';
import { mustWait, runAsWritten } from '../adapter/as-written.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import type { JsonObject } from '../call/json.ts';
import { renderResult } from '../call/result.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { ShownTool } from '../runtime/runtime.ts';
import type { AgentsPort } from './port.ts';

/** A tool of the runtime as one of the SDK's. Its result is text, of which the SDK takes nothing away. */
export function ownTool(
  port: AgentsPort,
  shown: ShownTool,
  isAsked: boolean,
): FunctionTool<unknown, never, string> {
  const { name, description } = shown;
  const { parameters, strict } = port.offered.form(shown);
  const own = agentTool({
    name,
    description,
    parameters: parameters as never,
    strict: strict as false,
    execute: () => '',
    ...(isAsked
      ? {
          needsApproval: async (_: unknown, input: unknown, callId = '') =>
            mustWait(await port.joined(), { name, callId, input: objectOf(input) }),
        }
      : {}),
  });
  return {
    ...own,
    invoke: async (run, text, details) => {
      const joined = inRun(await port.joined(), run);
      const callId = details?.toolCall?.callId ?? '';
      if (joined.texts.find(callId) === undefined)
        joined.texts.keep(callId, port.offered.own(name, text));
      const call = { name, callId, input: parsed(text), signal: details?.signal };
      const result = renderResult(await runAsWritten(joined, call));
      port.results.set(callId, result);
      return result;
    },
  } as FunctionTool<unknown, never, string>;
}

/** The context of the run, where the host gave none of its own. */
function inRun(joined: ParsedJoined, { context }: RunContext<unknown>): ParsedJoined {
  const { options } = joined;
  return options.context === undefined && context !== undefined
    ? { ...joined, options: { ...options, context: context as never } }
    : joined;
}

function parsed(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
