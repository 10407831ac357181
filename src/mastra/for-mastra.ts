import type { InputProcessor } from '@mastra/core/processors';
import type { Tool } from '@mastra/core/tools';
import { checkedModel } from '../adapter/checked-model.ts';
import type { ParsedOptions } from '../adapter/parsed.ts';
import { Place } from '../adapter/place.ts';
import type { AnyLanguageModel } from '../adapter/protocol.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { mastraTools } from './mastra-tools.ts';

/** What `forMastra` takes beside the runtime. */
export interface MastraOptions<
  Model extends AnyLanguageModel = AnyLanguageModel,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends Omit<ParsedOptions<Tools>, 'scope'> {
  /** The model itself, as a provider of the AI SDK makes it; a name to be looked up is none. */
  readonly model: Model;
  /** The conversation or job; the thread of the run where it is left out, for which Mastra has to be 1. */
  readonly scope?: string;
}

/** What an `Agent` takes. */
export interface ForMastra<Model> {
  readonly model: Model;
  readonly tools: Record<string, Tool>;
  /** Brings the model of each step to the thread of the run. */
  readonly inputProcessors: InputProcessor[];
}

/**
 * The tools of a runtime for an agent of Mastra, and the model through which they see what it really
 * wrote. All is to be used together. Throws a TypeError where the model is a name.
 */
export function forMastra<Model extends AnyLanguageModel, const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: MastraOptions<Model, Tools>,
): ForMastra<Model> {
  const { model, ...others } = options;
  if (typeof model !== 'object' || model === null) {
    throw new TypeError('forMastra: model is to be a model of a provider, not its name');
  }
  const place = new Place(
    runtime as unknown as Runtime,
    others as unknown as Omit<MastraOptions, 'model'>,
    'forMastra: give a scope, or run the agent with its inputProcessors and { memory: { thread, resource } }: a write belongs to a conversation',
  );
  return {
    // Where no processor brings it to a thread it needs the scope of the options, and says so.
    model: checkedModel(model, () => place.of(undefined)),
    tools: mastraTools(place, options.context),
    inputProcessors: [
      {
        id: 'forthright',
        processInputStep: ({ messageList }) => {
          const { memoryInfo } = messageList as unknown as { memoryInfo?: { threadId?: string } };
          const joined = place.of(memoryInfo?.threadId);
          return { model: checkedModel(model, () => joined) as never };
        },
      },
    ],
  };
}
