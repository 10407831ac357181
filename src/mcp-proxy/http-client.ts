import type { ServerResponse } from 'node:http';
import { errorText, type MalformedMessage, type Message, readMessages } from './message.ts';

/** A response that is a stream of events, with the requests that are still to be answered on it. */
interface Stream {
  readonly response: ServerResponse;
  readonly open: Map<string, string>;
}

const mostQueued = 1000;

/** The client's side of one HTTP session: which response a message goes out on. */
export class HttpClient {
  readonly #posts = new Set<Stream>();
  #own: ServerResponse | undefined;
  #queue: string[] = [];

  /** Takes the messages of one POST: answered by a stream where one of them wants an answer. */
  take(response: ServerResponse, messages: readonly (Message | MalformedMessage)[]): void {
    const open = new Map<string, string>();
    for (const message of messages) {
      if (message.kind === 'request') open.set(message.idKey, message.id);
      if (message.kind === 'malformed') open.set(message.id ?? 'null', message.id ?? 'null');
    }
    if (open.size === 0) {
      response.writeHead(202).end();
      return;
    }
    const stream: Stream = { response, open };
    this.#posts.add(stream);
    response.on('close', () => this.#posts.delete(stream));
    begin(response);
    this.#flush();
  }

  /** The stream for what the server says of its own accord; a second one takes the place of the first. */
  openStream(response: ServerResponse): void {
    this.#own?.end();
    this.#own = response;
    response.on('close', () => {
      if (this.#own === response) this.#own = undefined;
    });
    begin(response);
    this.#flush();
  }

  send(text: string): void {
    const [message] = readMessages(text);
    if (message?.kind === 'response') this.#respond(text, message.idKey);
    // An error without an id, to what had none that could be read.
    else if (message?.kind === 'malformed') this.#respond(text, 'null');
    else this.#say(text);
  }

  #say(text: string): void {
    const stream = this.#own ?? [...this.#posts].at(-1)?.response;
    if (stream !== undefined) write(stream, text);
    else if (this.#queue.length < mostQueued) this.#queue.push(text);
  }

  /** Nothing more comes for this request: the last one ends its stream. */
  drop(idKey: string): void {
    for (const stream of [...this.#posts]) {
      if (!stream.open.delete(idKey) || stream.open.size > 0) continue;
      stream.response.end();
      this.#posts.delete(stream);
    }
  }

  /** Answers everything that is open, since nobody will. */
  fail(why: string): void {
    for (const { open } of [...this.#posts]) {
      for (const id of [...open.values()]) this.send(errorText(id, -32_000, why));
    }
  }

  close(): void {
    this.#own?.end();
    for (const { response } of this.#posts) response.end();
  }

  #respond(text: string, idKey: string): void {
    const stream = [...this.#posts].find(({ open }) => open.has(idKey));
    // The client has gone away: what it asked for is in the ledger.
    if (stream === undefined) return;
    write(stream.response, text);
    this.drop(idKey);
  }

  #flush(): void {
    const queued = this.#queue;
    this.#queue = [];
    for (const text of queued) this.send(text);
  }
}

function begin(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
  });
  response.flushHeaders();
}

function write(response: ServerResponse, text: string): void {
  response.write(`event: message\ndata: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`);
}
