import { checkReply } from './check.ts';
import type { ReplyEntry, ReplyOptions } from './types.ts';
import { unitsOf } from './units.ts';

/** What a stream of text is held against; entries are asked for anew, since they change meanwhile. */
export interface ReplyStreamOptions extends ReplyOptions {
  entries(): readonly ReplyEntry[] | Promise<readonly ReplyEntry[]>;
}

/** How much of what was released is read again with each sentence, in UTF-16 units: what "it" may mean. */
const longestLookBack = 4_000;

/**
 * Lets a reply through by the sentence: each is released once the next one has begun and nothing in it
 * is contradicted. From the first contradiction on the text is held until its end, and then the
 * checked form of it is released, so that nothing false is shown and then taken back.
 */
class ReplyGate {
  readonly #options: ReplyStreamOptions;
  #text = '';
  #released = 0;
  #isHolding = false;

  constructor(options: ReplyStreamOptions) {
    this.#options = options;
  }

  /** What may be shown now that more text has arrived. */
  async push(chunk: string): Promise<string> {
    this.#text += chunk;
    if (this.#isHolding) return '';
    const end = unitsOf(this.#text.slice(this.#released)).at(-1)?.start ?? 0;
    if (end <= 0) return '';
    const from = Math.max(0, this.#released - longestLookBack);
    const readable = this.#text.slice(from, this.#released + end);
    const { findings } = await this.#check(readable);
    this.#isHolding = findings.length > 0;
    const isFree = findings.every(({ start }) => from + start >= this.#released);
    const safe = Math.min(this.#released + end, ...findings.map(({ start }) => from + start));
    return isFree ? this.#release(safe) : '';
  }

  /** What is left to show once the text has ended. */
  async end(): Promise<string> {
    const shown = this.#text.slice(0, this.#released);
    const rest = this.#text.slice(this.#released);
    const whole = await this.#check(this.#text);
    if (whole.verdict === 'pass') return rest;
    if (whole.reply.startsWith(shown)) return whole.reply.slice(shown.length);
    const own = await this.#check(rest);
    const isOwn = own.verdict === 'corrected';
    // Read by itself, the rest may be without what made it false: then the whole is said again.
    return `${shown.trimEnd() === shown ? '\n\n' : ''}${isOwn ? own.reply : whole.reply}`;
  }

  #release(end: number): string {
    const text = this.#text.slice(this.#released, end);
    this.#released = end;
    return text;
  }

  async #check(text: string): Promise<ReturnType<typeof checkReply>> {
    const { entries, ...options } = this.#options;
    return checkReply(text, await entries(), options);
  }
}

/** A transform for web streams of text, such as a model's reply on its way to the customer. */
export function replyStream(options: ReplyStreamOptions): TransformStream<string, string> {
  const gate = new ReplyGate(options);
  const enqueue = (text: string, out: TransformStreamDefaultController<string>): void => {
    if (text !== '') out.enqueue(text);
  };
  return new TransformStream({
    transform: async (chunk, out) => enqueue(await gate.push(chunk), out),
    flush: async (out) => enqueue(await gate.end(), out),
  });
}

/** The same for async iterables. Where the source throws, what is held back is not shown. */
export async function* checkedText(
  source: AsyncIterable<string>,
  options: ReplyStreamOptions,
): AsyncGenerator<string> {
  const gate = new ReplyGate(options);
  for await (const chunk of source) {
    const text = await gate.push(chunk);
    if (text !== '') yield text;
  }
  const text = await gate.end();
  if (text !== '') yield text;
}
