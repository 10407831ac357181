import type { Runtime } from '../runtime/runtime.ts';
import { CallTexts } from './call-texts.ts';
import type { ParsedJoined, ParsedOptions } from './parsed.ts';

/** Options whose scope may be left to the framework's own thread. */
type PlacedOptions = Omit<ParsedOptions, 'scope'> & { readonly scope?: string };

/** Where the calls of a run belong. */
export class Place {
  readonly runtime: Runtime;
  readonly #options: PlacedOptions;
  readonly #unknown: string;

  /** `unknown` is what is said where neither a scope nor a thread is given. */
  constructor(runtime: Runtime, options: PlacedOptions, unknown: string) {
    this.runtime = runtime;
    this.#options = options;
    this.#unknown = unknown;
  }

  get needsApproval(): ParsedOptions['needsApproval'] {
    return this.#options.needsApproval;
  }

  /** By the options, else by the thread of the run. Throws a TypeError where neither is given. */
  of(threadId: unknown): ParsedJoined {
    const scope = this.#options.scope ?? threadId;
    if (typeof scope !== 'string' || scope === '') throw new TypeError(this.#unknown);
    const { runtime } = this;
    return { runtime, options: { ...this.#options, scope }, texts: new CallTexts(runtime, scope) };
  }
}
