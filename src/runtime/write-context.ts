import type { WriteCall } from '../call/tool.ts';
import type { Dispatcher } from '../execute/dispatcher.ts';
import type { Stop } from '../execute/stop.ts';
import { contextFetch } from '../http/context-fetch.ts';
import { wireKey } from '../key/key.ts';
import { type Parts, step, writeTimes } from './parts.ts';
import type { AttemptRequest } from './requests.ts';

const longestNote = 1000;

/** What the run of a write is given. */
export function writeContext(
  parts: Parts,
  request: AttemptRequest,
  dispatcher: Dispatcher,
  stop: Stop,
): WriteCall<unknown> {
  const { tool, entry, context, scope } = request;
  const { requestMaxMs, honoursKeys } = writeTimes(tool, parts.settings);
  const read = <T>(work: () => Promise<T>): Promise<T> => dispatcher.exempt(work);
  return {
    context,
    scope,
    get signal() {
      return stop.signal;
    },
    key: wireKey(entry),
    dispatch: (send) => dispatcher.dispatch(send),
    fetch: (input, init) =>
      contextFetch({
        ...parts.settings.http,
        fetch: parts.settings.fetch,
        clock: parts.settings.clock,
        requestMaxMs,
        honoursKeys,
        dispatch: (send) => dispatcher.dispatch(send, true),
        read,
      })(input, init),
    read,
    note: (reference) => keepNote(parts, request, reference),
  };
}

async function keepNote(parts: Parts, request: AttemptRequest, reference: string): Promise<void> {
  if (typeof reference !== 'string' || reference.length > longestNote) {
    throw new TypeError(`note: a string of at most ${longestNote} characters.`);
  }
  const { key, token } = request.entry;
  const note = await parts.settings.sealer.seal(reference);
  await step(parts, 'note', parts.ledger.note({ key, token, note }));
}
