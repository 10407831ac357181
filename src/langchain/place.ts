import { CallTexts } from '../adapter/call-texts.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { LangChainOptions } from './for-langchain.ts';

/** Where the calls of a run belong. */
export class Place {
  readonly runtime: Runtime;
  readonly #options: Omit<LangChainOptions, 'model'>;

  constructor(runtime: Runtime, options: Omit<LangChainOptions, 'model'>) {
    this.runtime = runtime;
    this.#options = options;
  }

  /** By the options, else by the thread of the run. Throws a TypeError where neither is given. */
  of(threadId: unknown): ParsedJoined {
    const scope = this.#options.scope ?? threadId;
    if (typeof scope !== 'string' || scope === '') {
      throw new TypeError(
        'forLangChain: give a scope, or run with { configurable: { thread_id } }: a write belongs to a conversation',
      );
    }
    const { runtime } = this;
    return { runtime, options: { ...this.#options, scope }, texts: new CallTexts(runtime, scope) };
  }
}
