import { subscribe } from 'node:diagnostics_channel';
import { currentRun, type RunScope } from './run-scope.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** A request as an HTTP client of Node announces it: undici's, or node:http's `ClientRequest`. */
interface Announced {
  readonly method?: string;
  readonly path?: string;
  /** Of undici. */
  readonly origin?: string | URL;
  /** Of node:http. */
  readonly host?: string;
}

interface Announcement {
  readonly request: Announced;
  readonly response?: { readonly statusCode?: number };
}

const senders = new WeakMap<Announced, RunScope>();
let watching = false;

/**
 * Watches the HTTP clients of Node (undici with the global fetch, and node:http) for unsafe requests
 * inside a run, and for what becomes of those inside a send. HTTP/2 and raw sockets are not seen.
 * Costs one look-up for each request.
 */
export function watchRequests(): void {
  if (watching) return;
  watching = true;
  on('undici:request:create', ({ request }) => saw(request, hostOf(String(request.origin ?? ''))));
  on('undici:client:sendHeaders', ({ request }) => senders.get(request)?.sawEnd('written'));
  on('undici:request:headers', sawStatus);
  on('undici:request:error', ({ request }) => senders.get(request)?.sawEnd('failed'));
  on('http.client.request.start', ({ request }) => saw(request, request.host ?? ''));
  on('http.client.response.finish', sawStatus);
}

function on(channel: string, listener: (message: Announcement) => void): void {
  subscribe(channel, (message) => listener(message as Announcement));
}

function saw(request: Announced, host: string): void {
  const run = currentRun();
  if (run === undefined || run.mode === 'exempt') return;
  const { method = 'GET', path = '' } = request;
  if (safeMethods.has(method.toUpperCase()) || run.exemptHosts.has(host)) return;
  if (run.mode === 'send') senders.set(request, run);
  run.saw({ method, host, path: path.split('?')[0] ?? '' }, run.mode);
}

function sawStatus({ request, response }: Announcement): void {
  const status = response?.statusCode;
  if (status !== undefined) senders.get(request)?.sawEnd(status);
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : origin;
}
