import { interrupt } from '@langchain/langgraph';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { denied } from '../adapter/unheard.ts';
import { pendingAction } from '../agent/approvals.ts';
import type { JsonObject } from '../call/json.ts';
import { type FailedResult, failed } from '../call/result.ts';
import { decode } from '../decode/decode.ts';

/** What a person said: the interrupt's own value, with their word. */
interface Word {
  readonly fingerprint?: unknown;
  readonly approved?: unknown;
  readonly reason?: unknown;
}

/**
 * Waits, by an interrupt of the graph, until a person has spoken about a call that needs it. What they
 * say counts only for the arguments that they saw. A call that could not run as it stands is let
 * through at once: nobody is asked about it.
 */
export async function personsRefusal(
  { runtime, options }: ParsedJoined,
  call: { readonly id: string; readonly name: string; readonly text: string },
): Promise<FailedResult | undefined> {
  const decoded = decode(runtime.toolset, { name: call.name, arguments: call.text });
  if (!decoded.ok || (await options.needsApproval?.(decoded.value as never)) !== true) {
    return undefined;
  }
  const args: JsonObject = call.text.trim() === '' ? {} : JSON.parse(call.text);
  const turn = options.turn === undefined ? null : String(options.turn);
  const action = pendingAction({ id: call.id, scope: options.scope, tool: call.name }, args, turn);
  const { fingerprint, approved, reason } = (interrupt(action) ?? {}) as Word;
  if (fingerprint !== action.fingerprint) return otherCall;
  return approved === true ? undefined : denied(typeof reason === 'string' ? reason : undefined);
}

const otherCall = failed(
  'approval_required',
  'What was approved is another call than this one; nothing was sent.',
);
