import { CallTexts } from '../adapter/call-texts.ts';
import type { Offered } from '../adapter/offered.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AgentsOptions } from './options.ts';

/** What the model, the tools and the options of the runs share. */
export interface AgentsPort {
  readonly offered: Offered;
  /** The runtime in its scope, which a session may have to be asked for. */
  joined(): Promise<ParsedJoined>;
  /** What the tools came to, by call id, where the SDK may have nobody left to tell. */
  readonly results: KeptResults;
}

/** The latest results as they are rendered, at most 10,000. */
export class KeptResults {
  readonly #texts = new Map<string, string>();

  keep(callId: string, text: string): string {
    this.#texts.set(callId, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > 10_000 && oldest !== undefined) this.#texts.delete(oldest);
    return text;
  }

  get(callId: string): string | undefined {
    return this.#texts.get(callId);
  }

  /** A new call goes by that id, and what an earlier one came to says nothing of it. */
  forget(callId: string): void {
    this.#texts.delete(callId);
  }
}

/** Joins a runtime to the scope that the options name. Throws a TypeError where they name none. */
export function agentsPort(runtime: Runtime, options: AgentsOptions, offered: Offered): AgentsPort {
  const { scope, session, conversationId } = options;
  if (![scope, session, conversationId].some((one) => one !== undefined && one !== '')) {
    throw new TypeError(
      'forAgents: no scope is known; give it a scope, a session or a conversationId',
    );
  }
  let joining: Promise<ParsedJoined> | undefined;
  const join = async (): Promise<ParsedJoined> => {
    const own = scope ?? (await session?.getSessionId()) ?? conversationId ?? '';
    return { runtime, options: { ...options, scope: own }, texts: new CallTexts(runtime, own) };
  };
  return {
    offered,
    results: new KeptResults(),
    joined() {
      joining ??= join();
      return joining;
    },
  };
}
