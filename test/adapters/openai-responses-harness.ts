import type OpenAI from 'openai';
import { forResponses } from '../../src/openai/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { type OpenAIVersion, openAI } from './openai-chat-harness.ts';
import { responsesServer } from './responses-server.ts';
import { served } from './served.ts';

type Input = OpenAI.Responses.ResponseInputItem[];
type Response = OpenAI.Responses.Response;

/** How a run asks and answers. */
interface Loop {
  readonly client: OpenAI;
  readonly tools: OpenAI.Responses.Tool[];
  answer(response: Response, options: { readonly signal: AbortSignal }): Promise<Input>;
}

/** The cases by `responses.create` and `responses.stream`, against a local server that speaks it. */
export function responsesHarness(version: OpenAIVersion, strict = false): AdapterHarness {
  return {
    run: ({ runtime, scope, checkReply, ...job }) =>
      served(responsesServer(job.answers), (server) => {
        const client = openAI(version, server.baseURL);
        return speak(job, forResponses(runtime, { client, scope, checkReply, strict }));
      }),
    runPlain: ({ tools, ...job }) =>
      served(responsesServer(job.answers), (server) =>
        speak(job, {
          client: openAI(version, server.baseURL),
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            parameters: { ...parameters },
            strict: false,
          })),
          answer: (response) => plainAnswer(tools, response),
        }),
      ),
  };
}

async function speak({ isStreamed, signal }: FrameworkJob, loop: Loop): Promise<string> {
  const { client, tools } = loop;
  const input: Input = [{ role: 'user', content: 'Go on.' }];
  for (let step = 0; step < 5; step += 1) {
    const asked = { model: 'scripted', input, tools };
    let shown = '';
    const response = isStreamed
      ? await client.responses
          .stream(asked, { signal })
          .on('response.output_text.delta', ({ delta }) => {
            shown += delta;
          })
          .finalResponse()
      : await client.responses.create(asked, { signal });
    const told = await loop.answer(response, { signal });
    if (told.length === 0) return isStreamed ? shown : response.output_text;
    input.push(...(response.output as Input), ...told);
  }
  return '';
}

/** As somebody without forthright would write it. */
async function plainAnswer(tools: readonly PlainTool[], { output }: Response): Promise<Input> {
  const told: Input = [];
  for (const item of output) {
    if (item.type !== 'function_call') continue;
    const tool = tools.find(({ name }) => name === item.name);
    const value = await tool?.run(JSON.parse(item.arguments));
    const { call_id } = item;
    told.push({ type: 'function_call_output', call_id, output: JSON.stringify(value) });
  }
  return told;
}
