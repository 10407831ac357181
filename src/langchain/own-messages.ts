import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { keptRefusal } from '../adapter/unheard.ts';
import { renderResult } from '../call/result.ts';

/**
 * The same messages, in which what LangChain says of a call that cannot run is said by a result of
 * ours. What a middleware of the host's says in place of one that could run is left alone.
 */
export function ownMessages(
  joined: ParsedJoined,
  others: ReadonlySet<string>,
  messages: readonly BaseMessage[],
): BaseMessage[] {
  return messages.map((message) => {
    if (!ToolMessage.isInstance(message) || message.status !== 'error') return message;
    const { name = '', tool_call_id } = message;
    if (others.has(name)) return message;
    const result = keptRefusal(joined, name, tool_call_id);
    if (result === undefined) return message;
    return new ToolMessage({ content: renderResult(result), tool_call_id, name, status: 'error' });
  });
}
