import type { StatusContract, WriteFetchInit } from '../call/tool.ts';
import { checkContract } from './classify.ts';

/** What `fetch` takes. */
export type FetchInput = string | URL | Request;

/** The part of `fetch` that is called. */
export type FetchFunction = (input: FetchInput, init?: RequestInit) => Promise<Response>;

/** A request that can be sent, again too where `isReplayable`. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly input: FetchInput;
  readonly init: RequestInit;
  readonly headers: Headers;
  /** Whether it was declared, or is by its method, to change nothing. */
  readonly isRead: boolean;
  /** Whether its body is held in memory, the same to the byte for each send. */
  readonly isReplayable: boolean;
  readonly callerSignal: AbortSignal | undefined;
  readonly acceptStatuses: readonly number[];
  readonly contract: StatusContract | undefined;
  readonly keyHeader: string | false | undefined;
}

/** Methods that ask and do not change (RFC 9110, section 9.2.1). */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a method is safe by its definition. */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method.toUpperCase());
}

/**
 * Reads what `fetch` is called with, and fixes the body so that each send is the same to the byte.
 * Rejects with a `TypeError` or `RangeError` where it could never be sent.
 */
export async function prepareRequest(
  input: FetchInput,
  given: WriteFetchInit = {},
): Promise<PreparedRequest> {
  const { acceptStatuses = [], contract, effect, keyHeader, ...init } = given;
  checkContract(contract);
  if (keyHeader) checkHeaderName(keyHeader);
  const request = typeof input === 'object' && 'url' in input ? input : undefined;
  const method = init.method ?? request?.method ?? 'GET';
  const headers = new Headers(init.headers ?? request?.headers);
  const body = await fixBody(init.body ?? undefined, request);
  if (body.type !== null && !headers.has('content-type')) headers.set('content-type', body.type);
  return {
    method,
    url: new URL(request?.url ?? String(input)),
    input,
    init: body.content === undefined ? init : { ...init, body: body.content },
    headers,
    isRead: effect === undefined ? isSafeMethod(method) : effect === 'read',
    isReplayable: body.isReplayable,
    callerSignal: init.signal ?? request?.signal,
    acceptStatuses,
    contract,
    keyHeader,
  };
}

type Body = NonNullable<RequestInit['body']>;

/** Throws a `TypeError` for what is no name of a header. */
export function checkHeaderName(name: string): void {
  new Headers().has(name);
}

interface FixedBody {
  readonly content: Body | undefined;
  readonly type: string | null;
  readonly isReplayable: boolean;
}

async function fixBody(body: Body | undefined, request?: Request): Promise<FixedBody> {
  if (body !== undefined) {
    if (!isHeld(body)) return { content: body, type: null, isReplayable: false };
    // A form is given a new boundary each time it is encoded: encoded once, it is one payload.
    const encoded = new Response(body);
    const type = encoded.headers.get('content-type');
    return { content: new Uint8Array(await encoded.arrayBuffer()), type, isReplayable: true };
  }
  const hasBody = request !== undefined && request.body !== null;
  const content = hasBody ? new Uint8Array(await request.arrayBuffer()) : undefined;
  return { content, type: null, isReplayable: true };
}

function isHeld(body: Body): boolean {
  return (
    typeof body === 'string' ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof Blob ||
    body instanceof FormData ||
    body instanceof URLSearchParams
  );
}
