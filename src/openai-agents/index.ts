export { type ForAgents, forAgents, type RunOptions } from './for-agents.ts';
export type { AgentsOptions } from './options.ts';
