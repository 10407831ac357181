import { answered, type Evidence, noEvidence, notSent } from '../call/evidence.ts';
import type { SendRequest, WriteFetchInit } from '../call/tool.ts';
import { type ClassifyRules, classify, sumEvidence } from './classify.ts';
import { ReadRequestError, type RequestFailure, WriteRequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { keyedHeaders } from './key-header.ts';
import { boundedLife, joinSignals } from './life.ts';
import {
  type FetchFunction,
  type FetchInput,
  type PreparedRequest,
  prepareRequest,
} from './prepare.ts';
import { sendAll } from './send-all.ts';
import { type HttpOptions, type HttpSettings, httpSettings } from './settings.ts';

/** What is about to be written, and where. */
export interface WriteInfo {
  readonly method: string;
  readonly url: URL;
}

/** `send`, once the write is marked; its evidence. */
type Send = (request: SendRequest) => Promise<Evidence<Response>>;

/** What sends for a tool. */
export interface ContextFetchOptions extends HttpOptions {
  readonly fetch: FetchFunction;
  /** Marks durably, then calls `send`; resolves to its evidence. */
  dispatch(send: Send, write: WriteInfo): Promise<Evidence<Response>>;
  /** Calls what changes nothing. */
  read<T>(work: () => Promise<T>): Promise<T>;
}

/** `fetch` that tells the truth about writes. */
export type WriteFetch = (input: FetchInput, init?: WriteFetchInit) => Promise<Response>;

/**
 * Makes `ctx.fetch`. An unsafe request is dispatched, keyed and classified; a safe one, or one with
 * `effect: 'read'`, runs as a read. Resolves only to success, or to a status under `acceptStatuses`,
 * with the body in memory. Rejects with a `WriteRequestError` or `ReadRequestError` otherwise, with
 * what `dispatch` rejects with, and with a `TypeError` or `RangeError` for what could never be sent.
 */
export function contextFetch(options: ContextFetchOptions): WriteFetch {
  const settings = httpSettings(options);
  return async (input, init) => {
    const request = await prepareRequest(input, init);
    request.callerSignal?.throwIfAborted();
    return request.isRead
      ? options.read(() => read(options, settings, request))
      : write(options, settings, request);
  };
}

async function read(
  { fetch }: ContextFetchOptions,
  settings: HttpSettings,
  request: PreparedRequest,
): Promise<Response> {
  const life = boundedLife(settings.clock, settings.requestMaxMs, request.callerSignal);
  const sends = await sendAll(fetch, settings, request, {
    headers: request.headers,
    keyed: false,
    mayRepeat: true,
    signal: life.signal,
    maySend: () => true,
  });
  life.end();
  const answer = completeAnswer(sends);
  if (answer && (answer.ok || request.acceptStatuses.includes(answer.status))) return answer;
  throw new ReadRequestError(failureOf(request, sends));
}

async function write(
  options: ContextFetchOptions,
  settings: HttpSettings,
  request: PreparedRequest,
): Promise<Response> {
  let sends: readonly Exchange[] = [];
  const evidence = await options.dispatch(async (send) => {
    const keying = keyedHeaders(request, settings, send.key);
    if (keying === undefined) return notSent('no header can carry the key');
    const life = joinSignals(send.signal, request.callerSignal);
    sends = await sendAll(options.fetch, settings, request, {
      ...keying,
      mayRepeat: keying.keyed && settings.honoursKeys,
      signal: life.signal,
      maySend: () => send.maySend(),
    });
    life.end();
    const rules = { keyed: keying.keyed, contract: request.contract ?? settings.contract };
    return sumEvidence(sends.flatMap((sent) => proofsOf(sent, rules)));
  }, request);
  if (evidence.evidence === 'answered') return evidence.value;
  const answer = completeAnswer(sends);
  if (answer && request.acceptStatuses.includes(answer.status)) return answer;
  throw new WriteRequestError(failureOf(request, sends, evidence.reason), evidence);
}

function proofsOf(sent: Exchange, rules: ClassifyRules): readonly Evidence<Response>[] {
  const proof = classify(sent.end, rules);
  const value: Evidence<Response> =
    proof.evidence === 'answered' ? answered(sent.response as Response) : proof;
  switch (sent.byItself) {
    case undefined:
      return [value];
    case 'sent_again':
      return [noEvidence('the HTTP client sent it again by itself'), value];
    case 'redirected':
      return [noEvidence('the HTTP client followed a redirect by itself')];
  }
}

/** The latest answer, if it came whole. */
function completeAnswer(sends: readonly Exchange[]): Response | undefined {
  const last = sends.findLast(({ response }) => response !== undefined);
  return last?.end.end === 'response' && last.end.body === 'complete' ? last.response : undefined;
}

/** How much of an answer's body an error keeps, in bytes. */
const keptBytes = 65_536;

function failureOf(
  { method, url }: PreparedRequest,
  sends: readonly Exchange[],
  reason: string = whyOf(sends.at(-1)),
): RequestFailure {
  const last = sends.findLast(({ response }) => response !== undefined);
  const body = last?.bytes && new TextDecoder().decode(last.bytes.subarray(0, keptBytes));
  const cause = sends.findLast(({ error }) => error !== undefined)?.error;
  return { method, url, reason, response: last?.response, body, cause };
}

function whyOf(sent: Exchange | undefined): string {
  const proof = sent && classify(sent.end, { keyed: false });
  return proof && 'reason' in proof ? proof.reason : 'no answer';
}
