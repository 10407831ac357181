/** A language model of the AI SDK, of any version of its interface. */
export interface AnyLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** What the versions of the interface have in common, as far as it is read here. */
export interface SpokenModel {
  doGenerate(options: CallOptions): PromiseLike<Generated>;
  doStream(options: CallOptions): PromiseLike<Streamed>;
}

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly { readonly name: string }[];
  readonly abortSignal?: AbortSignal;
}

export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

/** Until version 3 a word, since then the word is in `unified`. */
export type FinishReason = string | { readonly unified: string };

export interface Generated {
  readonly content: readonly Part[];
  readonly finishReason: FinishReason;
}

export interface Streamed {
  readonly stream: ReadableStream<Part>;
}

/** One part of a prompt, of an answer or of a stream. */
export interface Part {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean;
  readonly output?: { readonly type: string; readonly reason?: string; readonly value?: unknown };
  readonly finishReason?: FinishReason;
  readonly error?: unknown;
}

export function wordOf(reason: FinishReason | undefined): string {
  return typeof reason === 'string' ? reason : (reason?.unified ?? 'other');
}

export function withWord(reason: FinishReason, word: string): FinishReason {
  return typeof reason === 'string' ? word : { ...reason, unified: word };
}
