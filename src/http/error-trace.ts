/** What one error in a chain says of itself: its code, and the system call that failed. */
export interface ErrorTrace {
  readonly code: string;
  readonly syscall?: string;
}

/** More errors than these in one chain are not looked at, and count as one that proves nothing. */
const mostErrors = 32;

/**
 * The codes of an error, of its causes and of what an `AggregateError` holds, outermost first. An
 * abort has no code that is text, and is listed under its name.
 */
export function traceError(error: unknown): readonly ErrorTrace[] {
  const seen = new Set<object>();
  const traces: ErrorTrace[] = [];
  const open: unknown[] = [error];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    if (seen.size === mostErrors) return [...traces, { code: 'and more errors' }];
    seen.add(next);
    const { code, name, syscall, cause, errors } = next as Record<string, unknown>;
    if (typeof code === 'string') {
      traces.push(typeof syscall === 'string' ? { code, syscall } : { code });
    } else if (name === 'AbortError' || name === 'TimeoutError') {
      traces.push({ code: name });
    }
    open.push(cause ?? null, ...(Array.isArray(errors) ? errors : []));
  }
  return traces;
}

/** Whether every code says that no connection came about, so that nothing can have been written. */
export function neverConnected(traces: readonly ErrorTrace[]): boolean {
  return traces.length > 0 && traces.every(isConnectFailure);
}

function isConnectFailure({ code, syscall = '' }: ErrorTrace): boolean {
  return (
    connectCodes.has(code) ||
    code.startsWith('EAI_') ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    syscall.startsWith('query')
  );
}

/**
 * Codes that are only given before a connection stands. Of TLS: the client's verdicts on a
 * certificate, and what can only fail within the handshake. Other alerts are not among them: in
 * TLS 1.3 some come after the client has written.
 */
const connectCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
]);
