export { checkReply } from './check.ts';
export { readableLanguages } from './lexicon/languages.ts';
export { checkedText, type ReplyStreamOptions, replyStream } from './reply-stream.ts';
export type {
  ReplyCheck,
  ReplyClaim,
  ReplyEntry,
  ReplyFinding,
  ReplyFindingCode,
  ReplyOptions,
  ReplyRead,
  ReplyTool,
  ToolVerb,
} from './types.ts';
