import type { AnyTool, DecodedCall } from '../call/tool.ts';
import type { ReplyOptions } from '../reply/types.ts';
import type { ContextOf, Runtime } from '../runtime/runtime.ts';
import type { CallTexts } from './call-texts.ts';
import type { AnyLanguageModel } from './protocol.ts';

/** What `forAiSdk` takes beside the runtime. */
export interface AiSdkOptions<
  Model extends AnyLanguageModel = AnyLanguageModel,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> {
  /** The model itself, as a provider makes it; a name to be looked up is none. */
  readonly model: Model;
  /** The conversation or job: the id of the chat. */
  readonly scope: string;
  /** The host's own, for the tools. */
  readonly context?: ContextOf<Tools>;
  /** The id of this turn of the user's: a wanted repeat needs a new one. */
  readonly turn?: string | number;
  /** Which calls wait for a person's word. Asked only of calls that could run as they stand. */
  needsApproval?(call: DecodedCall<Tools[number]>): boolean | Promise<boolean>;
  /**
   * Holds each last answer against the record of the scope before it is seen; its text is then
   * streamed once it is complete. `false` if left out.
   */
  readonly checkReply?: boolean | ReplyOptions;
}

/** What the model's side and the tools' side share. */
export interface Joined {
  readonly runtime: Runtime;
  readonly options: Omit<AiSdkOptions, 'model'>;
  readonly texts: CallTexts;
}
