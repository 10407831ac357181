import type { Tool } from 'ai';
import { CallTexts } from '../adapter/call-texts.ts';
import { checkedModel } from '../adapter/checked-model.ts';
import type { ParsedOptions } from '../adapter/parsed.ts';
import type { AnyLanguageModel } from '../adapter/protocol.ts';
import type { JsonObject } from '../call/json.ts';
import type { Result } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { sdkTools } from './sdk-tools.ts';

/** What `forAiSdk` takes beside the runtime. */
export interface AiSdkOptions<
  Model extends AnyLanguageModel = AnyLanguageModel,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends ParsedOptions<Tools> {
  /** The model itself, as a provider makes it; a name to be looked up is none. */
  readonly model: Model;
}

/** What `generateText`, `streamText` and the agents of the AI SDK take. */
export interface ForAiSdk<Model> {
  readonly model: Model;
  readonly tools: Record<string, Tool<JsonObject, Result>>;
}

/**
 * The tools of a runtime for the AI SDK, and the model through which they see what it really wrote.
 * Both are to be used together. Throws a TypeError where the model is a name.
 */
export function forAiSdk<Model extends AnyLanguageModel, const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: AiSdkOptions<Model, Tools>,
): ForAiSdk<Model> {
  if (typeof options.model !== 'object' || options.model === null) {
    throw new TypeError('forAiSdk: model is to be a model of a provider, not its name');
  }
  const joined = {
    runtime: runtime as unknown as Runtime,
    options: options as unknown as AiSdkOptions,
    texts: new CallTexts(runtime as unknown as Runtime, options.scope),
  };
  return { model: checkedModel(options.model, () => joined), tools: sdkTools(joined) };
}
