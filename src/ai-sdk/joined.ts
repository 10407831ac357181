import type { CallTexts } from '../adapter/call-texts.ts';
import type { AdapterOptions, Joined as JoinedToRuntime } from '../adapter/joined.ts';
import type { AnyTool, DecodedCall } from '../call/tool.ts';
import type { AnyLanguageModel } from './protocol.ts';

/** What `forAiSdk` takes beside the runtime. */
export interface AiSdkOptions<
  Model extends AnyLanguageModel = AnyLanguageModel,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends AdapterOptions<Tools> {
  /** The model itself, as a provider makes it; a name to be looked up is none. */
  readonly model: Model;
  /** Which calls wait for a person's word. Asked only of calls that could run as they stand. */
  needsApproval?(call: DecodedCall<Tools[number]>): boolean | Promise<boolean>;
}

/** What the model's side and the tools' side share. */
export interface Joined extends JoinedToRuntime {
  readonly options: Omit<AiSdkOptions, 'model'>;
  readonly texts: CallTexts;
}
