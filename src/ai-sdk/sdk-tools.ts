import { jsonSchema, type Tool } from 'ai';
import { runCall } from '../adapter/joined.ts';
import type { JsonObject } from '../call/json.ts';
import { failed, type Result, renderResult } from '../call/result.ts';
import { decode } from '../decode/decode.ts';
import { canonicalize } from '../key/canonical-json.ts';
import type { ShownTool } from '../runtime/runtime.ts';
import type { Joined } from './joined.ts';

/** What the SDK tells of a call beside its arguments, as far as it is read here. */
interface Around {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

/** Each shown tool as one of the SDK's; none of them throws, so that the SDK has no words of its own. */
export function sdkTools(joined: Joined): Record<string, Tool<JsonObject, Result>> {
  const shown = joined.runtime.tools(joined.options.context as never);
  return Object.fromEntries(shown.map((tool) => [tool.name, sdkTool(joined, tool)]));
}

function sdkTool(joined: Joined, shown: ShownTool): Tool<JsonObject, Result> {
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
          needsApproval: (input: JsonObject, around: Around) =>
            mustWait(joined, shown.name, input, around),
        }),
  } as Tool<JsonObject, Result>;
}

/** A call that could not run as it stands is answered at once: nobody is asked about it. */
async function mustWait(
  { runtime, options, texts }: Joined,
  name: string,
  input: JsonObject,
  { toolCallId }: Around,
): Promise<boolean> {
  const text = texts.find(toolCallId) ?? JSON.stringify(input);
  const decoded = decode(runtime.toolset, { name, arguments: text });
  return decoded.ok && ((await options.needsApproval?.(decoded.value as never)) ?? false);
}

function run(joined: Joined, name: string, input: JsonObject, around: Around): Promise<Result> {
  const written = joined.texts.find(around.toolCallId);
  if (written === undefined && !isAfterApproval(around)) warnOnce();
  const text = written ?? JSON.stringify(input);
  return runCall(joined, {
    name,
    text,
    signal: around.abortSignal,
    guard: () => (isSame(text, input) ? undefined : otherArguments),
  });
}

const otherArguments = failed(
  'approval_required',
  'The arguments are not the ones that the model wrote under this call id; nothing was sent.',
);

/** Whether what the SDK, or whoever approved it, took the arguments to be is what they are. */
function isSame(text: string, input: JsonObject): boolean {
  try {
    const args: JsonObject = text.trim() === '' ? {} : JSON.parse(text);
    return canonicalize(args) === canonicalize(input);
  } catch {
    return false;
  }
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

let hasWarned = false;

function warnOnce(): void {
  if (hasWarned) return;
  hasWarned = true;
  console.warn(
    'forthright/ai-sdk: a tool was called without the text that the model wrote, so that duplicate keys and rounded numbers cannot all be seen. Use the model that forAiSdk returns.',
  );
}
