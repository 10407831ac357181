import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';

/** A local server that speaks a provider's protocol, from a script. */
export interface ModelServer<Asked> {
  /** Without a path. */
  readonly url: string;
  readonly requests: readonly Asked[];
  close(): Promise<void>;
}

/** Serves one answer a request; the last one again where more is asked. */
export async function modelServer<Asked extends { readonly stream?: boolean }>(
  answers: readonly ScriptedAnswer[],
  protocol: {
    whole(answer: ScriptedAnswer, asked: Asked): object;
    stream(answer: ScriptedAnswer, send: (event: object | '[DONE]') => void, asked: Asked): void;
  },
): Promise<ModelServer<Asked>> {
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = JSON.parse(body) as Asked;
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
    requests.push(asked);
    if (asked.stream === true) {
      response.setHeader('content-type', 'text/event-stream');
      protocol.stream(answer, (event) => send(response, event), asked);
      response.end();
    } else {
      response.setHeader('content-type', 'application/json');
      response.end(textOfWhole(protocol.whole(answer, asked)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** JSON that a value cannot say, such as two equal keys, stands in an answer by this mark. */
const raw = 'raw-json:';

/** A text that is to stand in an answer as JSON, as it is. */
export function rawJson(text: string): string {
  return raw + text;
}

function textOfWhole(whole: object): string {
  return JSON.stringify(whole).replaceAll(/"raw-json:(?:[^"\\]|\\.)*"/g, (quoted) =>
    (JSON.parse(quoted) as string).slice(raw.length),
  );
}

/** Events of a type are named by it, as OpenAI's Responses and Anthropic's messages are. */
function send(response: ServerResponse, event: object | '[DONE]'): void {
  if (event === '[DONE]') return void response.write('data: [DONE]\n\n');
  const name = 'type' in event ? `event: ${event.type}\n` : '';
  response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
}

/** In pieces of a few characters, as providers stream. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}
