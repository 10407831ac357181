import type { ExchangeEnd } from './classify.ts';
import { type ErrorTrace, traceError } from './error-trace.ts';
import type { FetchFunction, PreparedRequest } from './prepare.ts';
import { readBody } from './read-body.ts';
import { type ByItself, watchWire } from './wire.ts';

/** One physical send and what came of it. */
export interface Exchange {
  readonly end: ExchangeEnd;
  /** What the client did by itself, so that the end is not, or not alone, that of this send. */
  readonly byItself: ByItself | undefined;
  /** The answer with its body in memory; past the limit, without the rest. */
  readonly response?: Response;
  /** Its body, as far as it was read. */
  readonly bytes?: Uint8Array;
  readonly error?: unknown;
}

/** How to send once. */
export interface ExchangeOptions {
  readonly fetch: FetchFunction;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** The longest body that is read, in bytes. */
  readonly maxBodyBytes: number;
}

/** Sends once and reads the answer whole. Never rejects. */
export async function exchange(
  request: PreparedRequest,
  { fetch, headers, signal, maxBodyBytes }: ExchangeOptions,
): Promise<Exchange> {
  const wire = watchWire(request.method, request.url);
  const init: RequestInit = {
    ...request.init,
    method: request.method,
    headers: Object.fromEntries(headers),
    signal,
    ...(request.isRead ? {} : { redirect: 'manual' as const }),
  };
  try {
    const answer = await wire.run(() => fetch(request.input, init));
    const { bytes, ...body } = await readBody(answer, maxBodyBytes, signal);
    const { status } = answer;
    return {
      end: { end: 'response', status, body: body.end },
      byItself: answer.redirected ? 'redirected' : wire.byItself(status),
      response: buffered(answer, bytes),
      bytes,
      error: body.error,
    };
  } catch (error) {
    // What a body that streams fails with is not the client's word on the connection.
    const written = wire.written() ?? (request.isReplayable ? undefined : true);
    const traces = signal.aborted ? calledOff : traceError(error);
    return {
      end: { end: 'error', traces, written },
      byItself: wire.byItself(undefined),
      error,
    };
  }
}

/** An abort may be given any error as its reason. */
const calledOff: readonly ErrorTrace[] = [{ code: 'called off' }];

/** Statuses whose answer has no body (Fetch standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

function buffered(answer: Response, bytes: Uint8Array<ArrayBuffer>): Response {
  const { status, statusText, headers, url, redirected, type } = answer;
  const isOutside = status < 200 || status > 599;
  const copy = new Response(bodiless.has(status) ? null : bytes, {
    status: isOutside ? 200 : status,
    statusText,
    headers: new Headers([...headers]),
  });
  const kept = { url, redirected, type, ...(isOutside ? { status, ok: false } : {}) };
  for (const [name, value] of Object.entries(kept)) Object.defineProperty(copy, name, { value });
  return copy;
}
