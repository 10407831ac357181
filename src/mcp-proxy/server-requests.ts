import type { JsonValue } from '../call/json.ts';
import type { RequestMessage, ResponseMessage } from './message.ts';
import { splice } from './raw-json.ts';

interface Asked {
  /** The id as the server wrote it. */
  readonly id: string;
  readonly incarnation: number;
  isLost: boolean;
}

const mostKept = 10_000;

/** What the server has asked the client, so that no answer reaches a server that did not ask. */
export class ServerRequests {
  readonly #asked = new Map<string, Asked>();
  #lastAlias = 0;

  /** The text for the client: the server's own, unless a server that is gone had asked under that id. */
  take(message: RequestMessage, incarnation: number): string {
    const { id, idKey, text, idSpan } = message;
    const isTaken = this.#asked.get(idKey)?.isLost === true;
    if (this.#asked.size >= mostKept) this.#asked.clear();
    if (!isTaken) {
      this.#asked.set(idKey, { id, incarnation, isLost: false });
      return text;
    }
    this.#lastAlias += 1;
    const alias = `forthright-alias-${this.#lastAlias}`;
    this.#asked.set(`"${alias}`, { id, incarnation, isLost: false });
    return splice(text, [{ span: idSpan, with: JSON.stringify(alias) }]);
  }

  /** The text for the server; undefined where the server that asked is gone. */
  answer(message: ResponseMessage, incarnation: number): string | undefined {
    const asked = this.#asked.get(message.idKey);
    if (asked === undefined) return message.text;
    this.#asked.delete(message.idKey);
    if (asked.isLost || asked.incarnation !== incarnation) return undefined;
    return splice(message.text, [{ span: message.idSpan, with: asked.id }]);
  }

  /** The server is gone: the ids of what the client need not answer any more. */
  lost(): readonly JsonValue[] {
    const open = [...this.#asked].filter(([, asked]) => !asked.isLost);
    for (const [, asked] of open) asked.isLost = true;
    return open.map(([key]) => (key.startsWith('"') ? key.slice(1) : (JSON.parse(key) as number)));
  }
}
