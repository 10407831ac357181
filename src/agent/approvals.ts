import type { JsonObject } from '../call/json.ts';
import { canonicalize } from '../key/canonical-json.ts';
import { fingerprint } from '../key/key.ts';

/** A call that waits for a person's word, with everything that it would do. */
export interface PendingAction {
  /** Its own: the same call, asked for again after it was decided, is another action. */
  readonly id: string;
  readonly scope: string;
  readonly tool: string;
  /** The canonical text of the arguments (RFC 8785): exactly what runs once it is granted. */
  readonly arguments: string;
  /** Binds the action to scope, tool and arguments. */
  readonly fingerprint: string;
  /** The user's turn in which it was asked for. */
  readonly turn: string | null;
}

/** What a person said about a pending action. */
export interface Decision {
  /** The id of the pending action. */
  readonly id: string;
  readonly verdict: 'granted' | 'denied';
}

/** Where pending actions are kept between two runs. */
export interface Approvals {
  /** Keeps an action; one of the same fingerprint that is pending already is given back in its place. */
  hold(action: PendingAction): Promise<PendingAction>;
  /** Hands out a pending action of the scope, once; then it is pending no more. */
  take(id: string, scope: string): Promise<PendingAction | undefined>;
}

/** Pending actions in this process, at most `maxPending` (10,000 if left out): past it, `hold` rejects. */
export function memoryApprovals({
  maxPending = 10_000,
}: {
  readonly maxPending?: number;
} = {}): Approvals {
  const pending = new Map<string, PendingAction>();
  return {
    async hold(action) {
      for (const held of pending.values()) {
        if (held.fingerprint === action.fingerprint) return held;
      }
      if (pending.size >= maxPending) throw new Error('too many actions are pending');
      pending.set(action.id, action);
      return action;
    },
    async take(id, scope) {
      const action = pending.get(id);
      if (action?.scope !== scope) return undefined;
      pending.delete(id);
      return action;
    },
  };
}

/** What binds an approval: other arguments, another tool or another scope make another one. */
function actionFingerprint(scope: string, tool: string, args: JsonObject): string {
  return fingerprint([scope, tool, args]);
}

/** A call as an action to be decided on. */
export function pendingAction(
  call: { readonly id: string; readonly scope: string; readonly tool: string },
  args: JsonObject,
  turn: string | null,
): PendingAction {
  return {
    ...call,
    arguments: canonicalize(args),
    fingerprint: actionFingerprint(call.scope, call.tool, args),
    turn,
  };
}

/** Whether an action still says what was approved. */
export function isIntact(action: PendingAction): boolean {
  try {
    const args: JsonObject = JSON.parse(action.arguments);
    return action.fingerprint === actionFingerprint(action.scope, action.tool, args);
  } catch {
    return false;
  }
}
