import { type FailedResult, failed } from '../call/result.ts';
import type { RepeatRule } from '../call/tool.ts';
import type { Entry } from '../ledger/entry.ts';
import { keyOf } from './intent.ts';
import { type Parts, step } from './parts.ts';
import type { WriteRequest } from './requests.ts';
import { ledgerUnavailable } from './told.ts';

/**
 * Why a second, third, … identical write may not run; undefined where it may: the one before it is
 * proven done, and the host allows it, by the tool's own rule or because the user has spoken since.
 */
export async function repeatRefusal(
  parts: Parts,
  request: WriteRequest,
): Promise<FailedResult | undefined> {
  const key = keyOf(request, request.ordinal - 1);
  const before = await step(parts, 'get', parts.ledger.get(key)).catch(() => null);
  if (before === null) return ledgerUnavailable();
  if (await isAllowed(request, before)) return undefined;
  return failed('repeat_not_allowed', 'Doing this once more is not allowed now; nothing was sent.');
}

async function isAllowed(request: WriteRequest, before: Entry | undefined): Promise<boolean> {
  const { tool, ordinal, scope, context, input, turn } = request;
  const { repeat } = tool.spec;
  if (repeat === undefined) return false;
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
