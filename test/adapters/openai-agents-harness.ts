import {
  Agent,
  tool as agentTool,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
} from '@openai/agents';
import { type ForAgents, forAgents } from '../../src/openai-agents/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  FrameworkRun,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { chatServer } from './chat-server.ts';
import { openAI } from './openai-chat-harness.ts';
import { responsesServer } from './responses-server.ts';
import { served } from './served.ts';

type Speak = (run: (model: Model) => Promise<string>) => Promise<FrameworkRun>;

/** The two protocols that the SDK's own models speak. */
const protocols: Readonly<Record<'chat completions' | 'responses', (job: FrameworkJob) => Speak>> =
  {
    'chat completions': (job) => (run) =>
      served(chatServer(job.answers), ({ baseURL }) => run(chatModel(baseURL))),
    responses: (job) => (run) =>
      served(responsesServer(job.answers), ({ baseURL }) => run(responsesModel(baseURL))),
  };

/** The SDK's model of chat completions, by the local server. */
export function chatModel(baseURL: string): Model {
  return new OpenAIChatCompletionsModel(openAI('openai 7', baseURL) as never, 'scripted');
}

/** The SDK's model of the Responses API, by the local server. */
export function responsesModel(baseURL: string): Model {
  return new OpenAIResponsesModel(openAI('openai 7', baseURL) as never, 'scripted');
}

/** Runs that send no traces anywhere. */
export const runner: Runner = new Runner({ tracingDisabled: true });

const impossible = {
  'text cut off at the length limit':
    "the SDK's own model of the Responses API ends the run where an answer is cut off; nothing has run",
};

/** The cases by agents and their runs. */
export function agentsHarness(protocol: keyof typeof protocols, strict = false): AdapterHarness {
  const speakBy = protocols[protocol];
  return {
    run: ({ runtime, scope, checkReply, ...job }) =>
      speakBy(job)((model) => speak(job, forAgents(runtime, { model, scope, checkReply, strict }))),
    runPlain: ({ tools, ...job }) =>
      speakBy(job)((model) => speak(job, { model, tools: tools.map(plainTool) })),
    ...(protocol === 'responses' ? { impossible } : {}),
  };
}

async function speak(
  { isStreamed, signal }: FrameworkJob,
  { model, tools, runOptions }: Pick<ForAgents, 'model' | 'tools'> & Partial<ForAgents>,
): Promise<string> {
  const agent = new Agent({ name: 'Support', model, tools });
  const options = { ...runOptions, signal, maxTurns: 5 };
  if (!isStreamed) return (await runner.run(agent, 'Go on.', options)).finalOutput ?? '';
  const result = await runner.run(agent, 'Go on.', { ...options, stream: true });
  let text = '';
  for await (const event of result) {
    if (event.type !== 'raw_model_stream_event') continue;
    if (event.data.type === 'output_text_delta') text += event.data.delta;
  }
  await result.completed;
  return text;
}

function plainTool({ name, description, input, parameters, run }: PlainTool): never {
  const own = agentTool({
    name,
    description,
    parameters: ('~standard' in input && 'def' in input ? input : parameters) as never,
    strict: false as const,
    execute: (given: unknown) => run(given),
  } as never);
  return own as never;
}
