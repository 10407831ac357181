import type { JsonValue } from '../call/json.ts';
import type { ReplyRead } from '../reply/types.ts';

const mostReads = 1000;
const mostLength = 8 * 1024 * 1024;

interface Kept {
  readonly scope: string;
  readonly read: ReplyRead;
  readonly length: number;
}

/** What reads showed lately in this process, for the reply check: bounded over all scopes, oldest out first. */
export class RecentReads {
  readonly #kept = new Set<Kept>();
  #length = 0;

  keep(scope: string, tool: string, input: JsonValue, data: JsonValue): void {
    const length = JSON.stringify(input).length + JSON.stringify(data).length;
    this.#kept.add({ scope, read: { tool, input, data }, length });
    this.#length += length;
    for (const oldest of this.#kept) {
      if (this.#kept.size <= mostReads && this.#length <= mostLength) return;
      this.#kept.delete(oldest);
      this.#length -= oldest.length;
    }
  }

  of(scope: string): readonly ReplyRead[] {
    return [...this.#kept].filter((kept) => kept.scope === scope).map(({ read }) => read);
  }
}
