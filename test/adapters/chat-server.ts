import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { modelServer, pieces } from './model-server.ts';

/** A message as a client of the protocol sends it. */
export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}

/** A local server that speaks OpenAI's chat completions, from a script. */
export interface ChatServer {
  readonly baseURL: string;
  readonly requests: readonly {
    readonly messages: readonly SentMessage[];
    readonly stream?: boolean;
  }[];
  /** What the tools were said to have answered, in the last request. */
  told(): readonly string[];
  close(): Promise<void>;
}

/** Serves one answer a request; the last one again where more is asked. */
export async function chatServer(answers: readonly ScriptedAnswer[]): Promise<ChatServer> {
  const server = await modelServer<ChatServer['requests'][number]>(answers, {
    whole: completion,
    stream,
  });
  const { url, requests, close } = server;
  return {
    baseURL: `${url}/v1`,
    requests,
    told: () =>
      (requests.at(-1)?.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textOf(content)),
    close,
  };
}

let answered = 0;

/** Each answer has an id of its own, by which clients keep them apart. */
function newHead(): object {
  answered += 1;
  return { id: `completion-${answered}`, created: 1, model: 'scripted' };
}

function completion(answer: ScriptedAnswer): object {
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.calls === undefined ? {} : { tool_calls: answer.calls.map(wireCall) }),
  };
  return {
    ...newHead(),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function stream(answer: ScriptedAnswer, write: (event: object | '[DONE]') => void): void {
  const head = newHead();
  const send = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    write({ ...head, object: 'chat.completion.chunk', choices });
  };
  send({ role: 'assistant', content: '' });
  for (const piece of pieces(answer.text ?? '')) send({ content: piece });
  for (const [index, call] of (answer.calls ?? []).entries()) {
    const { id, type, function: called } = wireCall(call);
    send({ tool_calls: [{ index, id, type, function: { ...called, arguments: '' } }] });
    for (const piece of pieces(call.arguments)) {
      send({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  send({}, finishOf(answer));
  write('[DONE]');
}

function wireCall({ id, name, arguments: text }: NonNullable<ScriptedAnswer['calls']>[number]): {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
} {
  return { id, type: 'function', function: { name, arguments: text } };
}

function finishOf({ calls, isCut }: ScriptedAnswer): string {
  if (isCut === true) return 'length';
  return calls === undefined ? 'stop' : 'tool_calls';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('');
}
