export type { AnyLanguageModel } from '../adapter/protocol.ts';
export { type AgentModelOptions, aiSdkModel } from './agent-model.ts';
export { type AiSdkOptions, type ForAiSdk, forAiSdk } from './for-ai-sdk.ts';
