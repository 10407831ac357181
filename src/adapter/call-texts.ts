import { NewestMap } from '../call/newest-map.ts';
import type { Runtime } from '../runtime/runtime.ts';

interface Kept {
  readonly text: string;
  /** Whether an earlier call of the same id had another text. */
  readonly hadOther: boolean;
  /** Whether a call of that id was handed to the runtime. */
  readonly wasRun: boolean;
}

const kept = new WeakMap<Runtime, NewestMap<string, Kept>>();

/** How many texts are kept for a runtime; past it the oldest goes. */
const most = 10_000;

/** The texts of the arguments as the model wrote them, by scope and call id, for as long as its runtime lives. */
export class CallTexts {
  readonly #texts: NewestMap<string, Kept>;
  readonly #scope: string;

  constructor(runtime: Runtime, scope: string) {
    this.#texts = kept.get(runtime) ?? new NewestMap(most);
    this.#scope = scope;
    kept.set(runtime, this.#texts);
  }

  keep(callId: string, text: string): void {
    const key = this.#key(callId);
    const before = this.#texts.get(key);
    const hadOther = before !== undefined && (before.hadOther || before.text !== text);
    this.#texts.set(key, { text, hadOther, wasRun: before?.wasRun ?? false });
  }

  /** The call is handed to the runtime. */
  run(callId: string): void {
    const key = this.#key(callId);
    const before = this.#texts.get(key);
    if (before !== undefined) this.#texts.set(key, { ...before, wasRun: true });
  }

  wasRun(callId: string): boolean {
    return this.#texts.get(this.#key(callId))?.wasRun ?? false;
  }

  /** The text of the latest call of that id. */
  find(callId: string): string | undefined {
    return this.#texts.get(this.#key(callId))?.text;
  }

  /** The text of every call of that id; undefined where there were several: models use an id again. */
  findOnly(callId: string): string | undefined {
    const found = this.#texts.get(this.#key(callId));
    return found?.hadOther === false ? found.text : undefined;
  }

  #key(callId: string): string {
    return JSON.stringify([this.#scope, callId]);
  }
}
