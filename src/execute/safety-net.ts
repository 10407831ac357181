import { subscribe } from 'node:diagnostics_channel';
import { currentRun } from './run-scope.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

let watching = false;

/**
 * Watches the HTTP clients of Node (undici with the global fetch, and node:http) for unsafe requests
 * inside a run. HTTP/2 and raw sockets are not seen. Costs one look-up for each request.
 */
export function watchRequests(): void {
  if (watching) return;
  watching = true;
  subscribe('undici:request:create', (message) => {
    const { request } = message as {
      request: { method?: string; origin?: string | URL; path?: string };
    };
    saw(request.method, hostOf(String(request.origin ?? '')), request.path);
  });
  subscribe('http.client.request.start', (message) => {
    const { request } = message as {
      request: { method?: string; host?: string; path?: string };
    };
    saw(request.method, request.host ?? '', request.path);
  });
}

function saw(method = 'GET', host: string, path = ''): void {
  const run = currentRun();
  if (run === undefined || run.mode === 'exempt') return;
  if (safeMethods.has(method.toUpperCase()) || run.exemptHosts.has(host)) return;
  run.saw({ method, host, path: path.split('?')[0] ?? '' }, run.mode);
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : origin;
}
