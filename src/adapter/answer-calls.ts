import { FreshIds } from './readable.ts';

/** The tool calls of one answer, as they come. */
export class AnswerCalls {
  readonly #others: ReadonlySet<string>;
  readonly #ids = new FreshIds();
  #count = 0;
  #ours = 0;

  /** `others`: names of tools that the host runs by itself. */
  constructor(others: ReadonlySet<string>) {
    this.#others = others;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether there are calls, and none of them is left to the host: then the run can always go on. */
  get areOurs(): boolean {
    return this.#count > 0 && this.#ours === this.#count;
  }

  /** Counts a call, and says by which id it is to go: one that stands twice in an answer is made two. */
  add(name: string, id: string): string {
    this.#count += 1;
    if (this.#others.has(name)) return id;
    this.#ours += 1;
    return this.#ids.take(id);
  }
}
