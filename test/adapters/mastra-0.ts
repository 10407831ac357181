import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MastraParts } from './mastra-harness.ts';

const workspace = new URL('../workspaces/mastra-0/node_modules/', import.meta.url);

/** Whether `npm ci` has been run in test/workspaces/mastra-0. */
export const isMastra0Installed: boolean = existsSync(fileURLToPath(workspace));

/** A module of the workspace, whose packages do not install beside the others. */
export function ofMastra0(path: string): Promise<Record<string, unknown>> {
  return import(new URL(path, workspace).href);
}

const throws = 'Mastra 0 ends the run by an exception of its own; nothing has run.';

/** What Mastra 0 makes impossible. */
export const impossibleByMastra0: Readonly<Record<string, string>> = {
  'an unknown tool': throws,
  'an unknown tool beside a valid call': throws,
};

export async function mastra0(): Promise<MastraParts> {
  const { Agent } = await ofMastra0('@mastra/core/dist/agent/index.js');
  const { createTool } = await ofMastra0('@mastra/core/dist/tools/index.js');
  const { createOpenAICompatible } = await ofMastra0('@ai-sdk/openai-compatible/dist/index.mjs');
  return {
    Agent: Agent as never,
    createTool: createTool as never,
    model: (baseURL) =>
      (createOpenAICompatible as never as OpenProvider)({ name: 'local', baseURL })('scripted'),
    isThreaded: false,
    impossible: impossibleByMastra0,
  };
}

type OpenProvider = (options: object) => (model: string) => ReturnType<MastraParts['model']>;
