import type {
  ChatCompletionMessageToolCall,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions';
import { runCall } from '../adapter/joined.ts';
import { Offered } from '../adapter/offered.ts';
import { type AnyClient, ownClient } from '../adapter/own-client.ts';
import { renderResult } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime, ShownTool } from '../runtime/runtime.ts';
import { type ChatPort, chatExchange } from './chat-exchange.ts';
import type { AnswerOptions, ChatOptions } from './options.ts';

/** A tool for `runTools`, and for `create`, which leaves its function out. */
export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    name: string;
    description: string;
    // biome-ignore lint/suspicious/noExplicitAny: the SDK has two types for the schema of a tool
    parameters: any;
    function(text: string, runner: { readonly controller: AbortController }): Promise<string>;
  };
}

/** What chat completions take, by `runTools` or message by message. */
export interface ForChat<Client> {
  readonly client: Client;
  readonly tools: ChatTool[];
  /** Runs the calls of a message; what is to be sent back, nothing where it has none. Never rejects. */
  answer(
    message: { readonly tool_calls?: readonly ChatCompletionMessageToolCall[] | null | undefined },
    options?: AnswerOptions,
  ): Promise<ChatCompletionToolMessageParam[]>;
}

/**
 * The tools of a runtime for OpenAI's chat completions, and the client through which its answers are
 * read. Both are to be used together. Throws a TypeError where the client is none.
 */
export function forChat<Client extends AnyClient, const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: ChatOptions<Client, Tools>,
): ForChat<Client> {
  const joined = {
    runtime: runtime as unknown as Runtime,
    options: options as unknown as ChatOptions,
  };
  const offered = new Offered(joined.runtime, options.context, options.strict ?? false);
  const port: ChatPort = { joined, offered, others: new Set() };
  return {
    client: ownClient(options.client, 'forChat', (path, body) =>
      path.endsWith('/chat/completions') ? chatExchange(port, body) : undefined,
    ),
    tools: offered.shown.map((tool) => chatTool(port, tool)),
    async answer({ tool_calls: calls }, { signal } = {}) {
      const ours = (calls ?? []).flatMap((call) =>
        call.type === 'function' && !port.others.has(call.function.name) ? [call] : [],
      );
      return Promise.all(
        ours.map(async ({ id, function: { name, arguments: text } }) => ({
          role: 'tool' as const,
          tool_call_id: id,
          content: await run(port, name, text, signal),
        })),
      );
    },
  };
}

function chatTool(port: ChatPort, { name, description, parameters }: ShownTool): ChatTool {
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters,
      function: (text, { controller }) => run(port, name, text, controller.signal),
    },
  };
}

async function run(
  { joined, offered }: ChatPort,
  name: string,
  text: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  return renderResult(await runCall(joined, { name, text: offered.own(name, text), signal }));
}
