import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Evidence, Finding } from './evidence.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { ToolResult } from './result.ts';
import type { Step } from './step.ts';
import type { Defect } from './tool-error.ts';

/** What a tool does to the world: nothing, or something. */
export type Effect = 'read' | 'write';

/** A plain JSON Schema, draft 2020-12 or draft-07. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What describes arguments: zod, valibot, arktype or another Standard Schema, or a plain JSON Schema. */
export type InputSchema = StandardSchemaV1 | JsonSchema;

/** What a tool's `run` receives. */
export type InputOf<S> = S extends StandardSchemaV1<unknown, infer Output> ? Output : JsonObject;

/** What the model writes, before transforms. */
export type ArgumentsOf<S> = S extends StandardSchemaV1<infer Input, unknown> ? Input : JsonObject;

/** What every run is given. */
export interface ReadCall<Context> {
  /** The host's own, never shown to the model. */
  readonly context: Context;
  readonly scope: string;
  /** Aborted at the timeout and when the user cancels; for a write, only until it is dispatched. */
  readonly signal: AbortSignal;
}

/** What the runtime hands to the function that sends. */
export interface SendRequest {
  /** The idempotency key for the wire: the intent and its generation. */
  readonly key: string;
  /** Aborted when the longest life of a request (`requestMaxMs`) is over. */
  readonly signal: AbortSignal;
  /** Whether a physical send may start now. Asked right before each one, a retry too. */
  maySend(): boolean;
}

/** What one API promises of statuses that prove nothing by themselves. */
export interface StatusContract {
  /** Sent only where it refused before it changed anything, such as 429: 4xx, but never 408. */
  readonly rejects?: readonly number[];
  /** Sent only once the write is done, such as 303: 202 or 3xx. */
  readonly answers?: readonly number[];
}

/** Options of `ctx.fetch` beside those of `fetch`. */
export interface WriteFetchInit extends RequestInit {
  /** Statuses to return instead of throwing; what they prove stays as it is. */
  readonly acceptStatuses?: readonly number[];
  readonly contract?: StatusContract;
  /** The header that carries the key, where this API has a name of its own; `false` sends none. */
  readonly keyHeader?: string | false;
  /** `read` for a request that changes nothing: it is neither marked nor keyed. */
  readonly effect?: Effect;
}

/** What the run of a write is given. */
export interface WriteCall<Context> extends ReadCall<Context> {
  /** The idempotency key for the wire: the intent and its generation. */
  readonly key: string;
  /**
   * Marks durably that a request may leave, then calls `send`, once a run. Resolves to the evidence
   * that `send` returned; rejects where nothing may be sent any more, or where `send` threw.
   */
  dispatch<T>(send: (request: SendRequest) => Promise<Evidence<T>>): Promise<Evidence<T>>;
  /** `fetch` by the same rule; resolves only to success and rejects with an error that carries its evidence. */
  fetch(input: string | URL | Request, init?: WriteFetchInit): Promise<Response>;
  /** Runs what changes nothing (a token request, a look-up), exempt from the watch on unmarked sends. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps the remote system's reference for `reconcile`, at most 1,000 characters. */
  note(reference: string): Promise<void>;
}

/** What `reconcile` is given. */
export interface ReconcileCall<Context> extends ReadCall<Context> {
  readonly key: string;
  /** What `ctx.note` kept. */
  readonly note: string | undefined;
  /** When the first request of this generation may have left, in milliseconds since 1970. */
  readonly sentAtMs: number | undefined;
}

/** Allows a second, wanted, identical write. */
export interface RepeatRule<Input, Context> {
  /** The name of the ordinal's argument; `occurrence` if left out. */
  readonly argument?: string;
  /** Whether the host allows it now. Left out: in a new turn of the user's. */
  allow?(repeat: {
    readonly ordinal: number;
    readonly input: Input;
    readonly scope: string;
    readonly context: Context;
  }): boolean | Promise<boolean>;
}

interface CommonSpec<Name extends string, S extends InputSchema, Context> {
  /** Letters, digits, `_` and `-`, at most 64: valid for every provider. */
  readonly name: Name;
  readonly description: string;
  readonly input: S;
  /** What the tool needs of the host, as a Standard Schema; the model never sees it. */
  readonly context?: StandardSchemaV1<unknown, Context>;
  /** Hides the tool, and refuses its calls, where it has no business. */
  available?(context: Context): boolean;
  /** Parameters that only the user can supply: if one is missing, the result asks for it. */
  readonly askUser?: readonly string[];
  /** How long a call may take before its outcome is told; 30 s if left out. */
  readonly timeoutMs?: number;
  /** What `data` looks like; a replay is checked against it. */
  readonly output?: InputSchema;
}

/** A tool that changes nothing. */
export interface ReadSpec<
  Name extends string,
  S extends InputSchema,
  Context,
  Data extends JsonValue,
> extends CommonSpec<Name, S, Context> {
  readonly effect: 'read';
  /** The thing that is read: while a write to it is unsettled, the result carries a warning. */
  lane?(input: InputOf<S>, context: Context): string;
  run(input: InputOf<S>, call: ReadCall<Context>): Promise<ToolResult<Data>> | ToolResult<Data>;
}

/** A tool that changes something. */
export interface WriteSpec<
  Name extends string,
  S extends InputSchema,
  Context,
  Data extends JsonValue,
> extends CommonSpec<Name, S, Context> {
  readonly effect: 'write';
  /**
   * What makes two calls one intent: all arguments but the paths under `ignore` (`reason`,
   * `items.note`; arrays are walked through), or a value of the tool's own in their place.
   */
  readonly key?: { readonly ignore: readonly string[] } | ((args: ArgumentsOf<S>) => JsonValue);
  /** Writes of one lane run one at a time, across the whole ledger. Left out: the tool within the scope. */
  lane?(input: InputOf<S>, context: Context): string;
  /** Whether an unsettled write keeps its lane closed; true if left out. */
  readonly keepLane?: boolean;
  /** Whether doing it twice is doing it once, as when setting an address. */
  readonly idempotent?: boolean;
  readonly repeat?: true | RepeatRule<InputOf<S>, Context>;
  /** What a call does while its twin is queued or runs in this process; `skip` if left out. */
  readonly twin?: 'skip' | 'wait';
  /** How long a settled answer is replayed, from its first telling; 24 h if left out, Infinity allowed. */
  readonly replayMs?: number;
  /** The longest life of one request; 60 s if left out. Enforced. */
  readonly requestMaxMs?: number;
  /** How long the remote system may still act after a disconnect; 30 s if left out. */
  readonly marginMs?: number;
  /** How long the remote system honours an idempotency key; left out: it does not. */
  readonly remoteKeyMs?: number;
  run(input: InputOf<S>, call: WriteCall<Context>): Promise<ToolResult<Data>> | ToolResult<Data>;
  /** Asks the remote system what became of a write. */
  reconcile?(input: InputOf<S>, call: ReconcileCall<Context>): Promise<Finding> | Finding;
}

/** What `tool()` takes. */
export type ToolSpec<
  Name extends string = string,
  S extends InputSchema = InputSchema,
  Context = unknown,
  Data extends JsonValue = JsonValue,
> = ReadSpec<Name, S, Context, Data> | WriteSpec<Name, S, Context, Data>;

/** What decoding the arguments of one call gave. */
export interface AcceptedArguments<Input> {
  /** What `run` receives: the output of the tool's own schema. */
  readonly input: Input;
  /** The arguments exactly as the model wrote them, without the ordinal. */
  readonly args: JsonObject;
  /** Which identical write this is, counting from 1. */
  readonly ordinal: number;
}

/** A tool that may run: its spec, checked, with its schema compiled. */
export interface Tool<
  Name extends string = string,
  S extends InputSchema = InputSchema,
  Context = unknown,
  Data extends JsonValue = JsonValue,
> {
  readonly name: Name;
  readonly spec: ToolSpec<Name, S, Context, Data>;
  /** The schema of the arguments, as it is shown to the model and as it is enforced. */
  readonly parameters: JsonObject;
  /** What in it is shown to the model and not enforced: keywords and formats that nobody defines. */
  readonly warnings: readonly string[];
  /**
   * Holds arguments against that schema, then against the tool's own. Never throws: what the tool's
   * own schema throws goes to `onError`.
   */
  accept(
    args: JsonObject,
    onError?: (cause: unknown) => void,
  ): Step<AcceptedArguments<InputOf<S>>, readonly [Defect, ...Defect[]]>;
  /** Holds `data` against `output`; always passes where there is none. Says what is wrong, for the logger. */
  acceptData(data: JsonValue): Step<JsonValue, string>;
}

/** Any tool at all. */
// biome-ignore lint/suspicious/noExplicitAny: a tool's parameters stand in both directions of variance
export type AnyTool = Tool<any, any, any, any>;

/** Any tool that changes something. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type WriteTool = AnyTool & { readonly spec: WriteSpec<any, any, any, any> };

/** Whether a tool changes something. */
export function isWriteTool(tool: AnyTool): tool is WriteTool {
  return tool.spec.effect === 'write';
}

/** The closed list of tools that may run. */
export interface Toolset<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  readonly tools: Tools;
  readonly names: readonly string[];
  find(name: string): Tools[number] | undefined;
}

/** The call of one tool, decoded; over a union of tools, a union told apart by `name`. */
export type DecodedCall<T extends AnyTool = AnyTool> =
  T extends Tool<infer Name, infer S, infer _Context, infer _Data>
    ? { readonly name: Name; readonly tool: T } & AcceptedArguments<InputOf<S>>
    : never;

/** What a model asks for: a name, and the text of the arguments. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}
