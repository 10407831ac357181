import type { JsonObject } from '../call/json.ts';
import { isWriteTool } from '../call/tool.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A tool as a client lists it; without an output schema, which a result could miss. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

/** The tools that are available in a context, as a client lists them. */
export function listedTools(runtime: Runtime, context: unknown): readonly ListedTool[] {
  return runtime.tools(context as never).map(({ name, description, parameters, effect }) => {
    const tool = runtime.toolset.find(name);
    const isIdempotent = tool !== undefined && isWriteTool(tool) && tool.spec.idempotent === true;
    const isRead = effect === 'read';
    return {
      name,
      description,
      // MCP wants it said, also where the schema is a choice between objects.
      inputSchema: { type: 'object', ...parameters },
      annotations: {
        readOnlyHint: isRead,
        destructiveHint: !isRead,
        idempotentHint: isRead || isIdempotent,
      },
    };
  });
}
