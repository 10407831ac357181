import type { JsonObject } from '../call/json.ts';
import { failed, type Result } from '../call/result.ts';
import { decode } from '../decode/decode.ts';
import { canonicalize } from '../key/canonical-json.ts';
import { runCall } from './joined.ts';
import type { ParsedJoined } from './parsed.ts';
import { handedText } from './readable.ts';

/** A call as a framework hands it to a tool. */
export interface HandedCall {
  readonly name: string;
  readonly callId: string;
  /** What the framework, or whoever approved the call, takes the arguments to be. */
  readonly input: JsonObject;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a call by the text that the model wrote; where the framework's arguments are others, nothing is sent. */
export function runAsWritten(joined: ParsedJoined, call: HandedCall): Promise<Result> {
  const text = textOf(joined, call);
  joined.texts.run(call.callId);
  const guard = () => (isSame(text, call.input) ? undefined : otherArguments);
  return runCall(joined, { name: call.name, text, signal: call.signal, guard });
}

/** The text to run by where only the host can have changed the arguments: then they are its own. */
export function editedText(joined: ParsedJoined, call: HandedCall): string {
  const text = textOf(joined, call);
  const handed = handedText(joined.runtime.toolset, call.name, text);
  return isSame(handed, call.input) ? text : JSON.stringify(call.input);
}

function textOf({ texts }: ParsedJoined, { callId, input }: HandedCall): string {
  return texts.find(callId) ?? JSON.stringify(input);
}

/** Whether a person is to be asked. A call that could not run as it stands is answered at once. */
export async function mustWait(joined: ParsedJoined, call: HandedCall): Promise<boolean> {
  const { runtime, options } = joined;
  const decoded = decode(runtime.toolset, { name: call.name, arguments: textOf(joined, call) });
  return decoded.ok && ((await options.needsApproval?.(decoded.value as never)) ?? false);
}

const otherArguments = failed(
  'approval_required',
  'The arguments are not the ones that the model wrote under this call id; nothing was sent.',
);

function isSame(text: string, input: JsonObject): boolean {
  try {
    const args: JsonObject = text.trim() === '' ? {} : JSON.parse(text);
    return canonicalize(args) === canonicalize(input);
  } catch {
    return false;
  }
}
