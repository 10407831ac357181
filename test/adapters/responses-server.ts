import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { modelServer, pieces } from './model-server.ts';

/** A request as a client of the Responses API sends it. */
export interface ResponsesRequest {
  readonly input: string | readonly { readonly type?: string; readonly output?: unknown }[];
  readonly conversation?: string | { readonly id: string };
  readonly tools?: readonly { readonly name: string; readonly strict?: boolean }[];
  readonly stream?: boolean;
}

/** A local server that speaks OpenAI's Responses API, from a script. */
export interface ResponsesServer {
  readonly baseURL: string;
  readonly requests: readonly ResponsesRequest[];
  /** What the tools were said to have answered, in the last request. */
  told(): readonly string[];
  close(): Promise<void>;
}

export async function responsesServer(
  answers: readonly ScriptedAnswer[],
): Promise<ResponsesServer> {
  const server = await modelServer<ResponsesRequest>(answers, { whole, stream });
  const { url, requests, close } = server;
  return {
    baseURL: `${url}/v1`,
    requests,
    told() {
      const { input = [] } = requests.at(-1) ?? {};
      const items = typeof input === 'string' ? [] : input;
      return items
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => String(output));
    },
    close,
  };
}

function whole(answer: ScriptedAnswer, asked: ResponsesRequest): object {
  return response(asked, answer.isCut === true ? 'incomplete' : 'completed', itemsOf(answer));
}

interface Item {
  readonly id: string;
  readonly type: string;
  readonly [name: string]: unknown;
}

function itemsOf({ text, calls = [], isCut }: ScriptedAnswer): readonly Item[] {
  const status = isCut === true ? 'incomplete' : 'completed';
  const content = [textPart(text ?? '')];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status, content };
  const made = calls.map(({ id, name, arguments: written }, index) => ({
    id: `fc_${index}`,
    type: 'function_call',
    call_id: id,
    name,
    arguments: written,
    status,
  }));
  return [...(text === undefined ? [] : [message]), ...made];
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function response(
  { conversation, tools = [] }: ResponsesRequest,
  status: string,
  output: readonly object[],
): object {
  const id = typeof conversation === 'string' ? conversation : conversation?.id;
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'scripted',
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    tool_choice: 'auto',
    tools,
    conversation: id === undefined ? null : { id },
    output,
  };
}

function stream(
  answer: ScriptedAnswer,
  write: (event: object | '[DONE]') => void,
  asked: ResponsesRequest,
): void {
  let sequence = 0;
  const send = (type: string, event: object): void => {
    write({ type: `response.${type}`, sequence_number: sequence, ...event });
    sequence += 1;
  };
  send('created', { response: response(asked, 'in_progress', []) });
  send('in_progress', { response: response(asked, 'in_progress', []) });
  const items = itemsOf(answer);
  for (const [output_index, item] of items.entries()) {
    const place = { output_index, item_id: item.id };
    const begun = { ...item, status: 'in_progress' };
    if (item.type === 'message') {
      send('output_item.added', { output_index, item: { ...begun, content: [] } });
      streamText(answer.text ?? '', (type, event) =>
        send(type, { ...place, content_index: 0, ...event }),
      );
    } else {
      const text = String(item.arguments);
      send('output_item.added', { output_index, item: { ...begun, arguments: '' } });
      for (const delta of pieces(text)) send('function_call_arguments.delta', { ...place, delta });
      send('function_call_arguments.done', { ...place, arguments: text, name: item.name });
    }
    send('output_item.done', { output_index, item });
  }
  const end = answer.isCut === true ? 'incomplete' : 'completed';
  send(end, { response: response(asked, end, items) });
}

function streamText(text: string, send: (type: string, event: object) => void): void {
  send('content_part.added', { part: textPart('') });
  for (const delta of pieces(text)) send('output_text.delta', { delta, logprobs: [] });
  send('output_text.done', { text, logprobs: [] });
  send('content_part.done', { part: textPart(text) });
}
