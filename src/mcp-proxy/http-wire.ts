import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { neverConnected, traceError } from '../http/error-trace.ts';
import { longestMessageBytes } from './limits.ts';
import { type Message, readMessages } from './message.ts';
import { cutOut, rawObject } from './raw-json.ts';
import { SseReader } from './sse.ts';
import type { OpenWire, SendEnd, Wire, WireEvents } from './wire.ts';

/** Where a server is that speaks streamable HTTP. */
export interface ServerAddress {
  readonly url: string;
  /** Sent with every request, such as an authorization. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Speaks to a server over streamable HTTP (MCP 2025-03-26 and later). */
export function httpWire(address: ServerAddress): OpenWire {
  return (events) => new HttpWire(address, events);
}

const delivered: SendEnd = { end: 'delivered' };
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const mostResumes = 5;

class HttpWire implements Wire {
  readonly #address: ServerAddress;
  readonly #events: WireEvents;
  readonly #life = new AbortController();
  #session: string | undefined;
  #version: string | undefined;

  constructor(address: ServerAddress, events: WireEvents) {
    this.#address = address;
    this.#events = events;
  }

  async send(text: string): Promise<SendEnd> {
    const [message] = readMessages(text);
    const question = message?.kind === 'request' ? message : undefined;
    const open = new Set(question === undefined ? [] : [question.idKey]);
    let response: IncomingMessage;
    try {
      response = await this.#exchange('POST', text);
    } catch (error) {
      const traces = traceError(error);
      const reason = traces.map(({ code }) => code).join(', ') || 'the request failed';
      return { end: neverConnected(traces) ? 'not_sent' : 'lost', reason };
    }
    const status = response.statusCode ?? 0;
    if (status < 200 || status >= 300) return this.#refused(status, response);
    this.#learnSession(response);
    const ended = await this.#readAnswers(response, open);
    if (message?.kind === 'notification' && message.method === 'notifications/initialized') {
      void this.#listen();
    }
    return ended;
  }

  async close(): Promise<void> {
    if (this.#life.signal.aborted) return;
    // Politeness only: the session ends by itself where the server does not answer.
    if (this.#session !== undefined) await this.#deleteSession();
    this.#life.abort(new Error('The connection was closed.'));
  }

  async #deleteSession(): Promise<void> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), 1000).unref();
    });
    const response = await Promise.race([this.#exchange('DELETE').catch(() => undefined), late]);
    response?.resume();
  }

  /** 404 with a session: the server has forgotten it, and a new one has to be opened. */
  #refused(status: number, response: IncomingMessage): SendEnd {
    response.resume();
    const reason = `HTTP status ${status}`;
    if (status === 404 && this.#session !== undefined) {
      this.#life.abort(new Error('The session has ended.'));
      // What became of this message is told first.
      setImmediate(() => this.#events.onClosed('the server has ended the session'));
      return { end: 'refused', reason: 'the server has ended the session' };
    }
    return refusals.has(status) ? { end: 'refused', reason } : { end: 'lost', reason };
  }

  #learnSession(response: IncomingMessage): void {
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.#session ??= session;
  }

  /** Reads until the response ends; a stream that breaks off is taken up again where it can be. */
  async #readAnswers(response: IncomingMessage, open: Set<string>): Promise<SendEnd> {
    const take = (text: string): void => this.#take(text, open);
    if (!isStream(response)) {
      const body = await bodyOf(response);
      if (body === undefined) return { end: 'lost', reason: 'the answer broke off' };
      if (body.trim() !== '') take(body);
      return open.size === 0 ? delivered : { end: 'lost', reason: 'the answer is not in it' };
    }
    let stream = response;
    let lastId: string | undefined;
    for (let resumes = 0; ; resumes++) {
      const reader = new SseReader(take);
      await reader.read(stream);
      lastId = reader.lastId ?? lastId;
      if (open.size === 0) return delivered;
      const lost: SendEnd = { end: 'lost', reason: 'the stream ended without an answer' };
      if (lastId === undefined || resumes >= mostResumes) return lost;
      await this.#pause(reader.retryMs ?? firstPauseMs);
      const next = await this.#exchange('GET', undefined, lastId).catch(() => undefined);
      if (next === undefined || next.statusCode !== 200 || !isStream(next)) {
        next?.resume();
        return lost;
      }
      stream = next;
    }
  }

  #take(text: string, open: Set<string>): void {
    for (const message of readMessages(text)) {
      if (message.kind === 'response') {
        open.delete(message.idKey);
        this.#learnVersion(message);
      }
    }
    this.#events.onMessage(text);
  }

  /** Every request after `initialize` says which version was agreed on (MCP 2025-06-18). */
  #learnVersion(message: Message): void {
    if (this.#version !== undefined || message.kind !== 'response' || !message.result) return;
    const span = rawObject(message.text, message.result.start)?.members.get('protocolVersion');
    const version: unknown = span && JSON.parse(cutOut(message.text, span));
    if (typeof version === 'string') this.#version = version;
  }

  /** The stream on which the server speaks of its own accord, where it has one. */
  async #listen(): Promise<void> {
    let lastId: string | undefined;
    let pauseMs = firstPauseMs;
    while (!this.#life.signal.aborted) {
      const response = await this.#exchange('GET', undefined, lastId).catch(() => undefined);
      if (response !== undefined && (response.statusCode !== 200 || !isStream(response))) {
        response.resume();
        // 405: there is none (MCP, streamable HTTP).
        if ((response.statusCode ?? 0) < 500) return;
      } else if (response !== undefined) {
        pauseMs = firstPauseMs;
        const reader = new SseReader((text) => this.#events.onMessage(text));
        await reader.read(response);
        lastId = reader.lastId ?? lastId;
      }
      await this.#pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms).unref();
    });
  }

  /** No time-out of its own: a tool may take as long as it takes. */
  #exchange(method: string, body?: string, lastId?: string): Promise<IncomingMessage> {
    const { url, headers } = this.#address;
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const options: RequestOptions = {
      method,
      signal: this.#life.signal,
      headers: {
        ...headers,
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
        ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
    };
    return new Promise((resolve, reject) => {
      const request = send(url, options, resolve);
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** Statuses by which a request is refused before it is acted on (RFC 9110, section 15.5). */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 413, 415]);

function isStream(response: IncomingMessage): boolean {
  return response.headers['content-type']?.startsWith('text/event-stream') === true;
}

async function bodyOf(response: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > longestMessageBytes) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString('utf8');
}
