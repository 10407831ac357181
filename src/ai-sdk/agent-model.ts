import {
  type AnyLanguageModel,
  type FinishReason,
  type Generated,
  type Part,
  type SpokenModel,
  wordOf,
} from '../adapter/protocol.ts';
import type { Message, Model, Turn, TurnCall, TurnOptions } from '../agent/turn.ts';
import type { ShownTool } from '../runtime/runtime.ts';

/** How `aiSdkModel` asks. */
export interface AgentModelOptions {
  /** Whether answers are asked for as a stream, as long ones may have to be; false if left out. */
  readonly stream?: boolean;
  /** Told of words for the user as they come; asks for a stream. They are not checked yet. */
  onText?(delta: string): void;
}

/** Any language model of the AI SDK as a model for `runAgent`. */
export function aiSdkModel(model: AnyLanguageModel, options: AgentModelOptions = {}): Model {
  const spoken = model as unknown as SpokenModel;
  const streams = options.stream ?? options.onText !== undefined;
  return {
    async next(conversation, turn) {
      const asked = {
        prompt: conversation.map(promptMessage),
        tools: turn.tools.map(functionTool),
        abortSignal: turn.signal,
      } satisfies { abortSignal: TurnOptions['signal'] } & Record<string, unknown>;
      if (!streams) return turnOf(await spoken.doGenerate(asked as never));
      const { stream } = await spoken.doStream(asked as never);
      return turnOf(await gather(stream, options.onText?.bind(options)));
    },
  };
}

async function gather(
  stream: ReadableStream<Part>,
  onText: (delta: string) => void = () => undefined,
): Promise<Generated> {
  const content: Part[] = [];
  let finishReason: FinishReason = 'other';
  for await (const part of stream as unknown as AsyncIterable<Part>) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'tool-call') content.push(part);
    if (part.type === 'finish') finishReason = part.finishReason ?? finishReason;
    if (part.type === 'text-delta') {
      content.push({ type: 'text', text: part.delta ?? '' });
      onText(part.delta ?? '');
    }
  }
  return { content, finishReason };
}

function turnOf({ content, finishReason }: Generated): Turn {
  const text = content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
  const calls = content.filter(({ type }) => type === 'tool-call').map(turnCall);
  const word = wordOf(finishReason);
  if (word === 'length') return { kind: 'truncated', text, calls };
  if (word === 'content-filter') return { kind: 'refused', reason: text };
  if (word === 'error') throw new Error('the model ended its answer with an error');
  if (calls.length > 0) return { kind: 'tool_calls', calls, ...(text === '' ? {} : { text }) };
  return text.trim() === '' ? { kind: 'empty' } : { kind: 'reply', text };
}

function turnCall({ toolCallId: id = '', toolName: name = '', input }: Part): TurnCall {
  return { id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}) };
}

function functionTool({ name, description, parameters }: ShownTool): object {
  return { type: 'function', name, description, inputSchema: parameters };
}

function promptMessage(message: Message): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
    case 'notice':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message) };
    case 'tool': {
      const { callId: toolCallId, name: toolName, text } = message;
      const output = { type: 'text', value: text };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
  }
}

function assistantParts({ text, calls }: Extract<Message, { role: 'assistant' }>): object[] {
  const made = calls.map(({ id: toolCallId, name: toolName, arguments: written }) => ({
    type: 'tool-call',
    toolCallId,
    toolName,
    input: readable(written),
  }));
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...made];
}

/** Providers take past arguments as a value; what is none has been answered by its result. */
function readable(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return {};
  }
}
