export { checkReply } from './check.ts';
export { readableLanguages } from './lexicon/languages.ts';
export type { ReplyStreamOptions } from './reply-guard.ts';
export { checkedText, replyStream } from './reply-stream.ts';
export type {
  ReplyCheck,
  ReplyClaim,
  ReplyEntry,
  ReplyFinding,
  ReplyFindingCode,
  ReplyGuarding,
  ReplyOptions,
  ReplyRead,
  ReplyTool,
  ToolVerb,
} from './types.ts';
