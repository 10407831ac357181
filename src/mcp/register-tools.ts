import { warnOnce } from '../adapter/warn-once.ts';
import type { JsonObject } from '../call/json.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type CallAnswer, callTool } from './call-tool.ts';
import { carriedIn } from './hand-on.ts';
import { callInPlace } from './mcp-request.ts';
import { type AnyMcpServer, putBefore, type ToolHandlers } from './mcp-server.ts';
import { type McpOptions, placeOf } from './place.ts';
import type { RawCall } from './raw-message.ts';
import { listedTools } from './shown-tools.ts';

/**
 * Offers the tools of a runtime, `check_write` among them, on an `McpServer` of either version of the
 * SDK. Tools of the server's own stay as they are; unknown names are answered by a result. To be
 * called before the server is connected, once per server. Throws a TypeError where it is no `McpServer`.
 */
export function registerTools<const Tools extends readonly AnyTool[]>(
  server: AnyMcpServer,
  runtime: Runtime<Tools>,
  options: McpOptions<Tools> = {},
): void {
  if (typeof server?.registerTool !== 'function') {
    throw new TypeError('registerTools: the first argument is to be an McpServer of the MCP SDK');
  }
  const served = {
    runtime: runtime as unknown as Runtime,
    options: options as unknown as McpOptions,
    server,
  };
  putBefore(server, (own) => handlersOf(served, own), server);
}

interface Served {
  readonly runtime: Runtime;
  readonly options: McpOptions;
  readonly server: AnyMcpServer;
}

function handlersOf({ runtime, options, server }: Served, own: ToolHandlers): ToolHandlers {
  const isOurs = (name: string): boolean => runtime.toolset.find(name) !== undefined;
  const ownTools = async (context: unknown): Promise<readonly { name: string }[]> => {
    const { tools } = await own.list({ method: 'tools/list', params: {} }, context);
    return (tools as readonly { name: string }[]).filter(({ name }) => !isOurs(name));
  };
  return {
    async list(_, context) {
      const place = await placeOf(options, callInPlace(server.server, context).from);
      const ours = listedTools(runtime, place.ok ? place.value.context : undefined);
      return { tools: [...(await ownTools(context)), ...ours] };
    },
    async call(request, context) {
      const { params = noParams } = request as { params?: Params };
      const carried = carriedIn(params.arguments);
      const others = isOurs(params.name) ? [] : await ownTools(context);
      if (others.some(({ name }) => name === params.name)) {
        const restored = carried === undefined ? request : parsed(request, carried);
        return restored === undefined ? brokenForOthers : own.call(restored, context);
      }
      if (carried === undefined) warnOnce('mcp', noText);
      const call = carried ?? rewritten(params);
      const inPlace = callInPlace(server.server, context);
      const place = await placeOf(options, inPlace.from);
      return (await callTool(runtime, call, inPlace, place)) satisfies CallAnswer;
    },
  };
}

interface Params {
  readonly name: string;
  readonly arguments?: JsonObject;
}

const noParams: Params = { name: '' };

/** A request as the SDK would have parsed it, for the tools of the server's own; none where it is no JSON. */
function parsed(request: object, { text, isBroken }: RawCall): object | undefined {
  const { params } = request as { params: object };
  try {
    const args: unknown = isBroken ? undefined : JSON.parse(text);
    return args === undefined ? undefined : { ...request, params: { ...params, arguments: args } };
  } catch {
    return undefined;
  }
}

const brokenForOthers = {
  content: [{ type: 'text', text: 'The message that held this call is not JSON; nothing ran.' }],
  isError: true,
};

/** What the SDK's own transport left of a call. */
function rewritten({
  name,
  arguments: args = {},
}: {
  name: string;
  arguments?: JsonObject;
}): RawCall {
  return { name, text: JSON.stringify(args), isBroken: false };
}

const noText =
  'a call came without its text, so that duplicate keys and rounded numbers cannot all be seen. Use StrictStdioTransport, strictFetch or strictNode.';
