import type { JsonObject } from '../call/json.ts';
import { type StrictMode, strictMode } from '../decode/strict-mode.ts';
import type { Runtime, ShownTool } from '../runtime/runtime.ts';

/** The tools as they are offered to a model. */
export class Offered {
  readonly shown: readonly ShownTool[];
  readonly #strict: ReadonlyMap<string, StrictMode>;

  constructor(runtime: Runtime, context: unknown, strict: boolean) {
    this.shown = runtime.tools(context as never);
    const modes = (strict ? this.shown : []).flatMap(({ name, parameters }) => {
      const mode = strictMode(parameters);
      return mode.ok ? [[name, mode.value] as const] : [];
    });
    this.#strict = new Map(modes);
  }

  /**
   * A function as it goes over the wire. The SDK is not told of strict mode, since it would then parse
   * the arguments by itself, and reject where it cannot.
   */
  wire(named: JsonObject): JsonObject {
    const mode = this.#strict.get(String(named.name));
    return mode === undefined ? named : { ...named, parameters: mode.schema, strict: true };
  }

  /** The text of a call by the tool's own schema. */
  own(name: string, text: string): string {
    return this.#strict.get(name)?.restore(text) ?? text;
  }
}
