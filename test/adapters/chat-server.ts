import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';

/** A message as a client of the protocol sends it. */
export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}

/** A local server that speaks OpenAI's chat completions, from a script. */
export interface ChatServer {
  readonly baseURL: string;
  readonly requests: readonly { readonly messages: readonly SentMessage[] }[];
  /** What the tools were said to have answered, in the last request. */
  told(): readonly string[];
  close(): Promise<void>;
}

/** Serves one answer a request; the last one again where more is asked. */
export async function chatServer(answers: readonly ScriptedAnswer[]): Promise<ChatServer> {
  const requests: { messages: SentMessage[]; stream?: boolean }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = JSON.parse(body) as (typeof requests)[number];
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
    requests.push(asked);
    if (asked.stream === true) stream(answer, response);
    else {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(completion(answer)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    told: () =>
      (requests.at(-1)?.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textOf(content)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const head = { id: 'completion', created: 1, model: 'scripted' };

function completion(answer: ScriptedAnswer): object {
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.calls === undefined ? {} : { tool_calls: answer.calls.map(wireCall) }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** In pieces of a few characters, as providers stream. */
function stream(answer: ScriptedAnswer, response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream');
  const send = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const event = { ...head, object: 'chat.completion.chunk', choices };
    response.write(`data: ${JSON.stringify(event)}\n\n`);
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
  response.end('data: [DONE]\n\n');
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

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('');
}
