export type { AnyLanguageModel } from '../adapter/protocol.ts';
export { type ForMastra, forMastra, type MastraOptions } from './for-mastra.ts';
