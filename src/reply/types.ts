import type { OutcomeName } from '../call/codes.ts';
import type { JsonValue } from '../call/json.ts';
import type { Effect } from '../call/tool.ts';

/** One write, as the ledger has it. `input` and `data` are JSON values, or their JSON text, cut off or not. */
export interface ReplyEntry {
  readonly tool: string;
  readonly input: JsonValue;
  readonly outcome: OutcomeName;
  /** What the write answered. It counts as proof only where the outcome is `ok` or `already_done`. */
  readonly data?: JsonValue;
  /** The intent: entries of one key are one write. */
  readonly key?: string;
  /** Told from the tool's name if left out: `get_…`, `find_…`, `search_…` and their like read. */
  readonly effect?: Effect;
}

/** One read of the conversation: what it showed may be reported. */
export interface ReplyRead {
  readonly tool: string;
  readonly input?: JsonValue;
  readonly data?: JsonValue;
}

/** What a reply says of a write. */
export type ReplyClaim =
  | 'done'
  | 'not_done'
  | 'will_be_done'
  | 'wrong_amount'
  | 'wrong_entity'
  | 'wrong_date';

/** Why a claim does not stand. */
export type ReplyFindingCode =
  /** Success is claimed for a write that is not proven. */
  | 'not_proven'
  /** Success is claimed for a write that was never called. */
  | 'never_called'
  /** Success is claimed for all of several, and one of them is not proven. */
  | 'not_all'
  /** Failure is claimed for a write that happened, or that may have happened. */
  | 'not_failed'
  /** An amount, an identifier or a date is not the one that was done. */
  | 'differs'
  /** The reply is in a language that cannot be read here, and a write is not settled well. */
  | 'unreadable';

/** One statement of a reply that the record does not bear out. */
export interface ReplyFinding {
  readonly code: ReplyFindingCode;
  readonly claim: ReplyClaim;
  /** The sentence, as it stands in the reply. */
  readonly sentence: string;
  /** Where the sentence begins and ends in the reply, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What the claim is about, as the reply writes it; null where it names nothing. */
  readonly entity: string | null;
  /** The tool of the entry that is contradicted; null where there is none. */
  readonly tool: string | null;
  /** The entry that is contradicted, as an index into `entries`; null where there is none. */
  readonly entry: number | null;
  /** Why, in one sentence for the host's log. */
  readonly reason: string;
}

/** What came of checking a reply. */
export interface ReplyCheck {
  readonly verdict: 'pass' | 'corrected';
  readonly findings: readonly ReplyFinding[];
  /** The reply as it may be shown: the text that came in, unless it was corrected. */
  readonly reply: string;
}

/** Words for one of a tool's verbs in one language. */
export interface ToolVerb {
  /** Past participles and past tenses, as they stand in a sentence: `refunded`. */
  readonly done: readonly string[];
  /** Infinitives: `refund`. */
  readonly base?: readonly string[];
  /** Nouns for the action: `refund`. */
  readonly nouns?: readonly string[];
}

/** What a host may say of a tool beyond its name. */
export interface ReplyTool {
  readonly description?: string;
  readonly effect?: Effect;
  /** Names of further actions that the tool performs, of forthright's own list: `refund`, `cancel`, … */
  readonly actions?: readonly string[];
  /** Further verbs, by language. */
  readonly verbs?: Readonly<Record<string, readonly ToolVerb[]>>;
  /** What the customer may read for the action, by language: `the refund`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Patterns of this tool's identifiers, held against single words of at most 64 characters. */
  readonly entities?: readonly RegExp[];
}

/** A reply that is held against the record while it is written. */
export interface ReplyGuarding {
  /** What of it the record did not bear out, once it has ended. */
  readonly findings: readonly ReplyFinding[];
  /** Takes more text; resolves to what may be shown now, which may be nothing. */
  push(chunk: string): Promise<string>;
  /** Takes the end; resolves to the rest of what may be shown. Left out where the text breaks off. */
  end(): Promise<string>;
}

/** Settings of the reply check. */
export interface ReplyOptions {
  /** What reads showed. Left out, nothing is known of reads; an empty list says that there were none. */
  readonly reads?: readonly ReplyRead[];
  /** The language of the reply, such as `en`; told from the text if left out. */
  readonly language?: string;
  /** What is known of tools, by name. */
  readonly tools?: Readonly<Record<string, ReplyTool>>;
}
