import { createTool, type Tool } from '@mastra/core/tools';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { runAsWritten } from '../adapter/as-written.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import type { Place } from '../adapter/place.ts';
import { warnOfLostText, warnOnce } from '../adapter/warn-once.ts';
import type { JsonObject } from '../call/json.ts';
import { type Result, renderResult } from '../call/result.ts';
import { decode } from '../decode/decode.ts';
import type { ShownTool } from '../runtime/runtime.ts';

/** A call as Mastra 1 tells it, beside its arguments. */
interface Around {
  readonly agent?: { readonly toolCallId?: string; readonly threadId?: string };
  readonly abortSignal?: AbortSignal;
  readonly toolCallId?: string;
}

/** A call as Mastra 0 tells it: the arguments are one of its fields. */
interface Enclosing {
  readonly context: JsonObject;
  readonly threadId?: string;
}

/** Each shown tool as one of Mastra's; none of them throws, so that Mastra has no words of its own. */
export function mastraTools(place: Place, context: unknown): Record<string, Tool> {
  const shown = place.runtime.tools(context as never);
  return Object.fromEntries(shown.map((tool) => [tool.name, mastraTool(place, tool)]));
}

function mastraTool(place: Place, { name, description, parameters }: ShownTool): Tool {
  const { needsApproval } = place;
  return createTool({
    id: name,
    description,
    inputSchema: uncheckedSchema(parameters) as never,
    // Schemas are shown as they are enforced, for each model alike.
    strict: false,
    execute: ((first: JsonObject, around: Around) => run(place, name, first, around)) as never,
    toModelOutput: (result: unknown) => ({ type: 'text', value: renderResult(result as Result) }),
    ...(needsApproval === undefined
      ? {}
      : {
          requireApproval: async (input: unknown) => {
            const call = { name, arguments: JSON.stringify(input) };
            const decoded = decode(place.runtime.toolset, call);
            return decoded.ok && (await needsApproval(decoded.value as never));
          },
        }),
  } as never) as unknown as Tool;
}

async function run(place: Place, name: string, first: JsonObject, around: Around): Promise<Result> {
  const enclosing = first as unknown as Enclosing;
  const isFirst = around.agent !== undefined;
  const input = isFirst ? first : enclosing.context;
  const joined: ParsedJoined = place.of(isFirst ? around.agent?.threadId : enclosing.threadId);
  const callId = (isFirst ? around.agent?.toolCallId : around.toolCallId) ?? '';
  if (!isFirst) warnOnce('mastra', unknownThrows);
  if (joined.texts.find(callId) === undefined)
    warnOfLostText('mastra', 'Use the model and the inputProcessors that forMastra returns.');
  return runAsWritten(joined, { name, callId, input, signal: around.abortSignal });
}

/** Mastra's own copy of the arguments is never what runs, so it has nothing to check. */
function uncheckedSchema(parameters: JsonObject): StandardSchemaV1 & StandardJSONSchemaV1 {
  const shown = () => parameters;
  return {
    '~standard': {
      version: 1,
      vendor: 'forthright',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: shown, output: shown },
    },
  };
}

const unknownThrows =
  'Mastra 0 ends a run by an exception where the model calls a tool that does not exist; Mastra 1 lets it go on.';
