import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';

/** A request as an HTTP client of Node announces it: undici's, or node:http's `ClientRequest`. */
interface ClientRequest {
  readonly method?: string;
  readonly path?: string;
  /** Of undici. */
  readonly origin?: string | URL;
  /** Of undici: how to call it off, null until right before it is written. */
  readonly abort?: unknown;
  /** Of node:http. */
  readonly protocol?: string;
  readonly host?: string;
}

/** What became of one request, as far as its client tells. */
interface Sighting {
  readonly request: ClientRequest;
  /** Whether its client tells what it writes. */
  readonly tells: boolean;
  written: boolean;
  failed: boolean;
  status: number | undefined;
}

/** What a client did by itself: sent a request again, or followed a redirect away from it. */
export type ByItself = 'sent_again' | 'redirected';

/** One exchange, watched on the diagnostics channels of Node's HTTP clients. */
export interface Wire {
  /** Sends; what is seen of it within counts as this exchange's. */
  run<T>(send: () => T): T;
  /** Whether a byte of it may have been written; undefined where its client does not tell. */
  written(): boolean | undefined;
  /** What its client did by itself before the answer with this status, or before the error. */
  byItself(status: number | undefined): ByItself | undefined;
}

interface Watch {
  readonly method: string;
  readonly url: URL;
  readonly sightings: Sighting[];
}

const watches = new AsyncLocalStorage<Watch>();
const sightingOf = new WeakMap<object, Sighting>();
let subscribed = false;

/**
 * Watches one request to `url` by `method`. On undici and the global `fetch` of Node it tells whether
 * the request was written; of node:http, how often it was started; elsewhere nothing is seen.
 */
export function watchWire(method: string, url: URL): Wire {
  subscribeOnce();
  const watch: Watch = { method: method.toUpperCase(), url, sightings: [] };
  const { sightings } = watch;
  return {
    run: (send) => watches.run(watch, send),
    written() {
      if (sightings.some(({ written }) => written)) return true;
      if (sightings.length === 0 || !sightings.every(isUnwritten)) return undefined;
      return false;
    },
    byItself(status) {
      if (sightings.some((seen) => isRedirect(seen.status) && seen.status !== status)) {
        return 'redirected';
      }
      const isRepeated = sightings.length > 1 || sightings.some(endedOtherwise(status));
      return isRepeated ? 'sent_again' : undefined;
    },
  };
}

/** `abort` is looked at too since undici 6 says nothing of what it writes over HTTP/2. */
function isUnwritten({ tells, written, request }: Sighting): boolean {
  return tells && !written && request.abort === null;
}

function isRedirect(status = 0): boolean {
  return status >= 300 && status < 400;
}

/**
 * A retry may start in another asynchronous context and so go unseen; what gives it away is that the
 * first request ended in another way than the exchange.
 */
function endedOtherwise(status: number | undefined): (sighting: Sighting) => boolean {
  return (seen) =>
    (seen.failed && status !== undefined) || (seen.status !== undefined && seen.status !== status);
}

function subscribeOnce(): void {
  if (subscribed) return;
  subscribed = true;
  on('undici:request:create', ({ request }) => sight(request, true));
  for (const channel of ['undici:client:sendHeaders', 'undici:request:bodySent']) {
    on(channel, ({ request }) => update(request, { written: true }));
  }
  on('undici:request:headers', ({ request, response }) => {
    update(request, { written: true, status: response?.statusCode });
  });
  on('undici:request:error', ({ request }) => update(request, { failed: true }));
  on('http.client.request.start', ({ request }) => sight(request, false));
  on('http.client.response.finish', ({ request, response }) => {
    update(request, { status: response?.statusCode });
  });
}

interface ChannelMessage {
  readonly request: ClientRequest;
  readonly response?: { readonly statusCode?: number };
}

function on(channel: string, listener: (message: ChannelMessage) => void): void {
  subscribe(channel, (message) => listener(message as ChannelMessage));
}

function sight(request: ClientRequest, tells: boolean): void {
  const watch = watches.getStore();
  if (watch === undefined || !isSame(request, watch)) return;
  const sighting = { request, tells, written: false, failed: false, status: undefined };
  watch.sightings.push(sighting);
  sightingOf.set(request, sighting);
}

function update(request: ClientRequest, change: Partial<Sighting>): void {
  const sighting = sightingOf.get(request);
  if (sighting !== undefined) Object.assign(sighting, change);
}

/** A `fetch` may send other requests on the way: for a token, through a proxy. */
function isSame(request: ClientRequest, { method, url }: Watch): boolean {
  const { path, origin, protocol, host } = request;
  if (request.method?.toUpperCase() !== method) return false;
  const target = `${url.pathname}${url.search}`;
  // A proxy that is not tunnelled through is asked for the whole URL.
  if (path !== target) return path === `${url.origin}${target}`;
  return origin === undefined
    ? protocol === url.protocol && host === url.hostname.replace(/^\[|\]$/g, '')
    : String(origin) === url.origin;
}
