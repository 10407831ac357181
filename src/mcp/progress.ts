import type { Runtime } from '../runtime/runtime.ts';
import type { CallInPlace } from './mcp-request.ts';

/** How often a client that asked for progress hears that a call is under way, in milliseconds. */
const everyMs = 5_000;

/**
 * Tells the client how a call goes on, where it asked to be told: when it is decoded, when its request
 * has left, and regularly, so that it need not give up on a call that is slow. To be started right
 * before the call; returns what stops it.
 */
export function tellProgress(runtime: Runtime, place: CallInPlace): () => void {
  const { progressToken } = place;
  if (progressToken === undefined) return () => undefined;
  let call: number | undefined;
  let progress = 0;
  let message = 'Under way.';
  const tell = (): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that is gone misses nothing.
    place.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const off = runtime.on((event) => {
    // The runtime says that it was called before anything else can call it.
    if (event.type === 'called') call ??= event.call;
    else if (!('call' in event) || event.call !== call) return;
    else if (event.type === 'decoded') tell();
    else if (event.type === 'dispatched') {
      message = 'The request was sent; waiting for its answer.';
      tell();
    }
  });
  const timer = setInterval(tell, everyMs);
  timer.unref();
  return () => {
    off();
    clearInterval(timer);
  };
}
