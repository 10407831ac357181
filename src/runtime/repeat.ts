import type { RepeatRule } from '../call/tool.ts';
import { keyOf } from './intent.ts';
import { type Parts, step } from './parts.ts';
import type { WriteRequest } from './write-call.ts';

/**
 * Whether a second, third, … identical write may run: the one before it is proven done, and the host
 * allows it, by the tool's own rule or because the user has spoken again since.
 */
export async function isRepeatAllowed(parts: Parts, request: WriteRequest): Promise<boolean> {
  const { tool, ordinal, scope, context, input, turn } = request;
  const { repeat } = tool.spec;
  if (repeat === undefined) return false;
  const before = await step(parts, 'get', parts.ledger.get(keyOf(request, ordinal - 1)));
  if (before?.state !== 'ok') return false;
  const allow = ruleOf(repeat)?.allow;
  if (allow === undefined) return turn !== null && before.turn !== null && before.turn !== turn;
  return (await allow({ ordinal, input, scope, context })) === true;
}

function ruleOf(
  repeat: true | RepeatRule<unknown, unknown>,
): RepeatRule<unknown, unknown> | undefined {
  return repeat === true ? undefined : repeat;
}
