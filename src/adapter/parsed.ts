import type { AnyTool, DecodedCall } from '../call/tool.ts';
import type { CallTexts } from './call-texts.ts';
import type { AdapterOptions, Joined } from './joined.ts';

/** What an adapter takes whose framework parses the arguments itself and can wait for a person. */
export interface ParsedOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends AdapterOptions<Tools> {
  /** Which calls wait for a person's word. Asked only of calls that could run as they stand. */
  needsApproval?(call: DecodedCall<Tools[number]>): boolean | Promise<boolean>;
}

/** What both sides of such an adapter share: the model's keeps the texts, the tools' runs by them. */
export interface ParsedJoined extends Joined {
  readonly options: ParsedOptions;
  readonly texts: CallTexts;
}
