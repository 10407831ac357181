import type { JsonObject } from '../call/json.ts';

/** What a request tells of where it comes from. */
export interface McpRequest {
  /** The session of the transport; absent where there is none, as in stateless HTTP. */
  readonly sessionId?: string;
  /** What the host's middleware found out about the caller (`AuthInfo` of the SDK). */
  readonly authInfo?: unknown;
  /** The headers of the HTTP request; absent on stdio. */
  readonly headers?: Headers;
  /** `params._meta` of the call. */
  readonly meta?: JsonObject;
}

/** A form that a user is to fill in. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/** What a user answered; it comes from the client and may be anything. */
export interface FormAnswer {
  readonly action?: unknown;
  readonly content?: unknown;
}

/** A call in a server of either version. */
export interface CallInPlace {
  readonly from: McpRequest;
  readonly id: string | number;
  readonly signal: AbortSignal;
  /** Where progress is to be told under. */
  readonly progressToken?: string | number;
  notify(notification: { method: string; params: JsonObject }): Promise<void>;
  /** Whether the client shows forms to its user. */
  readonly canAsk: boolean;
  /** Asks the user; undefined where the client is to send the call again with the answer. */
  ask(key: string, form: Form): Promise<FormAnswer | undefined>;
}

/** What is read of the SDK's own context of a request, in version 1. */
interface Extra1 {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sessionId?: string;
  readonly authInfo?: unknown;
  readonly _meta?: JsonObject;
  readonly requestInfo?: { readonly headers: Record<string, string | string[] | undefined> };
  sendNotification(notification: object): Promise<void>;
}

/** The same in version 2. */
interface Context2 {
  readonly sessionId?: string;
  readonly mcpReq: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    readonly _meta?: JsonObject;
    readonly envelope?: Record<string, unknown>;
    readonly inputResponses?: Record<string, FormAnswer>;
    notify(notification: object): Promise<void>;
  };
  readonly http?: { readonly authInfo?: unknown; readonly req?: Request };
}

/** What is read of the SDK's `Server` to ask a user. */
export interface AskingServer {
  getClientCapabilities(): unknown;
  elicitInput(params: never, options?: never): Promise<FormAnswer>;
}

/** How long a user has to answer, in milliseconds. */
const askTimeoutMs = 600_000;

/** The context that the SDK gives a handler, of either version, as one. */
export function callInPlace(server: AskingServer, given: unknown): CallInPlace {
  return isVersion2(given) ? inVersion2(server, given) : inVersion1(server, given as Extra1);
}

function isVersion2(given: unknown): given is Context2 {
  return typeof given === 'object' && given !== null && 'mcpReq' in given;
}

function inVersion1(server: AskingServer, extra: Extra1): CallInPlace {
  const { sessionId, authInfo, _meta: meta, requestInfo, requestId: id, signal } = extra;
  const headers = requestInfo && headersOf(requestInfo.headers);
  return {
    from: requestFrom({ sessionId, authInfo, headers, meta }),
    id,
    signal,
    ...tokenIn(meta),
    notify: (notification) => extra.sendNotification(notification),
    canAsk: showsForms(server.getClientCapabilities()),
    ask: (_, form) => {
      const options = { relatedRequestId: id, signal, timeout: askTimeoutMs };
      return server.elicitInput({ mode: 'form', ...form } as never, options as never);
    },
  };
}

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

function inVersion2(server: AskingServer, context: Context2): CallInPlace {
  const { sessionId, http, mcpReq } = context;
  const { _meta: meta, id, signal, envelope, inputResponses } = mcpReq;
  return {
    from: requestFrom({ sessionId, authInfo: http?.authInfo, headers: http?.req?.headers, meta }),
    id,
    signal,
    ...tokenIn(meta),
    notify: (notification) => mcpReq.notify(notification),
    canAsk: showsForms(envelope?.[capabilitiesKey] ?? server.getClientCapabilities()),
    ask: async (key) =>
      inputResponses !== undefined && Object.hasOwn(inputResponses, key)
        ? inputResponses[key]
        : undefined,
  };
}

function requestFrom(
  all: { readonly [name in keyof McpRequest]: McpRequest[name] | undefined },
): McpRequest {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function tokenIn(meta: JsonObject | undefined): Pick<CallInPlace, 'progressToken'> {
  const token = meta?.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? { progressToken: token } : {};
}

function headersOf(all: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(all)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

/** A client that says nothing of modes shows forms (MCP 2025-06-18). */
function showsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: Record<string, unknown> };
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
