import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { handOn } from './hand-on.ts';
import { LineReader } from './line-reader.ts';
import { readLine } from './raw-message.ts';

/** What the stdio transport may be told. */
export interface StrictStdioOptions {
  /** `process.stdin` if left out. */
  readonly input?: Readable;
  /** `process.stdout` if left out. */
  readonly output?: Writable;
  /** The longest message, in bytes; 10,485,760 if left out. */
  readonly maxBytes?: number;
}

/**
 * The stdio transport for a server of `@modelcontextprotocol/sdk` 1 or `@modelcontextprotocol/server`
 * 2, by which calls run by the text of their arguments. It answers what is no message (-32700, -32600)
 * and reads on; where nobody reads the answers, it stops reading too. It closes when its input ends.
 * Each is a session of its own.
 */
export class StrictStdioTransport {
  // The SDK sets them.
  onmessage: ((message: never, extra?: never) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly sessionId: string = randomUUID();
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: LineReader;
  #state: 'new' | 'open' | 'closed' = 'new';
  #drained: Promise<void> | undefined;

  constructor({
    input = process.stdin,
    output = process.stdout,
    maxBytes,
  }: StrictStdioOptions = {}) {
    this.#input = input;
    this.#output = output;
    this.#lines = new LineReader(maxBytes);
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('A StrictStdioTransport is started once.');
    this.#state = 'open';
    this.#input.on('data', this.#read);
    this.#input.on('error', this.#fail);
    this.#input.once('end', this.#end);
    this.#input.once('close', this.#end);
    this.#output.on('error', this.#fail);
    if (this.#input.readableEnded || this.#input.destroyed) queueMicrotask(this.#end);
  }

  /** Resolves once the text is taken; rejects where the transport is closed. */
  async send(message: unknown): Promise<void> {
    await this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#input.off('data', this.#read);
    this.#input.off('end', this.#end);
    this.#input.off('close', this.#end);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (const line of this.#lines.push(bytes)) this.#handle(line);
  };

  readonly #end = (): void => {
    if (this.#state !== 'open') return;
    for (const line of this.#lines.end()) this.#handle(line);
    void this.close();
  };

  readonly #fail = (error: Error): void => {
    if (this.#state !== 'open') return;
    this.onerror?.(error);
    void this.close();
  };

  #handle(line: Parameters<typeof readLine>[0]): void {
    if (this.#state !== 'open') return;
    const handled = handOn(readLine(line));
    if (handled.kind === 'message') {
      this.onmessage?.(handled.message as never);
      return;
    }
    this.onerror?.(new Error(`Answered what is no message: ${handled.answer}`));
    this.#write(handled.answer).catch(this.#fail);
  }

  async #write(text: string): Promise<void> {
    if (this.#state === 'closed') throw new Error('The transport is closed.');
    if (this.#output.write(`${text}\n`)) return;
    this.#drained ??= this.#drain();
    await this.#drained;
  }

  /** Whoever sends and does not read is not listened to meanwhile. */
  async #drain(): Promise<void> {
    this.#input.pause();
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const event of ['drain', 'error', 'close']) this.#output.off(event, go);
        resolve();
      };
      for (const event of ['drain', 'error', 'close']) this.#output.once(event, go);
    });
    this.#drained = undefined;
    if (this.#state === 'open') this.#input.resume();
  }
}
