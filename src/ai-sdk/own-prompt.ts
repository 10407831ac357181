import { failed, type Result, renderResult, unknown } from '../call/result.ts';
import { decode } from '../decode/decode.ts';
import { explain } from '../decode/explain.ts';
import type { Joined } from './joined.ts';
import type { CallOptions, Part, PromptMessage } from './protocol.ts';

/** The same prompt, in which what the SDK says of a failed or denied call is said by a result of ours. */
export function ownPrompt(joined: Joined, options: CallOptions): CallOptions {
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

function ownPart(joined: Joined, others: ReadonlySet<string>, part: Part): Part {
  const { type, toolName = '', output } = part;
  if (type !== 'tool-result' || output === undefined || others.has(toolName)) return part;
  const result = ownResult(joined, part, output);
  if (result === undefined) return part;
  return { ...part, output: { type: 'text', value: renderResult(result) } as Part['output'] & {} };
}

function ownResult(
  { runtime, options, texts }: Joined,
  { toolName: name = '', toolCallId = '' }: Part,
  { type, reason }: { readonly type: string; readonly reason?: string },
): Result | undefined {
  if (type === 'execution-denied') return denied(reason);
  if (type !== 'error-text' && type !== 'error-json') return undefined;
  const shown = new Set(runtime.tools(options.context as never).map((tool) => tool.name));
  const call = { name, arguments: texts.find(toolCallId) ?? '{}' };
  const decoded = decode(runtime.toolset, call, { allowed: (tool) => shown.has(tool.name) });
  return decoded.ok ? unheard : explain(decoded.error, runtime.toolset.find(name));
}

const unheard = unknown(
  'sent_no_answer',
  'The call ended without a result of its own; it may have happened.',
);

function denied(reason: string | undefined): Result {
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`;
  return failed(
    'approval_denied',
    `A person refused to approve this call; nothing was sent${because}.`,
  );
}
