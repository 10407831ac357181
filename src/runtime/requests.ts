import type { JsonObject } from '../call/json.ts';
import type { Result } from '../call/result.ts';
import type { WriteTool } from '../call/tool.ts';
import type { Entry } from '../ledger/entry.ts';

/** What is told of a call. */
export interface Told {
  readonly result: Result;
  readonly key?: string;
}

/** A write as it was decoded, in its scope. */
export interface DecodedWrite {
  readonly tool: WriteTool;
  readonly input: unknown;
  readonly args: JsonObject;
  readonly ordinal: number;
  readonly scope: string;
  readonly context: unknown;
}

/** A write on its way through a runtime. */
export interface WriteRequest extends DecodedWrite {
  /** Which call of the runtime it is, for its events. */
  readonly call: number;
  /** Absent where the user cannot leave. */
  readonly signal: AbortSignal | undefined;
  readonly turn: string | null;
}

/** What one attempt is made for. */
export interface AttemptRequest {
  /** Which call of the runtime it is made for; 0 for none. */
  readonly call: number;
  readonly tool: WriteTool;
  readonly input: unknown;
  readonly scope: string;
  readonly context: unknown;
  /** Absent where the user cannot leave. */
  readonly signal: AbortSignal | undefined;
  /** As claimed: its token and generation are this attempt's own. */
  readonly entry: Entry;
  /** Given where an unknown entry is asked about by sending again with the same wire key. */
  readonly askAgainId?: string;
}
