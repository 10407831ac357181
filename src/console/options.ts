import type { JsonValue } from '../call/json.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Sealer } from '../runtime/options.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Says who sent a request: a name that is kept with each verdict, true for somebody without one, false for nobody. */
export type Authenticate = (request: Request) => string | boolean | Promise<string | boolean>;

/** What may be shown of a value: names of properties whose values are hidden, `'*'` for all, or the host's own rule. */
export type Redact =
  | readonly string[]
  | ((value: JsonValue, of: { readonly tool: string; readonly field: RedactedField }) => JsonValue);

export type RedactedField = 'arguments' | 'result' | 'reference';

/** What `consoleHandler` takes. */
export interface ConsoleOptions {
  /** Who may look and settle. There is no default: nobody else stands before it. */
  readonly auth: Authenticate;
  /** The path that it is mounted at, `/console` say; the root if left out. */
  readonly base?: string;
  /** The runtime of this process: it asks the remote systems, and says how busy it is. */
  readonly runtime?: ConsoleRuntime;
  /** Nothing can be settled or asked. */
  readonly readOnly?: boolean;
  readonly redact?: Redact;
  /** The host's own encryption, where the ledger is sealed. */
  readonly sealer?: Sealer;
}

/** The part of a runtime that the console uses; `load` is left out where the calls run in other processes. */
export type ConsoleRuntime = Pick<Runtime<readonly AnyTool[]>, 'reconcile' | 'settle' | 'toolset'> &
  Partial<Pick<Runtime<readonly AnyTool[]>, 'load'>>;

/** Handles the requests below its base; what it does not know is answered by 404. */
export type ConsoleHandler = (request: Request) => Promise<Response>;
