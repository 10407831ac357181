import type { Acted, EntryView, Found, Me, VerdictRequest } from '../../src/console/views.ts';

/** What the server said, or why there is nothing. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'signed_out' | 'away' }
  | { readonly kind: 'refused'; readonly problem: string };

export const getMe = (): Promise<Answer<Me>> => ask('me');

export const getEntries = (query: string, signal: AbortSignal): Promise<Answer<Found>> =>
  ask(`entries?${query}`, { signal });

export const getEntry = (key: string): Promise<Answer<EntryView>> =>
  ask(`entry?key=${encodeURIComponent(key)}`);

export const postVerdict = (verdict: VerdictRequest): Promise<Answer<Acted>> =>
  post('settle', verdict);

export const postAsk = (key: string): Promise<Answer<Acted>> => post('ask', { key });

function post<T>(path: string, body: unknown): Promise<Answer<T>> {
  const headers = { 'content-type': 'application/json', 'x-forthright-console': 'page' };
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
  try {
    const response = await fetch(`api/${path}`, { ...init, cache: 'no-store' });
    if (response.status === 401) return { kind: 'signed_out' };
    const value = (await response.json()) as T & { readonly problem?: string };
    return value.problem === undefined
      ? { kind: 'ok', value }
      : { kind: 'refused', problem: value.problem };
  } catch {
    return { kind: 'away' };
  }
}
