import type { JsonObject } from '../call/json.ts';
import { NewestMap } from '../call/newest-map.ts';
import { failed } from '../call/result.ts';
import { isJsonObject } from '../decode/json-copy.ts';
import type { Catalog, ProxiedTool, Tools } from './catalog.ts';
import { errorText, type RequestMessage, responseText } from './message.ts';
import {
  type CallPort,
  forwarding,
  type readBrokenCall,
  readToolCall,
  type ToolCallMessage,
} from './tool-call.ts';
import { responseBody, sentenceOf } from './tool-result.ts';

type BrokenCall = NonNullable<ReturnType<typeof readBrokenCall>>;

/** What calls need of the session that they belong to. */
export interface CallsOptions {
  readonly catalog: Catalog;
  readonly port: CallPort;
  readonly scope: string;
  toClient(text: string): void;
  onCancelled(idKey: string): void;
}

/** Takes each `tools/call` through a runtime and answers it. */
export class Calls {
  readonly #options: CallsOptions;
  /** What ends a call that the client has cancelled, by the id of the request. */
  readonly #leaving = new Map<string, AbortController>();
  readonly #taken = new Set<Promise<void>>();
  /** The keys of writes that the server does as tasks, by the id of the task: of the newest. */
  readonly #tasks = new NewestMap<string, string>(10_000);

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Whether a call had that id; it is ended by our own rules. */
  cancel(idKey: string): boolean {
    const call = this.#leaving.get(idKey);
    call?.abort(new Error('The client has cancelled the call.'));
    return call !== undefined;
  }

  /** The client was told what came of a task. */
  taskEnded(taskId: string, raw: string): void {
    const key = this.#tasks.get(taskId);
    if (key === undefined) return;
    this.#tasks.delete(taskId);
    void this.#options.catalog.settleTask(key, raw);
  }

  /** Answers one call; never rejects. */
  async take(message: RequestMessage): Promise<void> {
    const taking = this.#take(message);
    this.#taken.add(taking);
    try {
      await taking;
    } finally {
      this.#taken.delete(taking);
    }
  }

  /** Resolves when every call that was taken is answered, or the time is over. */
  async answered(longestMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestMs);
    });
    await Promise.race([Promise.all(this.#taken), late]);
    clearTimeout(timer);
  }

  async #take(message: RequestMessage): Promise<void> {
    const call = readToolCall(message);
    if (typeof call === 'string') {
      this.#options.toClient(call);
      return;
    }
    const leaving = new AbortController();
    this.#leaving.set(message.idKey, leaving);
    const response = await this.#call(call, leaving.signal);
    this.#leaving.delete(message.idKey);
    // Whoever has cancelled a request is not to be answered (MCP, cancellation).
    if (leaving.signal.aborted) this.#options.onCancelled(message.idKey);
    else this.#options.toClient(response);
  }

  async #call(call: ToolCallMessage, signal: AbortSignal): Promise<string> {
    const tools = await this.#toolsFor(call.name);
    if (tools === undefined) return unlisted(call);
    const found = tools.find(call.name);
    const context = forwarding(this.#options.port, call, found);
    const { result, key } = await tools.runtime.call({
      name: found?.tool.name ?? call.name,
      arguments: call.arguments,
      scope: this.#options.scope,
      context,
      signal,
    });
    const told = { result, answer: context.answer, ...shapeOf(found) };
    const { name, raw } = responseBody(told);
    if (!call.isTask) return responseText(call.id, name, raw);
    const task = name === 'result' ? (JSON.parse(raw) as JsonObject).task : undefined;
    if (isJsonObject(task) && key !== undefined) this.#tasks.set(String(task.taskId), key);
    // A client that asked for a task takes nothing else for a result.
    return task === undefined && name === 'result'
      ? errorText(call.id, -32_000, sentenceOf(result))
      : responseText(call.id, name, raw);
  }

  /** A tool that is not known may be new. */
  async #toolsFor(name: string): Promise<Tools | undefined> {
    const tools = await this.#options.catalog.current();
    if (tools === undefined || tools.find(name) !== undefined) return tools;
    if (tools.runtime.toolset.find(name) !== undefined) return tools;
    this.#options.catalog.expire();
    return await this.#options.catalog.current();
  }

  /** Says what is wrong with a call whose arguments are no JSON; nothing runs. */
  async tellBroken(broken: BrokenCall): Promise<void> {
    const tools = await this.#toolsFor(broken.name);
    if (tools === undefined) {
      this.#options.toClient(unlisted(broken));
      return;
    }
    const found = tools.find(broken.name);
    const name = found?.tool.name ?? broken.name;
    const { scope } = this.#options;
    const context = forwarding(this.#options.port);
    const request = { name, arguments: broken.arguments, scope, context };
    const { result } = await tools.runtime.call(request);
    const body = responseBody({ result, answer: undefined, ...shapeOf(found) });
    this.#options.toClient(responseText(broken.id, body.name, body.raw));
  }
}

function shapeOf(found: ProxiedTool | undefined): {
  readonly effect: 'read' | 'write';
  readonly hasOutputSchema: boolean;
} {
  return {
    effect: found?.terms.effect ?? 'write',
    hasOutputSchema: found?.hasOutputSchema ?? false,
  };
}

function unlisted({ id }: { readonly id: string }): string {
  const why = 'The server does not list its tools at the moment; nothing was sent.';
  const result = failed('tool_unavailable', why, { nextActions: ['Call again later.'] });
  const told = { result, answer: undefined, effect: 'write', hasOutputSchema: false } as const;
  return responseText(id, 'result', responseBody(told).raw);
}
