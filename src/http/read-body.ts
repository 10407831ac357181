import type { BodyEnd } from './classify.ts';

/** What was read of a body, and how it ended. */
export interface ReadBody {
  readonly end: BodyEnd;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What broke it off. */
  readonly error?: unknown;
}

/**
 * Reads a body to its end, at most `maxBytes` of it and no longer than the signal allows. Never
 * rejects. Takes the body of any `fetch`: a web stream, or a stream of Node.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const ended = (end: BodyEnd, error?: unknown): ReadBody => ({
    end,
    bytes: join(chunks, length),
    ...(error === undefined ? {} : { error }),
  });
  if (response.body === null) return ended('complete');
  const stopped = whenAborted(signal);
  let reading: AsyncIterator<Uint8Array> | undefined;
  try {
    reading = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([reading.next(), stopped.aborted]);
      if (next.done) return ended('complete');
      if (length + next.value.byteLength > maxBytes) return leave(reading, ended('too_long'));
      chunks.push(next.value);
      length += next.value.byteLength;
    }
  } catch (error) {
    return leave(reading, ended('truncated', error ?? new Error('The body broke off.')));
  } finally {
    stopped.forget();
  }
}

/** Lets go of the rest of a body without waiting for it. */
function leave(reading: AsyncIterator<Uint8Array> | undefined, body: ReadBody): ReadBody {
  reading?.return?.()?.catch(() => undefined);
  return body;
}

function whenAborted(signal: AbortSignal): { aborted: Promise<never>; forget(): void } {
  let forget = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason);
    forget = () => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  aborted.catch(() => undefined);
  return { aborted, forget };
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
