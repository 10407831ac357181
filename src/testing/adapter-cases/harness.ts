import type { JsonObject, JsonValue } from '../../call/json.ts';
import type { AnyTool, InputSchema } from '../../call/tool.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** One answer of a scripted model. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedToolCall[];
  /** Whether the model met its length limit there. */
  readonly isCut?: boolean;
}

/** A call as the model's provider sends it: the text of the arguments may be anything. */
export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A tool as somebody without forthright would write it. */
export interface PlainTool {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema;
  /** The schema that a model is shown. */
  readonly parameters: JsonObject;
  run(input: unknown): Promise<unknown>;
}

/** What a framework is to do: let the model say its answers, one after the other, and run its calls. */
export interface FrameworkJob {
  readonly answers: readonly ScriptedAnswer[];
  readonly isStreamed: boolean;
  /** Aborted when the user leaves. */
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface FrameworkRun {
  /** The results as the model's provider received them, in their order. */
  readonly told: readonly string[];
  /** The text that the user was shown. */
  readonly reply: string;
  /** What the framework threw. */
  readonly thrown?: unknown;
}

/** How the cases drive one framework. Its model is to speak the provider's real protocol. */
export interface AdapterHarness {
  /** The runtime's tools through the adapter; `checkReply` where the last answer is to be checked. */
  run(
    job: FrameworkJob & {
      readonly runtime: Runtime<readonly AnyTool[]>;
      readonly scope: string;
      readonly checkReply: boolean;
    },
  ): Promise<FrameworkRun>;
  /** The plain tools by the framework alone. */
  runPlain(job: FrameworkJob & { readonly tools: readonly PlainTool[] }): Promise<FrameworkRun>;
  /**
   * Cases that the framework makes impossible, and why: by name (`duplicate keys`), or by name and way
   * (`truncated text, generated`).
   */
  readonly impossible?: Readonly<Record<string, string>>;
}

/** Why a framework makes a case impossible; a case may be called `__proto__`. */
export function whyImpossible(
  { impossible = {} }: AdapterHarness,
  name: string,
  isStreamed: boolean,
): string | undefined {
  const found = [name, inItsWay(name, isStreamed)].find((one) => Object.hasOwn(impossible, one));
  return found === undefined ? undefined : impossible[found];
}

/** The name of a case in one of the two ways to run it. */
export function inItsWay(name: string, isStreamed: boolean): string {
  return `${name}, ${isStreamed ? 'streamed' : 'generated'}`;
}

/** What one run of a case came to. */
export interface Observed extends FrameworkRun {
  /** What the bodies of the tools ran with, in their order. */
  readonly ranWith: readonly JsonValue[];
  /** How many requests left. */
  readonly effects: number;
}
