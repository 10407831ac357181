import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { ParsedOptions } from '../adapter/parsed.ts';
import { Place } from '../adapter/place.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { CheckedChatModel } from './checked-chat-model.ts';
import { RuntimeTool } from './runtime-tool.ts';

/** What `forLangChain` takes beside the runtime. */
export interface LangChainOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends Omit<ParsedOptions<Tools>, 'scope'> {
  /** The chat model itself, as a provider's package makes it; a name to be looked up is none. */
  readonly model: BaseChatModel;
  /** The conversation or job; the `thread_id` of the run where it is left out. */
  readonly scope?: string;
}

/** What `createAgent`, `bindTools` and `ToolNode` take. */
export interface ForLangChain {
  readonly model: BaseChatModel;
  readonly tools: StructuredToolInterface[];
}

/**
 * The tools of a runtime for LangChain and LangGraph, and the chat model through which they see what
 * it really wrote. Both are to be used together. Throws a TypeError where the model is a name.
 */
export function forLangChain<const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: LangChainOptions<Tools>,
): ForLangChain {
  const { model, ...others } = options;
  if (typeof model?.bindTools !== 'function') {
    throw new TypeError(
      'forLangChain: model is to be a chat model that takes tools, not the name of one',
    );
  }
  const place = new Place(
    runtime as unknown as Runtime,
    others as unknown as LangChainOptions,
    'forLangChain: give a scope, or run with { configurable: { thread_id } }: a write belongs to a conversation',
  );
  const shown = runtime.tools(options.context);
  return {
    model: new CheckedChatModel(model, place),
    tools: shown.map((tool) => new RuntimeTool(tool, place)),
  };
}
