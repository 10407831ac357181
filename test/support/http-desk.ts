import type { Evidence } from '../../src/call/evidence.ts';
import type { SendRequest } from '../../src/call/tool.ts';
import { contextFetch, type HttpOptions, type WriteFetch } from '../../src/http/index.ts';

/** A `ctx.fetch` with a dispatch that keeps what it was told. */
export interface HttpDesk {
  readonly fetch: WriteFetch;
  readonly evidence: Evidence | undefined;
  /** What was called, in order: `mark`, `send`, `read`. */
  readonly calls: readonly string[];
  /** Ends the request's life, as `requestMaxMs` does. */
  end(): void;
}

/** What a desk may be given beside the options of HTTP. */
export interface DeskOptions extends HttpOptions {
  readonly fetch?: typeof fetch;
  readonly key?: string;
  maySend?(): boolean;
  mark?(): Promise<void>;
}

/** Retries at once, so that no test waits. */
const atOnce = { random: () => 0, retry: { baseMs: 0 } } as const;

export function httpDesk(options: DeskOptions = {}): HttpDesk {
  const life = new AbortController();
  const calls: string[] = [];
  let evidence: Evidence | undefined;
  const request: SendRequest = {
    key: options.key ?? 'key-1',
    signal: life.signal,
    maySend: () => options.maySend?.() ?? true,
  };
  return {
    calls,
    get evidence() {
      return evidence;
    },
    end: () => life.abort(new Error('The request took too long.')),
    fetch: contextFetch({
      ...atOnce,
      ...options,
      fetch: options.fetch ?? fetch,
      async dispatch(send) {
        calls.push('mark');
        await options.mark?.();
        calls.push('send');
        const ended = await send(request);
        evidence = ended;
        return ended;
      },
      read(work) {
        calls.push('read');
        return work();
      },
    }),
  };
}
