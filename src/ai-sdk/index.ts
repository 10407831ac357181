export { type AgentModelOptions, aiSdkModel } from './agent-model.ts';
export { type ForAiSdk, forAiSdk } from './for-ai-sdk.ts';
export type { AiSdkOptions } from './joined.ts';
export type { AnyLanguageModel } from './protocol.ts';
