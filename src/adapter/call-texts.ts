import type { Runtime } from '../runtime/runtime.ts';

const kept = new WeakMap<Runtime, Map<string, string>>();

/** How many texts are kept for a runtime; past it the oldest goes. */
const most = 10_000;

/** The texts of the arguments as the model wrote them, by scope and call id, for as long as its runtime lives. */
export class CallTexts {
  readonly #texts: Map<string, string>;
  readonly #scope: string;

  constructor(runtime: Runtime, scope: string) {
    this.#texts = kept.get(runtime) ?? new Map();
    this.#scope = scope;
    kept.set(runtime, this.#texts);
  }

  keep(callId: string, text: string): void {
    const key = this.#key(callId);
    this.#texts.delete(key);
    this.#texts.set(key, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > most && oldest !== undefined) this.#texts.delete(oldest);
  }

  find(callId: string): string | undefined {
    return this.#texts.get(this.#key(callId));
  }

  #key(callId: string): string {
    return JSON.stringify([this.#scope, callId]);
  }
}
