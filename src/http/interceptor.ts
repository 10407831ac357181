import { notSent } from '../call/evidence.ts';
import type { KeyFormat } from './key-header.ts';
import { defaultKeyHeader, keyHeaderValue } from './key-header.ts';
import { isSafeMethod } from './prepare.ts';
import { type HttpOptions, type HttpSettings, httpSettings } from './settings.ts';
import type { MarkOptions } from './write-fetch.ts';
import { type DispatchHandler, WriteHandler } from './write-handler.ts';

/** What an interceptor is told to do; it does not retry. */
export type InterceptorOptions = MarkOptions &
  Pick<HttpOptions, 'keyHeader' | 'keyFormat' | 'contract' | 'requestMaxMs' | 'clock'>;

/** An interceptor for `compose` of undici 7 or later. */
// biome-ignore lint/suspicious/noExplicitAny: undici's own types, whichever version, take its place
export type WriteInterceptor = <D extends (options: any, handler: any) => boolean>(
  dispatch: D,
) => D;

/** The part of undici's dispatch options that is read. */
interface DispatchOptions {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method: string;
  readonly headers?: unknown;
}

type Dispatch = (options: DispatchOptions, handler: DispatchHandler) => boolean;

/**
 * Marks each unsafe request before it is dispatched, adds the key, asks `maySend` right before it is
 * written, ends it within `requestMaxMs` and tells the mark what it proved. Answers pass as they are.
 * Interceptors that retry or redirect ask for a mark each time where they are composed after it; what
 * they send by themselves where they are composed before it leaves the write without proof.
 */
export function writeInterceptor(options: InterceptorOptions): WriteInterceptor {
  const settings = httpSettings(options);
  const intercept =
    (dispatch: Dispatch): Dispatch =>
    (request, handler) => {
      if (isSafeMethod(request.method)) return dispatch(request, handler);
      if (handler.onRequestStart === undefined) {
        throw new TypeError('writeInterceptor: compose it into a dispatcher of undici 7 or later.');
      }
      sendMarked(dispatch, request, handler, options, settings).catch((error: Error) =>
        handler.onResponseError?.(null, error),
      );
      return true;
    };
  return intercept as WriteInterceptor;
}

async function sendMarked(
  dispatch: Dispatch,
  request: DispatchOptions,
  handler: DispatchHandler,
  options: InterceptorOptions,
  settings: HttpSettings,
): Promise<void> {
  const { method, path, origin } = request;
  const mark = await options.mark({ method, url: new URL(path, origin) });
  const keying = withKey(request.headers, settings, mark.key);
  if (keying === undefined) {
    await mark.ended?.(notSent('no header can carry the key'));
    throw new TypeError('writeInterceptor: no header can carry the key.');
  }
  const { headers, keyed } = keying;
  const rules = { keyed, contract: settings.contract };
  const watched = new WriteHandler(handler, mark, rules, settings);
  try {
    dispatch({ ...request, headers }, watched);
  } catch (error) {
    watched.onResponseError(null, error as Error);
  }
}

/** undici takes headers as an object, as pairs, or as a flat list of names and values. */
function withKey(
  given: unknown,
  settings: { readonly keyHeader: string | false; readonly keyFormat: KeyFormat },
  key: string,
): { readonly headers: unknown; readonly keyed: boolean } | undefined {
  const name = settings.keyHeader || defaultKeyHeader;
  const headers = flatHeaders(given);
  const has = headers.some((text, at) => at % 2 === 0 && sameName(text, name));
  if (has || settings.keyHeader === false) return { headers, keyed: has };
  const value = keyHeaderValue(key, settings.keyFormat);
  return value === undefined ? undefined : { headers: [...headers, name, value], keyed: true };
}

function sameName(text: unknown, name: string): boolean {
  return String(text).toLowerCase() === name.toLowerCase();
}

function flatHeaders(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given !== 'object' || given === null) return [];
  const pairs =
    Symbol.iterator in given ? [...(given as Iterable<unknown[]>)] : Object.entries(given);
  return pairs.filter(([, value]) => value !== undefined).flat();
}
