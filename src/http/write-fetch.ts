import { type Evidence, noEvidence } from '../call/evidence.ts';
import { contextFetch, type WriteFetch, type WriteInfo } from './context-fetch.ts';
import { boundedLife } from './life.ts';
import type { FetchFunction } from './prepare.ts';
import { type HttpOptions, httpSettings } from './settings.ts';

/** The note that a request may leave from now on. */
export interface WriteMark {
  /** The idempotency key for the wire. */
  readonly key: string;
  /** Asked right before each send; always, if left out. */
  maySend?(): boolean;
  /** Told what is known of the request once it has ended; waited for. */
  ended?(evidence: Evidence): void | Promise<void>;
}

/** What a write outside a tool is sent by. */
export interface MarkOptions {
  /** Notes durably that the request may leave; a rejection sends nothing and is passed on. */
  mark(write: WriteInfo): Promise<WriteMark>;
}

/**
 * `ctx.fetch` for outside a tool: each unsafe request is marked by `options.mark`, keyed, ended within
 * `requestMaxMs` and classified. Resolves and rejects as `contextFetch` does.
 */
export function writeFetch(fetch: FetchFunction, options: HttpOptions & MarkOptions): WriteFetch {
  const { clock, requestMaxMs } = httpSettings(options);
  return contextFetch({
    ...options,
    fetch,
    read: (work) => work(),
    async dispatch(send, { method, url }) {
      const mark = await options.mark({ method, url });
      const life = boundedLife(clock, requestMaxMs);
      const maySend = (): boolean => mark.maySend?.() ?? true;
      let evidence: Evidence<Response> = noEvidence('sending it threw');
      try {
        evidence = await send({ key: mark.key, signal: life.signal, maySend });
      } finally {
        life.end();
        await mark.ended?.(evidence);
      }
      return evidence;
    },
  });
}
