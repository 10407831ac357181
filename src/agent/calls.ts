import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../call/json.ts';
import { type FailedResult, failed, type Result } from '../call/result.ts';
import type { DecodedCall } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Decision, isIntact, type PendingAction, pendingAction } from './approvals.ts';
import type { Journal } from './journal.ts';
import type { ApprovalRule } from './options.ts';
import type { TurnCall } from './turn.ts';

/** What the calls of a turn need. */
export interface CallPort {
  readonly runtime: Runtime;
  readonly scope: string;
  readonly context: unknown;
  readonly turn: string | null;
  readonly signal: AbortSignal;
  readonly maxCalls: number;
  readonly approval: ApprovalRule<readonly never[]> | undefined;
  readonly journal: Journal;
}

/** What one call came to; `held` where it waits for a person's word. */
export interface CallEnd {
  readonly call: TurnCall;
  readonly result: Result;
  readonly held?: PendingAction;
}

/** Runs the calls of one turn side by side; resolves to their ends in the order of the calls. */
export function runCalls(
  port: CallPort,
  round: number,
  calls: readonly TurnCall[],
): Promise<readonly CallEnd[]> {
  const ends = calls.map((call, index) => {
    const id = addStep(port, round, index, call);
    return index < port.maxCalls ? runCall(port, id, call) : leaveOut(port, id, call);
  });
  return Promise.all(ends);
}

async function runCall(port: CallPort, id: string, call: TurnCall): Promise<CallEnd> {
  const { journal, turn } = port;
  let held: PendingAction | undefined;
  const guard = async (decoded: DecodedCall): Promise<FailedResult | undefined> => {
    const input = inputOf(call);
    const isNeeded = (await port.approval?.needed(decoded as never)) ?? false;
    if (!isNeeded) {
      journal.note({ type: 'step_started', id, input });
      return undefined;
    }
    held = await hold(port, call, input);
    const result = awaiting(held);
    journal.note({ type: 'step_held', id, input, approvalId: held.id, result });
    return result;
  };
  const { result, key } = await send(port, call, turn, guard);
  if (held !== undefined) return { call, result, held };
  journal.note({ type: 'step_ended', id, result, key: key ?? null });
  return { call, result };
}

/** Carries out one decision; undefined where there is no such action, or it is not what was approved. */
export async function carryOut(
  port: CallPort,
  index: number,
  action: PendingAction,
  verdict: Decision['verdict'],
): Promise<CallEnd> {
  const call: TurnCall = { id: action.id, name: action.tool, arguments: action.arguments };
  const id = addStep(port, 0, index, call);
  const guard = (): undefined => {
    port.journal.note({ type: 'step_started', id, input: inputOf(call) });
  };
  const { result, key } =
    verdict === 'granted' ? await send(port, call, action.turn, guard) : { result: denied };
  port.journal.note({ type: 'step_ended', id, result, key: key ?? null });
  return { call, result };
}

/** Takes the actions that were decided on, each once. */
export async function takeDecided(
  port: CallPort,
  decisions: readonly Decision[],
): Promise<readonly (PendingAction | undefined)[]> {
  const taken: (PendingAction | undefined)[] = [];
  for (const { id } of decisions) {
    const action = await port.approval?.approvals.take(id, port.scope);
    const isSame = action !== undefined && action.scope === port.scope && isIntact(action);
    taken.push(isSame ? action : undefined);
  }
  return taken;
}

function addStep(port: CallPort, round: number, index: number, call: TurnCall): string {
  const id = `${round}.${index + 1}`;
  const effect = port.runtime.toolset.find(call.name)?.spec.effect ?? null;
  const { id: callId, name: tool, arguments: text } = call;
  port.journal.note({
    type: 'step_added',
    step: { id, round, callId, tool, effect, arguments: text },
  });
  return id;
}

type Guard = (call: DecodedCall) => Promise<FailedResult | undefined> | undefined;

function send(
  port: CallPort,
  call: TurnCall,
  turn: string | null,
  guard: Guard,
): Promise<{ readonly result: Result; readonly key?: string }> {
  const { runtime, scope, context, signal } = port;
  return runtime.call({
    name: call.name,
    arguments: call.arguments,
    callId: call.id,
    scope,
    context,
    signal,
    ...(turn === null ? {} : { turn }),
    guard,
  });
}

async function leaveOut(port: CallPort, id: string, call: TurnCall): Promise<CallEnd> {
  const result = failed(
    'overloaded',
    `At most ${port.maxCalls} calls of one turn are run; this one was not.`,
  );
  port.journal.note({ type: 'step_ended', id, result, key: null });
  return { call, result };
}

function hold(port: CallPort, call: TurnCall, input: JsonObject): Promise<PendingAction> {
  const { scope, turn, approval } = port;
  const action = pendingAction({ id: randomUUID(), scope, tool: call.name }, input, turn);
  return approval?.approvals.hold(action) ?? Promise.reject(new Error('nowhere to hold it'));
}

function awaiting({ id, tool }: PendingAction): FailedResult {
  return failed('approval_required', 'A person has to approve this first; nothing was sent.', {
    outputs: { toolName: tool, approvalId: id },
  });
}

const denied = failed('approval_denied', 'A person refused to approve this; nothing was sent.');

/** The arguments of a call that was decoded strictly, the ordinal of a repeat among them. */
function inputOf(call: TurnCall): JsonObject {
  return call.arguments.trim() === '' ? {} : (JSON.parse(call.arguments) as JsonObject);
}
