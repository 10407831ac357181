import type {
  ContentBlock,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { runAsWritten } from '../adapter/as-written.ts';
import { CallTexts } from '../adapter/call-texts.ts';
import type { AdapterOptions } from '../adapter/joined.ts';
import { type AnyClient, ownClient } from '../adapter/own-client.ts';
import { warnOfLostText } from '../adapter/warn-once.ts';
import type { JsonObject } from '../call/json.ts';
import { NewestMap } from '../call/newest-map.ts';
import { renderResult } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime, ShownTool } from '../runtime/runtime.ts';
import { type MessagePort, messageExchange, mostNames } from './message-exchange.ts';

/** What `forAnthropic` takes beside the runtime. */
export interface AnthropicOptions<
  Client extends AnyClient = AnyClient,
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends AdapterOptions<Tools> {
  /** The client itself: `new Anthropic()`. */
  readonly client: Client;
}

/** A tool for the tool runner, and for `create` and `stream`, which leave its functions out. */
export interface AnthropicTool {
  type: 'custom';
  name: string;
  description: string;
  input_schema: Tool.InputSchema;
  parse(input: unknown): unknown;
  run(input: unknown, around?: Around): Promise<string>;
}

/** What the runner tells of a call, as far as it is read here. */
interface Around {
  readonly toolUse: { readonly id: string };
  readonly signal?: AbortSignal | null | undefined;
}

/** A call as it stands in a message. */
interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What stands beside one answering of calls. */
export interface AnswerOptions {
  /** Aborted when the user leaves. It reaches a write only until it is dispatched. */
  readonly signal?: AbortSignal;
}

/** What the Messages API takes, by its tool runner or message by message. */
export interface ForAnthropic<Client> {
  readonly client: Client;
  readonly tools: AnthropicTool[];
  /** Runs the calls of a message; the content of the user's message that goes back, empty where it has none. Never rejects. */
  answer(
    message: { readonly content: readonly (ContentBlock | { readonly type: string })[] },
    options?: AnswerOptions,
  ): Promise<ToolResultBlockParam[]>;
}

/**
 * The tools of a runtime for Anthropic's Messages API, and the client through which its answers are
 * read. Both are to be used together. Throws a TypeError where the client is none.
 */
export function forAnthropic<Client extends AnyClient, const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: AnthropicOptions<Client, Tools>,
): ForAnthropic<Client> {
  const joined = {
    runtime: runtime as unknown as Runtime,
    options: options as unknown as AdapterOptions,
    texts: new CallTexts(runtime as unknown as Runtime, options.scope),
  };
  const port: MessagePort = { joined, others: new Set(), names: new NewestMap(mostNames) };
  return {
    client: ownClient(options.client, 'forAnthropic', (path, body) =>
      path.endsWith('/messages') ? messageExchange(port, body) : undefined,
    ),
    tools: joined.runtime.tools(options.context as never).map((tool) => ownTool(port, tool)),
    async answer({ content }, { signal } = {}) {
      const calls = content.filter((block) => block.type === 'tool_use') as unknown as ToolUse[];
      const ours = calls.filter(({ name }) => !port.others.has(name));
      return Promise.all(
        ours.map(async (call) => ({
          type: 'tool_result' as const,
          tool_use_id: call.id,
          content: await run(port, call, signal),
        })),
      );
    },
  };
}

function ownTool(port: MessagePort, { name, description, parameters }: ShownTool): AnthropicTool {
  return {
    type: 'custom',
    name,
    description,
    input_schema: parameters as unknown as Tool.InputSchema,
    parse: (input) => input,
    run: (input, around) =>
      run(port, { name, input, id: around?.toolUse.id ?? '' }, around?.signal ?? undefined),
  };
}

async function run(
  { joined }: MessagePort,
  { id: callId, name, input }: ToolUse,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (joined.texts.find(callId) === undefined)
    warnOfLostText('anthropic', 'Use the client that forAnthropic returns.');
  const call = { name, callId, input: input as JsonObject, signal };
  return renderResult(await runAsWritten(joined, call));
}
