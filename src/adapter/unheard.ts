import { type FailedResult, failed, type Result, unknown } from '../call/result.ts';
import type { ToolCall, Toolset } from '../call/tool.ts';
import { decode } from '../decode/decode.ts';
import { explain } from '../decode/explain.ts';
import type { Joined } from './joined.ts';
import type { ParsedJoined } from './parsed.ts';

/** What is told of a call for which the framework has only words of its own. */
export function ownResult(joined: ParsedJoined, name: string, callId: string): Result {
  return keptRefusal(joined, name, callId) ?? unheard;
}

/**
 * What is told of a call that could not run by the text that was kept of it; undefined of one that
 * could. Where none was kept, as in another process, or several under one id, only a tool that is not
 * there is known to be none.
 */
export function keptRefusal(
  joined: ParsedJoined,
  name: string,
  callId: string,
): Result | undefined {
  const { runtime, texts } = joined;
  const text = texts.findOnly(callId);
  if (text === undefined && runtime.toolset.find(name) !== undefined) return undefined;
  const call = { name, arguments: text ?? '{}' };
  // A tool that is not offered now may have been when it ran.
  return texts.wasRun(callId) ? refusalIn(runtime.toolset, call) : refusalOf(joined, call);
}

/** What is told of a call that could not run as it stands; undefined of one that could. */
export function refusalOf({ runtime, options }: Joined, call: ToolCall): Result | undefined {
  const shown = new Set(runtime.tools(options.context as never).map((tool) => tool.name));
  return refusalIn(runtime.toolset, call, { allowed: (tool) => shown.has(tool.name) });
}

function refusalIn(
  toolset: Toolset,
  call: ToolCall,
  options?: Parameters<typeof decode>[2],
): Result | undefined {
  const decoded = decode(toolset, call, options);
  return decoded.ok ? undefined : explain(decoded.error, toolset.find(call.name));
}

/** What is told of a call that ended without a result of its own. */
export const unheard: Result = unknown(
  'sent_no_answer',
  'The call ended without a result of its own; it may have happened.',
);

/** What is told of a call that a person refused, with the person's reason. */
export function denied(reason: string | undefined): FailedResult {
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`;
  return failed(
    'approval_denied',
    `A person refused to approve this call; nothing was sent${because}.`,
  );
}

/** Whether a text is a result as `renderResult` writes it. */
export function isRendered(text: string): boolean {
  try {
    const { outcome, code, summary } = JSON.parse(text) ?? {};
    return [outcome, code, summary].every((part) => typeof part === 'string');
  } catch {
    return false;
  }
}
