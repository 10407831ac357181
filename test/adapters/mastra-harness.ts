import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { forMastra } from '../../src/mastra/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { chatServer } from './chat-server.ts';
import { served } from './served.ts';

type Own = Pick<ConstructorParameters<typeof Agent>[0], 'model' | 'tools' | 'inputProcessors'>;

/** The cases through an agent of Mastra and the AI SDK's model for chat completions. */
export const mastraHarness: AdapterHarness = {
  run: ({ runtime, scope, checkReply, ...job }) =>
    served(chatServer(job.answers), ({ baseURL }) =>
      speak(forMastra(runtime, { model: chatModel(baseURL), checkReply }) as Own, job, scope),
    ),
  runPlain: ({ tools, ...job }) =>
    served(chatServer(job.answers), ({ baseURL }) => {
      const own = { model: chatModel(baseURL), tools: plainTools(tools) };
      return speak(own as Own, job, 'thread');
    }),
};

export function chatModel(baseURL: string) {
  return createOpenAICompatible({ name: 'local', baseURL }).chatModel('scripted');
}

async function speak(own: Own, { isStreamed, signal }: FrameworkJob, scope: string) {
  const agent = new Agent({ id: 'desk', name: 'desk', instructions: 'Help.', ...own } as never);
  const asked = {
    memory: { thread: scope, resource: 'customer-1' },
    maxSteps: 5,
    abortSignal: signal,
    modelSettings: { maxRetries: 0 },
  };
  if (!isStreamed) {
    const output = await agent.generate('Go on.', asked);
    if (output.error !== undefined) throw output.error;
    return output.text;
  }
  const output = await agent.stream('Go on.', asked);
  let text = '';
  for await (const piece of output.textStream) text += piece;
  if (output.error !== undefined) throw output.error;
  return text;
}

function plainTools(tools: readonly PlainTool[]): Own['tools'] {
  return Object.fromEntries(
    tools.map(({ name, description, input, parameters, run }) => {
      const inputSchema = '~standard' in input ? input : parameters;
      return [
        name,
        createTool({ id: name, description, inputSchema: inputSchema as never, execute: run }),
      ];
    }),
  ) as never;
}
