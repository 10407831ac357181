export { type ChatTool, type ForChat, forChat } from './for-chat.ts';
export { type ForResponses, forResponses } from './for-responses.ts';
export type { AnswerOptions, ChatOptions, ResponsesOptions } from './options.ts';
