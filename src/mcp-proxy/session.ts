import type { JsonObject, JsonValue } from '../call/json.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../runtime/events.ts';
import { Calls } from './calls.ts';
import { Catalog } from './catalog.ts';
import { ClientQuestions } from './client-questions.ts';
import type { ProxyConfig } from './config.ts';
import {
  errorText,
  idKeyOf,
  type MalformedMessage,
  type Message,
  type NotificationMessage,
  notificationText,
  type RequestMessage,
  type ResponseMessage,
  readMessages,
} from './message.ts';
import { cutOut, rawObject } from './raw-json.ts';
import { ServerRequests } from './server-requests.ts';
import { shownList } from './shown-list.ts';
import { type CallPort, forwarding, readBrokenCall, resultOf } from './tool-call.ts';
import { lostText, Upstream } from './upstream.ts';
import type { OpenWire } from './wire.ts';

/** One client and one server, with forthright in between. */
export interface SessionOptions {
  readonly open: OpenWire;
  readonly ledger: Ledger;
  readonly config: ProxyConfig;
  readonly scope: string;
  readonly logger: Logger;
  toClient(text: string): void;
  /** The request with this id will not be answered: the client has cancelled it. */
  onCancelled?(idKey: string): void;
  /** The server ended before it had said anything: there is nothing to stand in front of. */
  onDead(reason: string): void;
}

const readyMs = 30_000;
const reconcileEveryMs = 60_000;
/** How long it may take to record and tell that a call will not be answered. */
const tellingMs = 500;
const mostPages = 1000;

/**
 * Passes every message on as it is, but for `tools/call`, which it decodes, records and tells by
 * forthright's rules. Needs `close` in the end.
 */
export class ProxySession {
  readonly #options: SessionOptions;
  readonly #upstream: Upstream;
  readonly #catalog: Catalog;
  readonly #port: CallPort;
  readonly #calls: Calls;
  /** Requests of the client's that were passed on and are not answered, by id. */
  readonly #passed = new Map<string, RequestMessage>();
  readonly #questions: ClientQuestions;
  readonly #fromServer = new ServerRequests();
  readonly #timer: NodeJS.Timeout;
  #initialize: RequestMessage | undefined;
  #initialized: string | undefined;
  #clientCan: JsonObject = {};
  #serverCan: JsonObject = {};
  #hasHeard = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#upstream = new Upstream({
      open: options.open,
      introduction: () =>
        this.#initialize && { initialize: this.#initialize, initialized: this.#initialized },
      events: {
        onMessage: (message, incarnation) => this.#fromUpstream(message, incarnation),
        onLost: (reason) => this.#lost(reason),
        onRestarted: () => this.#restarted(),
        onTrouble: (message) => this.#warn(message),
      },
    });
    this.#questions = new ClientQuestions(options.toClient);
    const session = this;
    this.#port = {
      upstream: this.#upstream,
      askClient: (method, params) => this.#questions.ask(method, params),
      get canElicit() {
        return session.#clientCan.elicitation !== undefined;
      },
      mayAsk: (name) => this.#mayAsk(name),
    };
    this.#catalog = new Catalog({
      ledger: options.ledger,
      config: options.config,
      logger: options.logger,
      list: () => this.#list(),
      contextFor: () => forwarding(this.#port),
      warn: (message) => this.#warn(message),
    });
    this.#calls = new Calls({
      catalog: this.#catalog,
      port: this.#port,
      scope: options.scope,
      toClient: options.toClient,
      onCancelled: (idKey) => options.onCancelled?.(idKey),
    });
    this.#timer = setInterval(() => void this.#catalog.reconcile(), reconcileEveryMs).unref();
  }

  /** Takes one message of the client's, or several of a batch, as text. */
  receive(text: string): void {
    for (const message of readMessages(text)) this.#fromClient(message);
  }

  /** Waits up to `graceMs` for what is under way, then ends the server; what it did not answer is told as such. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#timer);
    await this.#catalog.close(graceMs);
    await this.#upstream.close();
    await this.#calls.answered(tellingMs);
  }

  #fromClient(message: Message | MalformedMessage): void {
    switch (message.kind) {
      case 'malformed': {
        this.#answerMalformed(message);
        return;
      }
      case 'request':
        if (message.method === 'tools/call') {
          void this.#calls.take(message);
          return;
        }
        if (message.method === 'initialize') this.#meet(message);
        this.#passed.set(message.idKey, message);
        {
          void this.#pass(message);
          return;
        }
      case 'notification':
        if (message.method === 'notifications/cancelled' && this.#cancel(message)) return;
        if (message.method === 'notifications/initialized') {
          this.#initialized = message.text;
          void this.#pass(message).then(() => this.#prepare());
          return;
        }
        {
          void this.#pass(message);
          return;
        }
      case 'response': {
        this.#takeResponse(message);
        return;
      }
    }
  }

  #meet(message: RequestMessage): void {
    this.#initialize = message;
    const params = message.params && paramsOf(message);
    if (isJsonObject(params?.capabilities)) this.#clientCan = params.capabilities;
  }

  /** As it is, at once if the server is there, else once it is there again. */
  async #pass(message: Message): Promise<void> {
    const sent = (await this.#upstream.ready(AbortSignal.timeout(readyMs)))
      ? await this.#upstream.send(message.text)
      : { end: 'not_sent' as const, reason: 'the server is not running' };
    if (sent.end === 'delivered' || message.kind === 'response') return;
    this.#warn(`${message.method} did not reach the server: ${sent.reason}`);
    if (message.kind !== 'request') return;
    if (this.#passed.delete(message.idKey)) this.#toClient(lostText(message.id));
  }

  async #prepare(): Promise<void> {
    if (this.#serverCan.tools === undefined) return;
    await this.#catalog.current();
    await this.#catalog.reconcile();
  }

  async #list(): Promise<readonly JsonValue[] | undefined> {
    if (!(await this.#upstream.ready(AbortSignal.timeout(readyMs)))) return undefined;
    const items: JsonValue[] = [];
    let cursor: JsonValue | undefined;
    for (let page = 0; page < mostPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await resultOf(this.#upstream, 'tools/list', params);
      if (!Array.isArray(listed?.tools)) return undefined;
      items.push(...(listed.tools as readonly JsonValue[]));
      cursor = listed.nextCursor;
      if (typeof cursor !== 'string') return items;
    }
    this.#warn(`the server lists more than ${mostPages} pages of tools`);
    return undefined;
  }

  #mayAsk(name: string): boolean {
    return this.#catalog.known()?.find(name)?.terms.effect === 'read';
  }

  /** Whether a cancellation was for a call, which is ended by our own rules. */
  #cancel(message: NotificationMessage): boolean {
    const raw = message.params && rawObject(message.text, message.params.start);
    const span = raw?.members.get('requestId');
    const key = span && idKeyOf(cutOut(message.text, span));
    if (key === undefined) return false;
    this.#passed.delete(key);
    return this.#calls.cancel(key);
  }

  #answerMalformed(message: MalformedMessage): void {
    const id = message.id ?? 'null';
    const broken = message.why === 'no_json' ? readBrokenCall(message) : undefined;
    if (broken !== undefined) {
      void this.#calls.tellBroken(broken);
      return;
    }
    if (message.why === 'no_json') {
      this.#toClient(errorText(id, -32_700, 'The message is not JSON, or was cut off.'));
      return;
    }
    const why =
      message.why === 'twin_key'
        ? `${JSON.stringify(message.raw?.twin)} stands twice in the message; send it once.`
        : 'This is no JSON-RPC message.';
    this.#toClient(errorText(id, -32_600, why));
  }

  #takeResponse(message: ResponseMessage): void {
    if (this.#questions.take(message)) return;
    const text = this.#fromServer.answer(message, this.#upstream.incarnation);
    if (text !== undefined) void this.#upstream.send(text);
  }

  #fromUpstream(message: Message, incarnation: number): void {
    this.#hasHeard = true;
    switch (message.kind) {
      case 'request': {
        this.#toClient(this.#fromServer.take(message, incarnation));
        return;
      }
      case 'notification':
        if (message.method === 'notifications/tools/list_changed') this.#catalog.expire();
        {
          this.#toClient(message.text);
          return;
        }
      case 'response': {
        const request = this.#passed.get(message.idKey);
        this.#passed.delete(message.idKey);
        if (request?.method === 'tools/list') {
          void this.#showList(message);
          return;
        }
        if (request !== undefined) this.#learn(request, message);
        this.#toClient(message.text);
        return;
      }
    }
  }

  #learn(request: RequestMessage, { text, result }: ResponseMessage): void {
    if (result === undefined) return;
    if (request.method === 'initialize') {
      const { capabilities } = JSON.parse(cutOut(text, result)) as JsonObject;
      if (isJsonObject(capabilities)) this.#serverCan = capabilities;
    }
    if (request.method !== 'tasks/result') return;
    this.#calls.taskEnded(String(paramsOf(request)?.taskId), cutOut(text, result));
  }

  async #showList(message: ResponseMessage): Promise<void> {
    const { config } = this.#options;
    const items = message.result && itemsOf(cutOut(message.text, message.result));
    if (items !== undefined) this.#catalog.compare(items);
    this.#toClient(await shownList(message, config, this.#catalog));
  }

  #lost(reason: string): void {
    if (!this.#hasHeard) {
      this.#options.onDead(reason);
      return;
    }
    for (const { id } of this.#passed.values()) this.#toClient(lostText(id));
    this.#passed.clear();
    for (const requestId of this.#fromServer.lost()) {
      const params = { requestId, reason: 'The server has ended.' };
      this.#toClient(notificationText('notifications/cancelled', params));
    }
  }

  #restarted(): void {
    this.#catalog.expire();
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      if (this.#serverCan[kind] === undefined) continue;
      this.#toClient(notificationText(`notifications/${kind}/list_changed`));
    }
    void this.#prepare();
  }

  #toClient(text: string): void {
    this.#options.toClient(text);
  }

  #warn(message: string): void {
    this.#options.logger.warn({}, `forthright: ${message}`);
  }
}

function paramsOf({ text, params }: RequestMessage): JsonObject | undefined {
  return params && (JSON.parse(cutOut(text, params)) as JsonObject);
}

function itemsOf(raw: string): readonly JsonValue[] | undefined {
  const { tools } = JSON.parse(raw) as JsonObject;
  return Array.isArray(tools) ? (tools as readonly JsonValue[]) : undefined;
}
