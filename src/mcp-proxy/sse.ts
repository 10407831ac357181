import { longestMessageBytes } from './limits.ts';

/** Reads server-sent events (WHATWG HTML, section 9.2) and hands out the data of each message. */
export class SseReader {
  /** The last event's id, by which a stream is taken up again. */
  lastId: string | undefined;
  /** How long the server asks to wait before that, in milliseconds. */
  retryMs: number | undefined;
  readonly #onData: (text: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #data: string[] = [];

  constructor(onData: (text: string) => void) {
    this.#onData = onData;
  }

  /** Reads until the stream ends or breaks; never rejects. */
  async read(stream: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of stream) {
        this.#push(this.#decoder.decode(chunk, { stream: true }));
        if (this.#rest.length > longestMessageBytes) return;
      }
    } catch {
      // It broke: whoever waits for an answer sees that there is none.
    }
  }

  #push(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') {
      const data = this.#data.join('\n');
      this.#data = [];
      if (data.trim() !== '') this.#onData(data);
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.lastId = value;
    else if (field === 'retry' && /^\d{1,6}$/.test(value)) this.retryMs = Number(value);
  }
}
