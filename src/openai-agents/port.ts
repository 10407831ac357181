import { CallTexts } from '../adapter/call-texts.ts';
import type { Offered } from '../adapter/offered.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { NewestMap } from '../call/newest-map.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AgentsOptions } from './options.ts';

/** What the model, the tools and the options of the runs share. */
export interface AgentsPort {
  readonly offered: Offered;
  /** The runtime in its scope, which a session may have to be asked for. */
  joined(): Promise<ParsedJoined>;
  /** The newest results as they are rendered, by call id, where the SDK may have nobody left to tell. */
  readonly results: NewestMap<string, string>;
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
    results: new NewestMap(10_000),
    joined() {
      joining ??= join();
      return joining;
    },
  };
}
