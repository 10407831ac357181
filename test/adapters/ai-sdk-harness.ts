import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai7 from 'ai';
import * as ai6 from 'ai-6';
import { createOpenAICompatible as createOpenAICompatible2 } from 'openai-compatible-2';
import { forAiSdk } from '../../src/ai-sdk/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { chatServer } from './chat-server.ts';
import { served } from './served.ts';

/** The two versions have the same functions; the types of one serve for both. */
type Sdk = Pick<typeof ai7, 'generateText' | 'streamText' | 'stepCountIs' | 'tool' | 'jsonSchema'>;
type Model = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;

export const versions: Readonly<
  Record<'ai 7' | 'ai 6', { sdk: Sdk; model(baseURL: string): Model }>
> = {
  'ai 7': {
    sdk: ai7,
    model: (baseURL) => createOpenAICompatible({ name: 'local', baseURL }).chatModel('scripted'),
  },
  'ai 6': {
    sdk: ai6 as unknown as Sdk,
    model: (baseURL) =>
      createOpenAICompatible2({ name: 'local', baseURL }).chatModel('scripted') as unknown as Model,
  },
};

/** The cases through the AI SDK, against a local server that speaks chat completions. */
export function aiSdkHarness(version: keyof typeof versions): AdapterHarness {
  const { sdk, model } = versions[version];
  return {
    run: ({ runtime, scope, checkReply, ...job }) =>
      served(chatServer(job.answers), (server) =>
        speak(sdk, job, forAiSdk(runtime, { model: model(server.baseURL), scope, checkReply })),
      ),
    runPlain: ({ tools, ...job }) =>
      served(chatServer(job.answers), (server) =>
        speak(sdk, job, { model: model(server.baseURL), tools: plainTools(sdk, tools) }),
      ),
  };
}

async function speak(
  sdk: Sdk,
  { isStreamed, signal }: FrameworkJob,
  own: { readonly model: Model; readonly tools: ai7.ToolSet },
): Promise<string> {
  const asked = {
    ...own,
    prompt: 'Go on.',
    stopWhen: sdk.stepCountIs(5),
    abortSignal: signal,
    maxRetries: 0,
  };
  if (!isStreamed) return (await sdk.generateText(asked)).text;
  let thrown: unknown;
  const onError = ({ error }: { error: unknown }): void => {
    thrown = error;
  };
  const { textStream } = sdk.streamText({ ...asked, onError });
  let text = '';
  for await (const piece of textStream) text += piece;
  if (thrown !== undefined) throw thrown;
  return text;
}

function plainTools(sdk: Sdk, tools: readonly PlainTool[]): ai7.ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input, parameters, run }) => {
      const inputSchema =
        '~standard' in input ? (input as never) : sdk.jsonSchema(parameters as never);
      return [name, sdk.tool({ description, inputSchema, execute: run as never } as never)];
    }),
  );
}
