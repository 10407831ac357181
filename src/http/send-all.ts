import { pause } from '../call/clock.ts';
import type { ExchangeEnd } from './classify.ts';
import { type Exchange, exchange } from './exchange.ts';
import type { FetchFunction, PreparedRequest } from './prepare.ts';
import { mayPass, waitBeforeRetry } from './retry.ts';
import type { HttpSettings } from './settings.ts';

/** By what right one request is sent. */
export interface SendPermit {
  readonly headers: Headers;
  readonly keyed: boolean;
  /** Whether it may be sent again: it changes nothing, or the remote system honours its key. */
  readonly mayRepeat: boolean;
  readonly signal: AbortSignal;
  /** Asked right before each send. */
  maySend(): boolean;
}

/** Sends until it went well, cannot pass, or may not be sent again. Returns every send; never rejects. */
export async function sendAll(
  fetch: FetchFunction,
  settings: HttpSettings,
  request: PreparedRequest,
  permit: SendPermit,
): Promise<readonly Exchange[]> {
  const { retry, clock, maxBodyBytes } = settings;
  const { headers, signal } = permit;
  const exchanges: Exchange[] = [];
  for (;;) {
    const why = whyWithheld(permit);
    if (why !== undefined) return [...exchanges, withheld(why)];
    const sent = await exchange(request, { fetch, headers, signal, maxBodyBytes });
    exchanges.push(sent);
    const passes = mayPass(sent.end, permit.keyed);
    retry.budget[passes ? 'failed' : 'succeeded'](request.url.origin);
    if (!passes || !permit.mayRepeat || !request.isReplayable || signal.aborted) return exchanges;
    if (!retry.budget.allows(request.url.origin)) return exchanges;
    const asked = sent.response?.headers.get('retry-after') ?? null;
    const waitMs = waitBeforeRetry(retry, exchanges.length, asked);
    if (waitMs === undefined) return exchanges;
    await pause(clock, waitMs, signal);
  }
}

function whyWithheld({ signal, maySend }: SendPermit): string | undefined {
  if (signal.aborted) return 'called off before it was sent';
  return maySend() ? undefined : 'the time for sending was over';
}

function withheld(why: string): Exchange {
  const end: ExchangeEnd = { end: 'withheld', why };
  return { end, byItself: undefined };
}
