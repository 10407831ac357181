import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { idKeyOf, type ResponseMessage, requestText } from './message.ts';
import { cutOut } from './raw-json.ts';

/** How long the user may take over one. */
const longestMs = 300_000;

/** What the proxy itself asks a client. */
export class ClientQuestions {
  readonly #toClient: (text: string) => void;
  readonly #open = new Map<string, (message: ResponseMessage) => void>();

  constructor(toClient: (text: string) => void) {
    this.#toClient = toClient;
  }

  /** Resolves to the result; undefined where there is none, or none within five minutes. */
  ask(method: string, params: JsonValue): Promise<JsonObject | undefined> {
    const id = JSON.stringify(`forthright-${randomUUID()}`);
    const key = idKeyOf(id) ?? id;
    return new Promise((resolve) => {
      const end = (result: JsonObject | undefined): void => {
        clearTimeout(late);
        this.#open.delete(key);
        resolve(result);
      };
      const late = setTimeout(() => end(undefined), longestMs).unref();
      this.#open.set(key, ({ text, result }) =>
        end(result && (JSON.parse(cutOut(text, result)) as JsonObject)),
      );
      this.#toClient(requestText(id, method, params));
    });
  }

  /** Whether a response was to one of these. */
  take(message: ResponseMessage): boolean {
    const answer = this.#open.get(message.idKey);
    answer?.(message);
    return answer !== undefined;
  }
}
