import type {
  FunctionTool,
  Response,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { runCall } from '../adapter/joined.ts';
import { Offered } from '../adapter/offered.ts';
import { type AnyClient, ownClient } from '../adapter/own-client.ts';
import type { JsonValue } from '../call/json.ts';
import { renderResult } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AnswerOptions, ResponsesOptions } from './options.ts';
import { type ResponsesPort, responsesExchange } from './responses-exchange.ts';

/** What the Responses API takes. */
export interface ForResponses<Client> {
  readonly client: Client;
  readonly tools: FunctionTool[];
  /**
   * Runs the calls of a response; what is to be sent back, nothing where it has none. Rejects only
   * where no scope is known.
   */
  answer(
    response: Pick<Response, 'output' | 'conversation'>,
    options?: AnswerOptions,
  ): Promise<ResponseInputItem.FunctionCallOutput[]>;
}

/**
 * The tools of a runtime for OpenAI's Responses API, and the client through which its answers are
 * read. Both are to be used together. Throws a TypeError where the client is none.
 */
export function forResponses<Client extends AnyClient, const Tools extends readonly AnyTool[]>(
  runtime: Runtime<Tools>,
  options: ResponsesOptions<Client, Tools>,
): ForResponses<Client> {
  const own = options as unknown as ResponsesOptions;
  const { checkReply = false } = own;
  const joinedIn: ResponsesPort['joinedIn'] = (conversation) => {
    const scope = own.scope ?? idOf(conversation);
    return { runtime: runtime as unknown as Runtime, options: { ...own, scope } };
  };
  const offered = new Offered(
    runtime as unknown as Runtime,
    options.context,
    options.strict ?? false,
  );
  const port: ResponsesPort = {
    joinedIn,
    offered,
    others: new Set(),
    runtime: runtime as unknown as Runtime,
    checksReply: checkReply !== false,
  };
  return {
    client: ownClient(options.client, 'forResponses', (path, body) =>
      path.endsWith('/responses') ? responsesExchange(port, body) : undefined,
    ),
    tools: offered.shown.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters: parameters as FunctionTool['parameters'],
      strict: false,
    })),
    async answer({ output, conversation }, { signal } = {}) {
      const calls = output.flatMap((item) =>
        item.type === 'function_call' && !port.others.has(item.name) ? [item] : [],
      );
      if (calls.length === 0) return [];
      const joined = joinedIn(conversation?.id);
      return Promise.all(
        calls.map(async ({ call_id, name, arguments: text }) => {
          const result = await runCall(joined, { name, text: offered.own(name, text), signal });
          return { type: 'function_call_output' as const, call_id, output: renderResult(result) };
        }),
      );
    },
  };
}

/** A conversation stands in a request by its id, or as an object that has it. */
function idOf(conversation: JsonValue | undefined): string {
  const id = isJsonObject(conversation) ? conversation.id : conversation;
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError(
    'forResponses: no scope is known; give it a scope, or each request a conversation.',
  );
}
