import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { forLangChain } from '../../src/langchain/index.ts';
import type {
  AdapterHarness,
  FrameworkJob,
  PlainTool,
} from '../../src/testing/adapter-cases/harness.ts';
import { chatServer } from './chat-server.ts';
import { served } from './served.ts';

/** What a graph is made of. */
interface Own {
  readonly model: BaseChatModel;
  readonly tools: StructuredToolInterface[];
}

/** The graph that runs the tools: LangChain's agent, or one by hand with LangGraph's node. */
const graphs = {
  createAgent: (own: Own) => createAgent(own).graph,
  ToolNode: ({ model, tools }: Own) => {
    const bound = model.bindTools?.(tools) ?? model;
    return new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
      .addNode('tools', new ToolNode(tools))
      .addEdge('__start__', 'model')
      .addConditionalEdges('model', toolsCondition)
      .addEdge('tools', 'model')
      .compile();
  },
};

/** The cases through LangChain's model for chat completions and one of the graphs. */
export function langChainHarness(kind: keyof typeof graphs): AdapterHarness {
  return {
    run: ({ runtime, scope, checkReply, ...job }) =>
      served(chatServer(job.answers), ({ baseURL }) => {
        const own = forLangChain(runtime, { model: chatModel(baseURL), checkReply });
        return speak(graphs[kind](own), job, scope);
      }),
    runPlain: ({ tools, ...job }) =>
      served(chatServer(job.answers), ({ baseURL }) => {
        const own = { model: chatModel(baseURL), tools: tools.map(plainTool) };
        return speak(graphs[kind](own), job, 'thread');
      }),
  };
}

export function chatModel(baseURL: string): BaseChatModel {
  const configuration = { baseURL };
  return new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration, maxRetries: 0 });
}

type Graph = ReturnType<(typeof graphs)[keyof typeof graphs]>;

async function speak(
  graph: Graph,
  { isStreamed, signal }: FrameworkJob,
  scope: string,
): Promise<string> {
  const asked = { messages: [{ role: 'user', content: 'Go on.' }] } as never;
  const config = { configurable: { thread_id: scope }, signal, recursionLimit: 12 };
  if (!isStreamed) {
    const { messages } = (await graph.invoke(asked, config)) as { messages: BaseMessage[] };
    return messages.at(-1)?.text ?? '';
  }
  let text = '';
  const stream = await graph.stream(asked, { ...config, streamMode: 'messages' });
  for await (const [message] of stream as AsyncIterable<[BaseMessage]>) {
    if (message.getType() === 'ai') text += message.text;
  }
  return text;
}

function plainTool({ name, description, input, parameters, run }: PlainTool) {
  const schema = '~standard' in input && '_zod' in input ? input : parameters;
  return tool(run as never, { name, description, schema: schema as never }) as never;
}
