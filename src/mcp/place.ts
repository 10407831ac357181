import { warnOnce } from '../adapter/warn-once.ts';
import { type FailedResult, failed } from '../call/result.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { AnyTool } from '../call/tool.ts';
import type { ContextOf } from '../runtime/runtime.ts';
import type { McpRequest } from './mcp-request.ts';

/** What `registerTools` takes beside the runtime. */
export interface McpOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  /**
   * The conversation or job; the session of the transport if left out. To be given where there is no
   * session, and where the ledger outlives it: then a new session would be a new scope.
   */
  readonly scope?: string | ((request: McpRequest) => string | Promise<string>);
  /** The host's own, for the tools: from who has signed in, say. Also asked when tools are listed. */
  context?(request: McpRequest): ContextOf<Tools> | Promise<ContextOf<Tools>>;
  /** Tells one turn of the user's from the next: a wanted repeat needs a new one. */
  turn?(request: McpRequest): string | number | undefined;
}

/** Where a call belongs, or what is told where the host could not say. */
export type Place = Step<
  {
    readonly scope: string;
    readonly context: unknown;
    readonly turn: string | number | undefined;
  },
  FailedResult
>;

/** Finds out where a request belongs. Never rejects. */
export async function placeOf(options: McpOptions, request: McpRequest): Promise<Place> {
  try {
    const { scope = request.sessionId } = options;
    const found = typeof scope === 'function' ? await scope(request) : scope;
    if (found === undefined) warnOnce('mcp', noScope);
    const context = await options.context?.(request);
    return pass({ scope: found ?? '', context, turn: options.turn?.(request) });
  } catch (cause) {
    console.error('forthright/mcp: where a call belongs could not be found out.', cause);
    return refuse(
      failed(
        'missing_runtime_context',
        'The tool was not called: something that the service has to supply is missing.',
      ),
    );
  }
}

const noScope =
  'the transport has no session and registerTools was given no scope, so nothing can be called. Give it one: registerTools(server, runtime, { scope }).';
