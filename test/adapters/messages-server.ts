import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { modelServer, pieces, rawJson } from './model-server.ts';

/** A content block as a client of the protocol sends it. */
export interface SentBlock {
  readonly type: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly is_error?: boolean;
}

/** A request as a client of the Messages API sends it. */
export interface MessagesRequest {
  readonly messages: readonly { readonly role: string; readonly content: string | SentBlock[] }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
  /** The tool runner lets the server keep the conversation, and sends only what is new. */
  readonly thread?: { readonly type: 'create' | 'continue' };
}

/** A local server that speaks Anthropic's Messages API, from a script. */
export interface MessagesServer {
  readonly baseURL: string;
  readonly requests: readonly MessagesRequest[];
  /** What the tools were said to have answered, in the last request. */
  told(): readonly string[];
  close(): Promise<void>;
}

export async function messagesServer(answers: readonly ScriptedAnswer[]): Promise<MessagesServer> {
  const server = await modelServer<MessagesRequest>(answers, { whole, stream });
  const { url, requests, close } = server;
  return {
    baseURL: url,
    requests,
    told: () =>
      requests
        .slice(requests.at(-1)?.thread?.type === 'continue' ? 0 : -1)
        .flatMap(({ messages }) => messages)
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .filter(({ type }) => type === 'tool_result')
        .map(({ content = '' }) =>
          typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''),
        ),
    close,
  };
}

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted' };
const usage = { input_tokens: 1, output_tokens: 1 };

/** The API gives whole arguments as a JSON value: of half a call it can say only what it made of it. */
function whole(answer: ScriptedAnswer): object {
  const { text, calls = [] } = answer;
  const used = calls.map(({ id, name, arguments: written }) => ({
    type: 'tool_use',
    id,
    name,
    input: isJson(written) ? rawJson(written) : {},
  }));
  const said = text === undefined ? [] : [{ type: 'text', text, citations: null }];
  const end = { stop_reason: reasonOf(answer), stop_sequence: null };
  return { ...head, content: [...said, ...used], ...end, usage };
}

function stream(answer: ScriptedAnswer, send: (event: object) => void): void {
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
  send({ type: 'message_start', message });
  send({ type: 'ping' });
  const { text, calls = [] } = answer;
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]): void => {
    send({ type: 'content_block_start', index, content_block });
    for (const delta of deltas) send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
    index += 1;
  };
  if (text !== undefined) {
    const deltas = pieces(text).map((piece) => ({ type: 'text_delta', text: piece }));
    block({ type: 'text', text: '' }, deltas);
  }
  for (const { id, name, arguments: written } of calls) {
    const deltas = ['', ...pieces(written)].map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }));
    block({ type: 'tool_use', id, name, input: {} }, deltas);
  }
  const delta = { stop_reason: reasonOf(answer), stop_sequence: null };
  send({ type: 'message_delta', delta, usage: { output_tokens: 1 } });
  send({ type: 'message_stop' });
}

function reasonOf({ calls, isCut }: ScriptedAnswer): string {
  if (isCut === true) return 'max_tokens';
  return calls === undefined ? 'end_turn' : 'tool_use';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
