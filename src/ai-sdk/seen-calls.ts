import { decode } from '../decode/decode.ts';
import type { Joined } from './joined.ts';
import type { CallOptions, Part } from './protocol.ts';

/** The tool calls of one answer, as they come. */
export class SeenCalls {
  readonly #joined: Joined;
  readonly #others: ReadonlySet<string>;
  readonly #ids = new Set<string>();
  #count = 0;
  #ours = 0;

  constructor(joined: Joined, { tools = [] }: CallOptions) {
    const { names } = joined.runtime.toolset;
    this.#joined = joined;
    this.#others = new Set(tools.map(({ name }) => name).filter((name) => !names.includes(name)));
  }

  get count(): number {
    return this.#count;
  }

  /** Keeps the text of a call, and gives it back as the SDK can read it. Other parts are left alone. */
  read(part: Part): Part {
    if (part.type !== 'tool-call' || part.providerExecuted === true) return part;
    this.#count += 1;
    const { toolName: name = '', toolCallId = '', input } = part;
    if (this.#others.has(name)) return part;
    this.#ours += 1;
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    const id = this.#freshId(toolCallId);
    this.#joined.texts.keep(id, text);
    return { ...part, toolCallId: id, input: this.#isReadable(name, text) ? text : '{}' };
  }

  /** An answer that was cut off in a call of ours is answered like any call that cannot run. */
  mustGoOn(reason: string): boolean {
    return reason === 'length' && this.#ours > 0 && this.#ours === this.#count;
  }

  /** The SDK tells calls apart by their ids: one that stands twice in an answer is made two. */
  #freshId(id: string): string {
    let fresh = id;
    for (let time = 2; this.#ids.has(fresh); time += 1) fresh = `${id}_${time}`;
    this.#ids.add(fresh);
    return fresh;
  }

  #isReadable(name: string, text: string): boolean {
    const decoded = decode(this.#joined.runtime.toolset, { name, arguments: text });
    if (decoded.ok) return true;
    const { defects } = decoded.error;
    if (defects.some(({ code }) => unreadable.has(code))) return false;
    return defects[0].code !== 'unknown_tool' || isJson(text);
  }
}

/** What the SDK's own parser refuses, for which it would have words of its own. */
const unreadable: ReadonlySet<string> = new Set(['invalid_json', 'forbidden_key']);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
