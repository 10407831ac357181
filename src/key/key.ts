import { createHash } from 'node:crypto';
import type { JsonValue } from '../call/json.ts';
import { canonicalize } from './canonical-json.ts';

/** Changes with whatever would give one intent another key. */
const keyVersion = 'forthright/1';

/** What makes two calls one intent. */
export interface Intent {
  /** The conversation or job, given by the host. */
  readonly scope: string;
  readonly tool: string;
  /** The arguments that count, or what the tool's own key function made of them. */
  readonly value: JsonValue;
  /** Which identical write this is, counting from 1. */
  readonly ordinal: number;
}

/**
 * The idempotency key of an intent, as 64 hexadecimal digits: SHA-256 over the canonical JSON array
 * of version, scope, tool, value and, past the first, ordinal. Throws as `canonicalize` does.
 */
export function intentKey({ scope, tool, value, ordinal }: Intent): string {
  const parts = [keyVersion, scope, tool, value];
  return sha256(canonicalize(ordinal > 1 ? [...parts, ordinal] : parts));
}

/** Tells other arguments under the same key: SHA-256 of their canonical text (RFC 8785), in hexadecimal. */
export function fingerprint(args: JsonValue): string {
  return sha256(canonicalize(args));
}

/** What a key on the wire says of a record of an intent. */
export interface WireKeyParts {
  readonly key: string;
  readonly generation: number;
  /** In milliseconds since 1970. */
  readonly createdAtMs: number;
}

/**
 * What goes over the wire for one generation of an intent, such as `3f9a…-lxyz1234-1`: the first 88 bits
 * of its key, when its record was made (base 36), and the generation. A record that was purged and made
 * anew begins at generation 1 again; the remote system may still remember the earlier one's keys. 33
 * characters up to generation 9: some remote systems take no more than 36, and a line in their log still
 * leads to the entry.
 */
export function wireKey({ key, generation, createdAtMs }: WireKeyParts): string {
  return `${key.slice(0, 22)}-${Math.floor(createdAtMs).toString(36)}-${generation}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
