import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { forAnthropic } from '../../src/anthropic/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { messagesServer } from './messages-server.ts';
import { served } from './served.ts';

/** A client of the local server. */
export function anthropic(baseURL: string): Anthropic {
  return new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 });
}

const impossible = {
  'truncated text, generated':
    'the API itself parses the arguments, and of half a call gives what it made of it',
};

/** The cases by the tool runner, against a local server that speaks the Messages API. */
export const toolRunnerHarness: AdapterHarness = {
  run: ({ runtime, scope, checkReply, ...job }) =>
    served(messagesServer(job.answers), (server) => {
      const client = anthropic(server.baseURL);
      return runTools(job, forAnthropic(runtime, { client, scope, checkReply }));
    }),
  runPlain: ({ tools, ...job }) =>
    served(messagesServer(job.answers), (server) =>
      runTools(job, { client: anthropic(server.baseURL), tools: tools.map(plainTool) }),
    ),
  impossible,
};

/** The cases message by message. */
export const messagesHarness: AdapterHarness = {
  ...toolRunnerHarness,
  run: ({ runtime, scope, checkReply, ...job }) =>
    served(messagesServer(job.answers), async (server) => {
      const client = anthropic(server.baseURL);
      const own = forAnthropic(runtime, { client, scope, checkReply });
      const { tools } = own;
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go on.' }];
      for (let step = 0; step < 5; step += 1) {
        const asked = { model: 'scripted', max_tokens: 100, messages, tools };
        const { signal } = job;
        let shown = '';
        const message = job.isStreamed
          ? await own.client.messages
              .stream(asked, { signal })
              .on('text', (delta) => {
                shown += delta;
              })
              .finalMessage()
          : await own.client.messages.create(asked, { signal });
        const told = await own.answer(message, { signal });
        if (told.length === 0) return job.isStreamed ? shown : textOf(message.content);
        messages.push({ role: 'assistant', content: message.content });
        messages.push({ role: 'user', content: told });
      }
      return '';
    }),
};

async function runTools(
  { isStreamed, signal }: FrameworkJob,
  { client, tools }: { readonly client: Anthropic; readonly tools: object[] },
): Promise<string> {
  const asked = {
    model: 'scripted',
    max_tokens: 100,
    max_iterations: 5,
    messages: [{ role: 'user' as const, content: 'Go on.' }],
    tools: tools as never[],
  };
  if (!isStreamed) {
    const message = await client.beta.messages.toolRunner(asked, { signal });
    return textOf(message.content);
  }
  let text = '';
  for await (const stream of client.beta.messages.toolRunner(
    { ...asked, stream: true },
    { signal },
  )) {
    for await (const event of stream) {
      const isText = event.type === 'content_block_delta' && event.delta.type === 'text_delta';
      if (isText) text += (event.delta as { text: string }).text;
    }
  }
  return text;
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((block) => ('text' in block ? String(block.text) : '')).join('');
}

function plainTool({ name, description, input, parameters, run }: PlainTool): object {
  const checked = '~standard' in input ? (input['~standard'] as never as Validator) : undefined;
  return betaTool({
    name,
    description,
    inputSchema: parameters as never,
    run: async (given: unknown) =>
      JSON.stringify(await run(checked === undefined ? given : checked.validate(given).value)),
  });
}

interface Validator {
  validate(value: unknown): { readonly value: unknown };
}
