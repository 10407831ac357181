import type { PreparedRequest } from './prepare.ts';

/** How the key stands in its header: as it is, or as the draft has it, a quoted String (RFC 8941). */
export type KeyFormat = 'bare' | 'quoted';

/** The header of the IETF draft "The Idempotency-Key HTTP Header Field". */
export const defaultKeyHeader = 'Idempotency-Key';

/** The headers of a write, and whether an idempotency key is among them. */
export interface Keying {
  readonly headers: Headers;
  readonly keyed: boolean;
}

/** Adds the key, unless the caller set that header; undefined for a key that no header can carry. */
export function keyedHeaders(
  request: Pick<PreparedRequest, 'headers' | 'keyHeader'>,
  settings: { readonly keyHeader: string | false; readonly keyFormat: KeyFormat },
  key: string,
): Keying | undefined {
  const headers = new Headers(request.headers);
  const name = request.keyHeader ?? settings.keyHeader;
  if (name === false) return { headers, keyed: headers.has(defaultKeyHeader) };
  if (headers.has(name)) return { headers, keyed: true };
  const value = keyHeaderValue(key, settings.keyFormat);
  if (value === undefined) return undefined;
  headers.set(name, value);
  return { headers, keyed: true };
}

/** What a String of RFC 8941 may hold, and any header value: printable ASCII. */
const printable = /^[\x20-\x7e]+$/;

/** The header's value, or undefined for a key that no header can carry. */
export function keyHeaderValue(key: string, format: KeyFormat): string | undefined {
  if (!printable.test(key) || key.trim() !== key) return undefined;
  return format === 'quoted' ? `"${key.replace(/["\\]/g, '\\$&')}"` : key;
}
