import {
  type Model,
  type ModelRequest,
  type ModelResponse,
  type ModelRetryAdvice,
  type ModelRetryAdviceRequest,
  Runner,
  type StreamEvent,
} from '@openai/agents';
import { AnswerCalls } from '../adapter/answer-calls.ts';
import { checkedText, checksReply } from '../adapter/joined.ts';
import type { ParsedJoined } from '../adapter/parsed.ts';
import { handedText } from '../adapter/readable.ts';
import { isRendered, unheard } from '../adapter/unheard.ts';
import { renderResult } from '../call/result.ts';
import type { AgentsPort } from './port.ts';

/** An item of an input or an answer, as far as it is read here. */
interface Item {
  readonly type?: string;
  readonly name?: string;
  readonly callId?: string;
  readonly arguments?: string;
  readonly status?: string;
  readonly output?: unknown;
  readonly content?: unknown;
}

interface TextPart {
  readonly type: string;
  readonly text?: string;
}

type Output = ModelResponse['output'];

/**
 * The same model, through which the text of each call is kept, calls that the SDK could not read reach
 * the tools all the same and, where it is wanted, the last answer is held against the record.
 */
export class CheckedModel implements Model {
  readonly #port: AgentsPort;
  readonly #given: Model | string;
  #found: Promise<Model> | undefined;

  constructor(port: AgentsPort, given: Model | string) {
    this.#port = port;
    this.#given = given;
  }

  get supportsPromptModelSelection(): boolean {
    return typeof this.#given !== 'string' && this.#given.supportsPromptModelSelection === true;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const joined = await this.#port.joined();
    const model = await this.#model();
    const response = await model.getResponse(ownRequest(this.#port, joined, request));
    const { output, isReply } = this.#read(joined, request, response.output);
    return { ...response, output: isReply ? (await checkedOutput(joined, output)).output : output };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const joined = await this.#port.joined();
    const model = await this.#model();
    const held: StreamEvent[] = [];
    for await (const event of model.getStreamedResponse(ownRequest(this.#port, joined, request))) {
      if (event.type === 'response_done') yield* this.#done(joined, request, event, held.splice(0));
      else if (checksReply(joined) && event.type !== 'response_started') held.push(event);
      else yield event;
    }
  }

  async getRetryAdvice(asked: ModelRetryAdviceRequest): Promise<ModelRetryAdvice | undefined> {
    return (await this.#model()).getRetryAdvice?.(asked);
  }

  /** Where the answer is corrected, nothing of what was held back, which has it in pieces, is shown. */
  async *#done(
    joined: ParsedJoined,
    request: ModelRequest,
    event: Extract<StreamEvent, { type: 'response_done' }>,
    held: readonly StreamEvent[],
  ): AsyncIterable<StreamEvent> {
    const { response } = event;
    const read = this.#read(joined, request, response.output as Output);
    const { output, reply } = read.isReply
      ? await checkedOutput(joined, read.output)
      : { ...read, reply: undefined };
    if (reply === undefined) yield* held;
    else yield { type: 'output_text_delta', delta: reply };
    yield { ...event, response: { ...response, output } } as StreamEvent;
  }

  #model(): Promise<Model> {
    const given = this.#given;
    // The default provider has no other door.
    this.#found ??= (async () =>
      typeof given === 'string' ? new Runner().config.modelProvider.getModel(given) : given)();
    return this.#found;
  }

  #read(
    joined: ParsedJoined,
    { tools, handoffs }: ModelRequest,
    output: Output,
  ): { output: Output; isReply: boolean } {
    const names = [...tools.map(({ name }) => name), ...handoffs.map(({ toolName }) => toolName)];
    const { toolset } = joined.runtime;
    const others = new Set(names.filter((name) => toolset.find(name) === undefined));
    const calls = new AnswerCalls(others);
    const read = (output as readonly Item[]).map((item) => {
      const { type, name = '', callId: id = '', arguments: written = '' } = item;
      if (type !== 'function_call') return item;
      const callId = calls.add(name, id);
      if (others.has(name)) return item;
      const text = this.#port.offered.own(name, written);
      joined.texts.keep(callId, text);
      // A new call goes by that id, and what an earlier one came to says nothing of it.
      this.#port.results.delete(callId);
      // The SDK takes blank text for none, where a tool without parameters needs no more.
      return { ...item, callId, arguments: handedText(toolset, name, text).trim() || '{}' };
    });
    const isReply = !read.some(({ type = '' }) => localCalls.has(type));
    return { output: read as Output, isReply };
  }
}

/** Calls that this process runs, so that an answer with one of them is not the last. */
const localCalls: ReadonlySet<string> = new Set([
  ...['function_call', 'computer_call', 'shell_call', 'apply_patch_call'],
]);

/** The same output with its text held against the record; `reply` where it says something else now. */
async function checkedOutput(
  joined: ParsedJoined,
  output: Output,
): Promise<{ output: Output; reply: string | undefined }> {
  const items = output as readonly Item[];
  const texts = items.flatMap(textParts);
  const said = texts.map(({ text = '' }) => text).join('');
  const reply = await checkedText(said, joined);
  if (reply === said) return { output, reply: undefined };
  const ownPart = (part: TextPart): readonly TextPart[] => {
    if (part.type !== 'output_text') return [part];
    return part === texts[0] ? [{ type: 'output_text', text: reply }] : [];
  };
  const own = items.map((item) =>
    textParts(item).length === 0
      ? item
      : { ...item, content: (item.content as readonly TextPart[]).flatMap(ownPart) },
  );
  return { output: own as Output, reply };
}

function textParts({ type = 'message', content }: Item): readonly TextPart[] {
  if (type !== 'message' || !Array.isArray(content)) return [];
  return content.filter((part: TextPart) => part.type === 'output_text');
}

/** A call that the SDK gave up, as when the user left, may have had its effect all the same. */
function ownRequest(port: AgentsPort, joined: ParsedJoined, request: ModelRequest): ModelRequest {
  const { input } = request;
  if (typeof input === 'string') return request;
  const own = (input as readonly Item[]).map((item) => {
    const { type, name = '', callId = '', status, output } = item;
    const isGivenUp = type === 'function_call_result' && status === 'incomplete';
    if (!isGivenUp || joined.runtime.toolset.find(name) === undefined) return item;
    if (isRendered(textOfOutput(output))) return item;
    const text = port.results.get(callId) ?? renderResult(unheard);
    return { ...item, status: 'completed', output: { type: 'text', text } };
  });
  return { ...request, input: own as typeof input };
}

function textOfOutput(output: unknown): string {
  return typeof output === 'string' ? output : String((output as TextPart | undefined)?.text ?? '');
}
