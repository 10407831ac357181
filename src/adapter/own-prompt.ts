import { isResult, type Result, renderResult } from '../call/result.ts';
import type { ParsedJoined } from './parsed.ts';
import type { CallOptions, Part, PromptMessage } from './protocol.ts';
import { denied, ownResult } from './unheard.ts';

/** The same prompt, in which what the SDK says of a failed or denied call is said by a result of ours. */
export function ownPrompt(joined: ParsedJoined, options: CallOptions): CallOptions {
  const others = new Set(
    (options.tools ?? [])
      .map(({ name }) => name)
      .filter((name) => joined.runtime.toolset.find(name) === undefined),
  );
  const ownMessage = (message: PromptMessage): PromptMessage =>
    message.role !== 'tool' || typeof message.content === 'string'
      ? message
      : { ...message, content: message.content.map((part) => ownPart(joined, others, part)) };
  return { ...options, prompt: options.prompt.map(ownMessage) };
}

function ownPart(joined: ParsedJoined, others: ReadonlySet<string>, part: Part): Part {
  if (part.type !== 'tool-result' || others.has(part.toolName ?? '')) return part;
  const result = resultInPlace(joined, part);
  if (result === undefined) return part;
  return { ...part, output: { type: 'text', value: renderResult(result) } as Part['output'] & {} };
}

function resultInPlace(
  joined: ParsedJoined,
  { toolName = '', toolCallId = '', output }: Part,
): Result | undefined {
  // A framework that knows no text for a tool's output says the result by JSON of its own.
  if (output?.type === 'json' && isResult(output.value)) return output.value;
  if (output?.type === 'execution-denied') return denied(output.reason);
  if (output?.type !== 'error-text' && output?.type !== 'error-json') return undefined;
  return ownResult(joined, toolName, toolCallId);
}
