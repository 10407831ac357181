import type { Model, Session } from '@openai/agents';
import type { ParsedOptions } from '../adapter/parsed.ts';
import type { AnyTool } from '../call/tool.ts';

/** What `forAgents` takes beside the runtime. */
export interface AgentsOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends Omit<ParsedOptions<Tools>, 'scope'> {
  /** The model, or its name, which the default provider of the SDK looks up. */
  readonly model: Model | string;
  /** The conversation or job; left out: the id of the session, or of the conversation. */
  readonly scope?: string;
  /** The session that the runs are in. */
  readonly session?: Session;
  /** The conversation of OpenAI's that the runs are in. */
  readonly conversationId?: string;
  /**
   * Shows the tools in the form of OpenAI's strict mode. Those that have none, such as one with a free
   * map, are shown as they are. `false` if left out.
   */
  readonly strict?: boolean;
}
