import type { JsonObject } from '../call/json.ts';
import { canonicalize } from '../key/canonical-json.ts';
import { fingerprint, intentKey } from '../key/key.ts';
import { keyArguments } from '../key/key-arguments.ts';
import type { DecodedWrite } from './requests.ts';

/** What a decoded write means to do. */
export interface Intent {
  readonly key: string;
  readonly fingerprint: string;
  readonly lane: string;
}

/** The intent of a write. Throws what the tool's own key and lane functions throw. */
export function intentOf(write: DecodedWrite): Intent {
  return {
    key: keyOf(write, write.ordinal),
    fingerprint: fingerprint(countingArguments(write)),
    lane: laneOf(write),
  };
}

/** The key of the same write with another ordinal. */
export function keyOf(write: DecodedWrite, ordinal: number): string {
  const { tool, scope, args } = write;
  const own = tool.spec.key;
  const value = typeof own === 'function' ? own(args) : countingArguments(write);
  return intentKey({ scope, tool: tool.name, value, ordinal });
}

function countingArguments({ tool, args }: DecodedWrite): JsonObject {
  const own = tool.spec.key;
  const ignore = typeof own === 'object' ? own.ignore : [];
  return keyArguments(args, { ignore, schema: tool.parameters });
}

/** A declared lane holds across the whole ledger; without one, it is the tool within the scope. */
function laneOf({ tool, input, context, scope }: DecodedWrite): string {
  const declared: unknown = tool.spec.lane?.(input, context);
  if (declared === undefined) return canonicalize([scope, tool.name]);
  if (typeof declared === 'string' && declared !== '') return declared;
  throw new TypeError(`${tool.name}: lane() must return a string that is not empty.`);
}
