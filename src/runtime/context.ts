import { type FailedResult, failed } from '../call/result.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { AnyTool } from '../call/tool.ts';
import type { Parts } from './parts.ts';

/** Holds the host's context against what the tool needs. It never rejects, and tells no value of it. */
export async function contextFor(
  tool: AnyTool,
  context: unknown,
  parts: Parts,
): Promise<Step<unknown, FailedResult>> {
  const schema = tool.spec.context;
  if (schema === undefined) return pass(context);
  try {
    const checked = await schema['~standard'].validate(context);
    if (checked.issues === undefined) return pass(checked.value);
    return refuse(missing(tool, parts, nameOf(checked.issues[0]?.path), checked.issues));
  } catch (cause) {
    return refuse(missing(tool, parts, undefined, cause));
  }
}

/** Whether a tool has any business in this context. */
export function isAvailable(tool: AnyTool, context: unknown, parts: Parts): boolean {
  if (tool.spec.available === undefined) return true;
  try {
    return tool.spec.available(context) === true;
  } catch (cause) {
    const message = `available() of ${tool.name} threw, so it is not offered`;
    parts.events.report({ code: 'tool_threw', tool: tool.name, cause, message });
    return false;
  }
}

function missing(
  tool: AnyTool,
  parts: Parts,
  name: string | undefined,
  cause: unknown,
): FailedResult {
  const message = `${tool.name} was not called: its context is not there${name ? ` (${name})` : ''}`;
  parts.events.report({ code: 'no_context', tool: tool.name, cause, message });
  return failed(
    'missing_runtime_context',
    'The tool was not called: something that the service has to supply is missing.',
    { outputs: { toolName: tool.name, ...(name ? { parameterName: name } : {}) } },
  );
}

type Path = readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;

function nameOf(path: Path): string | undefined {
  const keys = path?.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys?.length ? keys.join('.') : undefined;
}
