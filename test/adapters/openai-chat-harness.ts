import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { forChat } from '../../src/openai/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { chatServer } from './chat-server.ts';
import { served } from './served.ts';

/** The two versions have the same functions; the types of one serve for both. */
const versions: Readonly<Record<'openai 7' | 'openai 6', typeof OpenAI>> = {
  'openai 7': OpenAI,
  'openai 6': OpenAI6 as unknown as typeof OpenAI,
};

export type OpenAIVersion = keyof typeof versions;

/** A client of the local server. */
export function openAI(version: OpenAIVersion, baseURL: string): OpenAI {
  return new versions[version]({ apiKey: 'none', baseURL, maxRetries: 0 });
}

/** The cases by `runTools`, against a local server that speaks chat completions. */
export function runToolsHarness(version: OpenAIVersion, strict = false): AdapterHarness {
  return {
    run: ({ runtime, scope, checkReply, ...job }) =>
      served(chatServer(job.answers), (server) => {
        const client = openAI(version, server.baseURL);
        return runTools(job, forChat(runtime, { client, scope, checkReply, strict }));
      }),
    runPlain: ({ tools, ...job }) =>
      served(chatServer(job.answers), (server) =>
        runTools(job, { client: openAI(version, server.baseURL), tools: tools.map(plainTool) }),
      ),
  };
}

/** The cases by `create`, message by message. */
export function messagesHarness(version: OpenAIVersion): AdapterHarness {
  return {
    ...runToolsHarness(version),
    run: ({ runtime, scope, checkReply, ...job }) =>
      served(chatServer(job.answers), async (server) => {
        const client = openAI(version, server.baseURL);
        const chat = forChat(runtime, { client, scope, checkReply });
        const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go on.' }];
        for (let step = 0; step < 5; step += 1) {
          const asked = { model: 'scripted', messages, tools: chat.tools };
          const { signal } = job;
          let shown = '';
          const message = job.isStreamed
            ? await chat.client.chat.completions
                .stream(asked, { signal })
                .on('content', (delta) => {
                  shown += delta;
                })
                .finalMessage()
            : (await chat.client.chat.completions.create(asked, { signal })).choices[0]?.message;
          if (message === undefined) throw new Error('no message');
          const told = await chat.answer(message, { signal });
          if (told.length === 0) return job.isStreamed ? shown : (message.content ?? '');
          messages.push(message, ...told);
        }
        return '';
      }),
  };
}

async function runTools(
  { isStreamed, signal }: FrameworkJob,
  { client, tools }: { readonly client: OpenAI; readonly tools: unknown[] },
): Promise<string> {
  const asked = {
    model: 'scripted',
    messages: [{ role: 'user' as const, content: 'Go on.' }],
    tools: tools as never[],
  };
  const options = { signal, maxChatCompletions: 5 };
  if (!isStreamed) {
    return (await client.chat.completions.runTools(asked, options).finalContent()) ?? '';
  }
  const runner = client.chat.completions.runTools({ ...asked, stream: true }, options);
  let text = '';
  runner.on('content', (delta) => {
    text += delta;
  });
  await runner.done();
  return text;
}

function plainTool({ name, description, input, parameters, run }: PlainTool): object {
  const parse = (text: string): unknown => {
    const value: unknown = JSON.parse(text);
    const checked = '~standard' in input ? input['~standard'] : undefined;
    return checked === undefined ? value : (checked as never as Validator).validate(value).value;
  };
  return { type: 'function', function: { name, description, parameters, parse, function: run } };
}

interface Validator {
  validate(value: unknown): { readonly value: unknown };
}
