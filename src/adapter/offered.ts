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

  /** The schema that a tool is shown with, and whether it is in the form of strict mode. */
  form({ name, parameters }: Pick<ShownTool, 'name' | 'parameters'>): {
    readonly parameters: JsonObject;
    readonly strict: boolean;
  } {
    const mode = this.#strict.get(name);
    return { parameters: mode?.schema ?? parameters, strict: mode !== undefined };
  }

  /** The text of a call by the tool's own schema. */
  own(name: string, text: string): string {
    return this.#strict.get(name)?.restore(text) ?? text;
  }
}
