import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { type AnyLanguageModel, forMastra } from '../../src/mastra/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { chatServer } from './chat-server.ts';
import { served } from './served.ts';

/** What a version of Mastra brings, as far as the cases use it. */
export interface MastraParts {
  readonly Agent: new (
    options: never,
  ) => {
    generate(said: string, options: never): Promise<Output>;
    stream(said: string, options: never): Promise<Output>;
  };
  readonly createTool: (options: never) => unknown;
  readonly model: (baseURL: string) => AnyLanguageModel;
  /** Whether the scope is the thread of the run, and not given. */
  readonly isThreaded: boolean;
  readonly impossible?: AdapterHarness['impossible'];
}

interface Output {
  readonly text: string | Promise<string>;
  readonly textStream: AsyncIterable<string>;
  readonly error?: unknown;
}

const mastra1: MastraParts = {
  Agent: Agent as never,
  createTool,
  model: chatModel,
  isThreaded: true,
};

/** The cases through an agent of Mastra and the AI SDK's model for chat completions. */
export function mastraHarness(parts: MastraParts = mastra1): AdapterHarness {
  const { model, isThreaded, impossible = {} } = parts;
  return {
    impossible,
    run: ({ runtime, scope, checkReply, ...job }) =>
      served(chatServer(job.answers), ({ baseURL }) => {
        const own = forMastra(runtime, {
          model: model(baseURL),
          checkReply,
          ...(isThreaded ? {} : { scope }),
        });
        const { inputProcessors, ...rest } = own;
        return speak(parts, isThreaded ? { ...rest, inputProcessors } : rest, job, scope);
      }),
    runPlain: ({ tools, ...job }) =>
      served(chatServer(job.answers), ({ baseURL }) => {
        const own = { model: model(baseURL), tools: plainTools(parts, tools) };
        return speak(parts, own, job, 'thread');
      }),
  };
}

export function chatModel(baseURL: string) {
  return createOpenAICompatible({ name: 'local', baseURL }).chatModel('scripted');
}

async function speak(
  { Agent, isThreaded }: MastraParts,
  own: object,
  { isStreamed, signal }: FrameworkJob,
  scope: string,
): Promise<string> {
  const agent = new Agent({ id: 'desk', name: 'desk', instructions: 'Help.', ...own } as never);
  const asked = {
    ...(isThreaded ? { memory: { thread: scope, resource: 'customer-1' } } : {}),
    maxSteps: 5,
    abortSignal: signal,
    modelSettings: { maxRetries: 0 },
  } as never;
  const output = await (isStreamed
    ? agent.stream('Go on.', asked)
    : agent.generate('Go on.', asked));
  let text = '';
  if (isStreamed) for await (const piece of output.textStream) text += piece;
  else text = await output.text;
  if (output.error !== undefined) throw output.error;
  return text;
}

/** As Mastra 1 hands the arguments to a tool; Mastra 0 hands them as a field. */
function plainTools({ createTool, isThreaded }: MastraParts, tools: readonly PlainTool[]): object {
  return Object.fromEntries(
    tools.map(({ name, description, input, parameters, run }) => {
      const inputSchema = '~standard' in input ? input : parameters;
      const execute = isThreaded
        ? (args: unknown) => run(args)
        : ({ context }: { context: unknown }) => run(context);
      return [name, createTool({ id: name, description, inputSchema, execute } as never)];
    }),
  );
}
