import type { AdapterHarness } from '../../src/testing/adapter-cases/harness.ts';
import { aiSdkHarness } from './ai-sdk-harness.ts';
import { toolRunnerHarness } from './anthropic-harness.ts';
import { langChainHarness } from './langchain-harness.ts';
import { mastraHarness } from './mastra-harness.ts';
import { mcpHarness } from './mcp-harness.ts';
import { agentsHarness } from './openai-agents-harness.ts';
import { runToolsHarness } from './openai-chat-harness.ts';
import { responsesHarness } from './openai-responses-harness.ts';

/** A framework whose cases run, each with a section of docs/frameworks.md. */
export interface TestedFramework {
  /** The heading of its section; the same words stand before "alone". */
  readonly title: string;
  readonly harness: AdapterHarness;
}

/** In the order of the page. */
export const frameworks: readonly TestedFramework[] = [
  { title: 'AI SDK 7', harness: aiSdkHarness('ai 7') },
  { title: 'OpenAI SDK 7, runTools', harness: runToolsHarness('openai 7') },
  { title: 'OpenAI SDK 7, Responses', harness: responsesHarness('openai 7') },
  { title: 'Anthropic SDK 1, tool runner', harness: toolRunnerHarness },
  { title: 'LangChain 1, createAgent', harness: langChainHarness('createAgent') },
  { title: 'LangGraph 1, ToolNode', harness: langChainHarness('ToolNode') },
  { title: 'Mastra 1', harness: mastraHarness() },
  { title: 'OpenAI Agents, chat completions', harness: agentsHarness('chat completions') },
  { title: 'OpenAI Agents, Responses', harness: agentsHarness('responses') },
  { title: 'MCP SDK 1', harness: mcpHarness('MCP SDK 1') },
  { title: 'MCP SDK 2', harness: mcpHarness('MCP SDK 2') },
];
