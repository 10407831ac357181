import type { ToolCall } from '../call/tool.ts';
import type { ShownTool } from '../runtime/runtime.ts';

/** A tool call as a model makes it: the text of its arguments is still text. */
export interface TurnCall extends ToolCall {
  /** The model's own name for this call, by which its result is given back. */
  readonly id: string;
}

/** What a model can produce when it is asked. */
export type Turn =
  /** Words for the user: the model is done. */
  | { readonly kind: 'reply'; readonly text: string }
  /** Tools to be called, side by side; `text` is what it said beside them. */
  | { readonly kind: 'tool_calls'; readonly calls: readonly TurnCall[]; readonly text?: string }
  /** It met its limit in the middle of something; its last call may be half a call. */
  | { readonly kind: 'truncated'; readonly text?: string; readonly calls?: readonly TurnCall[] }
  /** It, or its provider, will not do this. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing at all. */
  | { readonly kind: 'empty' };

/** One message of a conversation, as a model is given it. */
export type Message =
  /** From the host: who the model is and how it is to work. */
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly TurnCall[] }
  /** What one call came to, as `renderResult` writes it. */
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    }
  /** From the loop, not from the user: an answer was cut off, an approval was given, … */
  | { readonly role: 'notice'; readonly text: string };

/** What a model may do in one turn. */
export interface TurnOptions {
  readonly tools: readonly ShownTool[];
  /** Aborted when the user leaves, and when the model has taken too long. */
  readonly signal: AbortSignal;
}

/** A language model. A rejection ends the run, and its cause goes to the host alone. */
export interface Model {
  next(conversation: readonly Message[], options: TurnOptions): Promise<Turn>;
}

/**
 * A turn as an adapter handed it over, put right where it says one thing in the form of another: calls
 * without a call, a reply without a word. Throws a TypeError where it is no turn.
 */
export function readTurn(turn: Turn): Turn {
  switch (turn?.kind) {
    case 'reply':
      return isBlank(turn.text) ? { kind: 'empty' } : turn;
    case 'tool_calls':
      return readCalls(turn);
    case 'truncated':
    case 'refused':
    case 'empty':
      return turn;
    default:
      throw new TypeError('the model returned no turn');
  }
}

function readCalls(turn: Extract<Turn, { kind: 'tool_calls' }>): Turn {
  if (!Array.isArray(turn.calls) || !turn.calls.every(isCall)) {
    throw new TypeError('a tool call needs an id, a name and the text of its arguments');
  }
  if (turn.calls.length > 0) return turn;
  return isBlank(turn.text) ? { kind: 'empty' } : { kind: 'reply', text: turn.text ?? '' };
}

function isCall(call: TurnCall): boolean {
  const { id, name, arguments: text } = call ?? {};
  return typeof id === 'string' && typeof name === 'string' && typeof text === 'string';
}

function isBlank(text: string | undefined): boolean {
  return typeof text !== 'string' || text.trim() === '';
}
