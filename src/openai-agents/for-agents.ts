import type {
  FunctionTool,
  Model,
  Session,
  ToolErrorFormatter,
  ToolNotFoundBehavior,
} from '@openai/agents';
import { Offered } from '../adapter/offered.ts';
import { denied, ownResult } from '../adapter/unheard.ts';
import { renderResult } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { ownTool } from './agent-tools.ts';
import { CheckedModel } from './checked-model.ts';
import type { AgentsOptions } from './options.ts';
import { type AgentsPort, agentsPort } from './port.ts';

/** What `run` takes beside the agent and the input. */
export interface RunOptions {
  readonly toolNotFoundBehavior: ToolNotFoundBehavior;
  readonly toolErrorFormatter: ToolErrorFormatter;
  readonly session?: Session;
  readonly conversationId?: string;
}

/** What agents and their runs take. */
export interface ForAgents {
  readonly model: Model;
  readonly tools: FunctionTool<unknown, never, string>[];
  readonly runOptions: RunOptions;
}

/**
 * The tools of a runtime for agents of OpenAI's Agents SDK, the model through which they see what it
 * really wrote, and the options of their runs. All are to be used together. Throws a TypeError where
 * there is no model, or no scope is known.
 */
export function forAgents<const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: AgentsOptions<Tools>,
): ForAgents {
  const { model, session, conversationId, context, strict = false } = options;
  if (typeof model !== 'string' && typeof model?.getResponse !== 'function') {
    throw new TypeError('forAgents: model is to be a model of the SDK, or its name');
  }
  const own = runtime as unknown as Runtime;
  const offered = new Offered(own, context, strict);
  const port = agentsPort(own, options as unknown as AgentsOptions, offered);
  const isAsked = options.needsApproval !== undefined;
  return {
    model: new CheckedModel(port, model),
    tools: offered.shown.map((tool) => ownTool(port, tool, isAsked)),
    runOptions: {
      toolNotFoundBehavior: 'return_error_to_model',
      toolErrorFormatter: (told) => ownError(port, told),
      ...(session === undefined ? {} : { session }),
      ...(conversationId === undefined ? {} : { conversationId }),
    },
  };
}

/** What the SDK says of a call of ours, or of a tool that is not there; of others it may say it itself. */
async function ownError(
  port: AgentsPort,
  { kind, toolName, callId }: Parameters<ToolErrorFormatter>[0],
): Promise<string | undefined> {
  const joined = await port.joined();
  if (kind === 'tool_not_found') return renderResult(ownResult(joined, toolName, callId));
  const isOurs = joined.runtime.toolset.find(toolName) !== undefined;
  return isOurs && kind === 'approval_rejected' ? renderResult(denied(undefined)) : undefined;
}
