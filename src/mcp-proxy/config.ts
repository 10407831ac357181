import type { JsonValue } from '../call/json.ts';
import type { Effect } from '../call/tool.ts';

/** What a proxy is configured to do; `config.schema.json` in the package describes the file. */
export interface ProxyConfig {
  readonly $schema?: string;
  /** Which calls can be the same intent; one for the whole ledger if left out. */
  readonly scope?: string;
  /** How long a call may take before its outcome is told, in ms; 55,000 for a read, 30,000 for a write if left out. */
  readonly timeoutMs?: number;
  /** How long an identical write counts as the same intent, from when it was told, in ms; 900,000 if left out. */
  readonly replayMs?: number;
  /** Names of tools (`*` stands for any text) that only read, where the server itself does not say. */
  readonly reads?: readonly string[];
  readonly errorMeans?: ErrorMeaning;
  readonly extraArguments?: ExtraArguments;
  /** Whether the tool `check_write` is added to the server's own; false if left out. */
  readonly checkWrite?: boolean;
  readonly tools?: Readonly<Record<string, ToolRule>>;
}

/**
 * What an answer with `isError` says of a write: `unknown` if left out, since a tool may fail after it
 * has changed something; `nothing_changed` is the word of whoever knows the server.
 */
export type ErrorMeaning = 'unknown' | 'nothing_changed';

/** What becomes of arguments that a tool's schema does not name and does not rule out; `refuse` if left out. */
export type ExtraArguments = 'refuse' | 'pass';

/** What is said of one tool; what is left out is as the server's annotations and the defaults have it. */
export interface ToolRule {
  readonly effect?: Effect;
  readonly idempotent?: boolean;
  readonly key?: { readonly only: readonly string[] } | { readonly ignore: readonly string[] };
  /** What is written, such as `repo:{owner}/{repo}`; the tool within the scope if left out. */
  readonly lane?: string;
  /** Whether an unsettled write keeps its lane closed; if left out, where `lane` is given. */
  readonly keepLane?: boolean;
  readonly timeoutMs?: number;
  readonly replayMs?: number;
  readonly requestMaxMs?: number;
  readonly marginMs?: number;
  readonly errorMeans?: ErrorMeaning;
  readonly extraArguments?: ExtraArguments;
  readonly repeat?: true | { readonly argument: string };
  readonly reconcile?: ReconcileRule;
}

/** How a read tool is asked what became of a write. */
export interface ReconcileRule {
  readonly tool: string;
  /** Its arguments; `{name}` stands for an argument of the write, alone or inside a text. */
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  /** What its answer says where the write happened: all of it must hold. */
  readonly happened?: readonly Condition[];
  /** What it says where the write did not happen. */
  readonly didNotHappen?: readonly Condition[];
}

/** One thing that an answer says. */
export interface Condition {
  /**
   * A JSON Pointer (RFC 6901) into the answer (`/structuredContent/total`), into what its text says as
   * JSON (`/json/items/0`), or `/text` for the text itself.
   */
  readonly at: string;
  readonly equals?: JsonValue;
  /** For a text, a part of it; for a list, an item that is, or has, this. */
  readonly contains?: JsonValue;
  readonly exists?: boolean;
}

/**
 * The defaults of the proxy, in milliseconds. Most clients give up after 60 s and tell the model nothing
 * but that: before then a read has to be told, and a write that waited for its turn first.
 */
export const defaults = {
  readTimeoutMs: 55_000,
  writeTimeoutMs: 30_000,
  waitMs: 25_000,
  replayMs: 900_000,
} as const;
