export { type ChatTool, type ForChat, forChat } from './for-chat.ts';
export type { AnswerOptions, ChatOptions } from './options.ts';
