import type { ParsedJoined } from './parsed.ts';
import type { CallOptions, Part } from './protocol.ts';
import { FreshIds, halfText, handedText } from './readable.ts';

/** The tool calls of one answer, as they come. */
export class SeenCalls {
  readonly #joined: ParsedJoined;
  readonly #others: ReadonlySet<string>;
  readonly #ids = new FreshIds();
  #count = 0;
  #ours = 0;

  constructor(joined: ParsedJoined, { tools = [] }: CallOptions) {
    const { names } = joined.runtime.toolset;
    this.#joined = joined;
    this.#others = new Set(tools.map(({ name }) => name).filter((name) => !names.includes(name)));
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Keeps the text of a call, and gives it back as the SDK can read it; `isCut` where the answer was cut
   * off in it. Other parts are left alone.
   */
  read(part: Part, isCut = false): Part {
    if (part.type !== 'tool-call' || part.providerExecuted === true) return part;
    this.#count += 1;
    const { toolName: name = '', toolCallId = '', input } = part;
    if (this.#others.has(name)) return part;
    this.#ours += 1;
    const written = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    const text = isCut ? halfText(written) : written;
    const id = this.#ids.take(toolCallId);
    this.#joined.texts.keep(id, text);
    return { ...part, toolCallId: id, input: handedText(this.#joined.runtime.toolset, name, text) };
  }

  /** An answer that was cut off in a call of ours is answered like any call that cannot run. */
  mustGoOn(reason: string): boolean {
    return reason === 'length' && this.#ours > 0 && this.#ours === this.#count;
  }
}
