import { failed, type Result, unknown } from '../call/result.ts';
import { decode } from '../decode/decode.ts';
import { explain } from '../decode/explain.ts';
import type { ParsedJoined } from './parsed.ts';

/** What is told of a call for which the framework has only words of its own. */
export function ownResult(
  { runtime, options, texts }: ParsedJoined,
  name: string,
  callId: string,
): Result {
  const shown = new Set(runtime.tools(options.context as never).map((tool) => tool.name));
  const call = { name, arguments: texts.find(callId) ?? '{}' };
  const decoded = decode(runtime.toolset, call, { allowed: (tool) => shown.has(tool.name) });
  return decoded.ok ? unheard : explain(decoded.error, runtime.toolset.find(name));
}

const unheard = unknown(
  'sent_no_answer',
  'The call ended without a result of its own; it may have happened.',
);

/** What is told of a call that a person refused, with the person's reason. */
export function denied(reason: string | undefined): Result {
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`;
  return failed(
    'approval_denied',
    `A person refused to approve this call; nothing was sent${because}.`,
  );
}
