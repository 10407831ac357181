import type { AdapterOptions } from '../adapter/joined.ts';
import type { AnyClient } from '../adapter/own-client.ts';
import type { AnyTool } from '../call/tool.ts';

/** What `forChat` takes beside the runtime. */
export interface ChatOptions<
  Client extends AnyClient = AnyClient,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends AdapterOptions<Tools> {
  /** The client itself: `new OpenAI()`, or one of another provider that speaks the same. */
  readonly client: Client;
  /**
   * Shows the tools in the form of OpenAI's strict mode. Those that have none, such as one with a free
   * map, are shown as they are. `false` if left out.
   */
  readonly strict?: boolean;
}

/** What `forResponses` takes beside the runtime. */
export interface ResponsesOptions<
  Client extends AnyClient = AnyClient,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends Omit<ChatOptions<Client, Tools>, 'scope'> {
  /** The conversation or job; left out: the `conversation` that each request is in. */
  readonly scope?: string;
}

/** What stands beside one answering of calls. */
export interface AnswerOptions {
  /** Aborted when the user leaves. It reaches a write only until it is dispatched. */
  readonly signal?: AbortSignal;
}
