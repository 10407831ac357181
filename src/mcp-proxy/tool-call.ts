import type { JsonObject, JsonValue } from '../call/json.ts';
import { parseStrict } from '../decode/strict-json.ts';
import type { ProxiedTool } from './catalog.ts';
import {
  errorText,
  type MalformedMessage,
  notificationText,
  type RequestMessage,
  requestText,
} from './message.ts';
import type { Forwarding } from './proxied-tool.ts';
import { cutOut, rawObject, type Span, splice } from './raw-json.ts';
import type { Answer, Upstream } from './upstream.ts';

/** A `tools/call` as it came: the name, and the text of the arguments. */
export interface ToolCallMessage {
  readonly id: string;
  readonly text: string;
  readonly idSpan: Span;
  readonly name: string;
  readonly arguments: string;
  readonly argumentsSpan: Span | undefined;
  readonly isTask: boolean;
}

/** Reads a request's params; text where they are not those of a call: what to answer. */
export function readToolCall(message: RequestMessage): ToolCallMessage | string {
  const { id, text, idSpan, params } = message;
  const raw = params && rawObject(text, params.start);
  if (raw === undefined) return errorText(id, -32_602, 'tools/call takes params with a name.');
  if (raw.twin !== undefined) {
    const what = JSON.stringify(raw.twin);
    return errorText(id, -32_602, `${what} stands twice in the params; send it once.`);
  }
  const nameSpan = raw.members.get('name');
  const name: unknown = nameSpan && JSON.parse(cutOut(text, nameSpan));
  if (typeof name !== 'string') {
    return errorText(id, -32_602, 'tools/call takes the name of a tool, as text.');
  }
  const argumentsSpan = raw.members.get('arguments');
  return {
    id,
    text,
    idSpan,
    name,
    arguments: argumentsSpan === undefined ? '{}' : cutOut(text, argumentsSpan),
    argumentsSpan,
    isTask: raw.members.has('task'),
  };
}

/**
 * The call that a broken message was to be, where it is the text of its arguments that is broken:
 * decode says what is wrong with it, and nothing runs.
 */
export function readBrokenCall(
  message: MalformedMessage,
): Pick<ToolCallMessage, 'id' | 'name' | 'arguments'> | undefined {
  const { text, raw, id } = message;
  const paramsSpan = raw?.members.get('params');
  const params = paramsSpan && rawObject(text, paramsSpan.start);
  const name = params?.members.get('name');
  const argumentsSpan = params?.members.get('arguments');
  const method = raw?.members.get('method');
  if (id === undefined || !name || !argumentsSpan || !method) return undefined;
  if (cutOut(text, method) !== '"tools/call"') return undefined;
  const broken = cutOut(text, argumentsSpan);
  const quoted = /^"([^"\\]*)"$/.exec(cutOut(text, name))?.[1];
  if (quoted === undefined || parseStrict(broken).ok) return undefined;
  return { id, name: quoted, arguments: broken };
}

/** What a call needs of the session that it belongs to. */
export interface CallPort {
  readonly upstream: Upstream;
  /** Asks the client something; undefined where it does not answer with a result. */
  askClient(method: string, params: JsonValue): Promise<JsonObject | undefined>;
  readonly canElicit: boolean;
  mayAsk(toolName: string): boolean;
}

/** What a run sends for one call; without a call, as when an entry is asked about, nothing. */
export function forwarding(
  port: CallPort,
  call?: ToolCallMessage,
  found?: ProxiedTool,
): Forwarding {
  const { upstream } = port;
  return {
    answer: undefined,
    ready: (signal) => upstream.ready(signal),
    send: (signal) =>
      call === undefined
        ? Promise.resolve({ kind: 'not_sent', reason: 'there is no call to send' })
        : sendCall(upstream, call, found, signal),
    ask: (toolName, args) => askTool(port, toolName, args),
    taskResult: (taskId) => taskResult(upstream, taskId),
    confirmRepeat: (toolName, ordinal) => confirmRepeat(port, toolName, ordinal, call),
  };
}

/** The client's own text under an id of the proxy's, and without the argument that was the proxy's. */
async function sendCall(
  upstream: Upstream,
  call: ToolCallMessage,
  found: ProxiedTool | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const id = upstream.newId();
  const { text, idSpan, argumentsSpan } = call;
  const ordinal = ordinalName(found);
  const cleaned =
    ordinal === undefined || argumentsSpan === undefined
      ? []
      : [{ span: argumentsSpan, with: without(call.arguments, ordinal) }];
  const leave = (): void => {
    const params = { requestId: JSON.parse(id) as string, reason: 'The call is over.' };
    void upstream.send(notificationText('notifications/cancelled', params));
  };
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await upstream.request(id, splice(text, [{ span: idSpan, with: id }, ...cleaned]));
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

function ordinalName(found: ProxiedTool | undefined): string | undefined {
  const repeat = found?.terms.repeat;
  if (repeat === undefined) return undefined;
  return repeat === true ? 'occurrence' : repeat.argument;
}

function without(text: string, name: string): string {
  const object = rawObject(text);
  if (object === undefined || !object.members.has(name)) return text;
  const kept = [...object.members].filter(([key]) => key !== name);
  return `{${kept.map(([key, span]) => `${JSON.stringify(key)}:${cutOut(text, span)}`).join(',')}}`;
}

/** A server that is started again is worth waiting for: the next asking may be an hour away. */
const askReadyMs = 20_000;

async function askTool(
  port: CallPort,
  name: string,
  args: JsonValue,
): Promise<JsonObject | undefined> {
  if (!(await port.upstream.ready(AbortSignal.timeout(askReadyMs)))) return undefined;
  if (!port.mayAsk(name)) return undefined;
  const params = { name, arguments: args };
  return await resultOf(port.upstream, 'tools/call', params);
}

async function taskResult(upstream: Upstream, taskId: string): Promise<string | undefined> {
  if (!(await upstream.ready(AbortSignal.timeout(askReadyMs)))) return undefined;
  const task = await resultOf(upstream, 'tasks/get', { taskId });
  if (task?.status !== 'completed') return undefined;
  const id = upstream.newId();
  const answer = await upstream.request(id, requestText(id, 'tasks/result', { taskId }));
  return answer.kind === 'result' ? answer.raw : undefined;
}

/** The result of a request of the proxy's own; undefined where there is none. */
export async function resultOf(
  upstream: Upstream,
  method: string,
  params: JsonValue,
): Promise<JsonObject | undefined> {
  const id = upstream.newId();
  const answer = await upstream.request(id, requestText(id, method, params));
  return answer.kind === 'result' ? (JSON.parse(answer.raw) as JsonObject) : undefined;
}

const longestShown = 1000;

/** Only the user's own yes counts; a client that cannot ask the user has no say. */
async function confirmRepeat(
  port: CallPort,
  toolName: string,
  ordinal: number,
  call: ToolCallMessage | undefined,
): Promise<boolean> {
  if (!port.canElicit || call === undefined) return false;
  const shown = call.arguments.slice(0, longestShown).toWellFormed();
  const answer = await port.askClient('elicitation/create', {
    message: `This was done before. Do exactly the same once more (number ${ordinal})? ${toolName} ${shown}`,
    requestedSchema: {
      type: 'object',
      properties: {
        again: { type: 'boolean', title: 'Do it once more', description: `${toolName}, again` },
      },
      required: ['again'],
    },
  });
  const content = answer?.content;
  return (
    answer?.action === 'accept' &&
    typeof content === 'object' &&
    content !== null &&
    (content as JsonObject).again === true
  );
}
