import { jsonSchema, type Tool } from 'ai';
import { mustWait, runAsWritten } from '../adapter/as-written.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { warnOfLostText } from '../adapter/warn-once.ts';
import type { JsonObject } from '../call/json.ts';
import { type Result, renderResult } from '../call/result.ts';
import type { ShownTool } from '../runtime/runtime.ts';

/** What the SDK tells of a call beside its arguments, as far as it is read here. */
interface Around {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

/** Each shown tool as one of the SDK's; none of them throws, so that the SDK has no words of its own. */
export function sdkTools(joined: ParsedJoined): Record<string, Tool<JsonObject, Result>> {
  const shown = joined.runtime.tools(joined.options.context as never);
  return Object.fromEntries(shown.map((tool) => [tool.name, sdkTool(joined, tool)]));
}

function sdkTool(joined: ParsedJoined, shown: ShownTool): Tool<JsonObject, Result> {
  const { needsApproval } = joined.options;
  return {
    description: shown.description,
    // The SDK's own copy of the arguments is never what runs, so it has nothing to check.
    inputSchema: jsonSchema<JsonObject>(shown.parameters as never, {
      validate: (value) => ({ success: true, value: value as JsonObject }),
    }),
    execute: (input: JsonObject, around: Around) => run(joined, shown.name, input, around),
    toModelOutput: ({ output }: { output: Result }) => ({
      type: 'text',
      value: renderResult(output),
    }),
    ...(needsApproval === undefined
      ? {}
      : {
          needsApproval: (input: JsonObject, { toolCallId: callId }: Around) =>
            mustWait(joined, { name: shown.name, callId, input }),
        }),
  } as Tool<JsonObject, Result>;
}

async function run(
  joined: ParsedJoined,
  name: string,
  input: JsonObject,
  around: Around,
): Promise<Result> {
  const { toolCallId: callId, abortSignal: signal } = around;
  if (joined.texts.find(callId) === undefined && !isAfterApproval(around))
    warnOfLostText('ai-sdk', 'Use the model that forAiSdk returns.');
  return runAsWritten(joined, { name, callId, input, signal });
}

/** What a person approved may come from another process, where the model wrote its text. */
function isAfterApproval({ messages }: Around): boolean {
  const last = messages?.at(-1);
  return (
    last?.role === 'tool' &&
    Array.isArray(last.content) &&
    last.content.some((part: { type?: unknown }) => part.type === 'tool-approval-response')
  );
}
