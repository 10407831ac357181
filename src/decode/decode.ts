import type { JsonObject } from '../call/json.ts';
import { andThen, mapValue, pass, refuse, type Step } from '../call/step.ts';
import type { AnyTool, DecodedCall, ToolCall, Toolset } from '../call/tool.ts';
import type { Defect, ToolError } from '../call/tool-error.ts';
import { type Limits, limitsFrom } from './limits.ts';
import { nearestName } from './nearest.ts';
import { type Defects, parseStrict } from './strict-json.ts';

/** What may be said about one decoding. */
export interface DecodeOptions {
  readonly limits?: Partial<Limits>;
  /** Which tools of the set are on the list for this call; all of them if left out. */
  readonly allowed?: (tool: AnyTool) => boolean;
  /** Gets what a tool's own schema threw, for the host's logger; the model never sees it. */
  readonly onError?: (cause: unknown) => void;
}

/**
 * Turns what a model asks for into a call of one tool, or into an error that names every defect.
 * In this order, each step only if the one before passed: is the tool on the list, is the text one
 * JSON object, does it fit the schema that the model was shown, does the tool's own schema accept it.
 * Synchronous; never throws, whatever comes in.
 */
export function decode<const Tools extends readonly AnyTool[]>(
  toolset: Toolset<Tools>,
  call: ToolCall,
  options: DecodeOptions = {},
): Step<DecodedCall<Tools[number]>, ToolError> {
  const onError = quiet(options.onError);
  let decoded: Step<DecodedCall, Defects>;
  try {
    decoded = decodeCall(toolset, call, options, onError);
  } catch (cause) {
    onError(cause);
    decoded = refuse([undecodable]);
  }
  if (decoded.ok) return decoded as Step<DecodedCall<Tools[number]>, never>;
  const [first] = decoded.error;
  const { tool, received } = textsOf(call);
  return refuse({ code: first.code, tool, received, defects: decoded.error });
}

const undecodable: Defect = {
  code: 'invalid_arguments',
  path: '',
  detail: 'The call could not be read.',
};

function decodeCall(
  toolset: Toolset,
  call: ToolCall,
  options: DecodeOptions,
  onError: (cause: unknown) => void,
): Step<DecodedCall, Defects> {
  return andThen(findTool(toolset, call.name, options.allowed), (tool) =>
    andThen(parseArguments(tool, call.arguments, limitsFrom(options.limits)), (given) =>
      mapValue(tool.accept(given, onError), ({ input, args, ordinal }) => ({
        name: tool.name,
        tool,
        input,
        args,
        ordinal,
      })),
    ),
  );
}

function findTool(
  toolset: Toolset,
  name: unknown,
  allowed: ((tool: AnyTool) => boolean) | undefined,
): Step<AnyTool, Defects> {
  const tool = typeof name === 'string' ? toolset.find(name) : undefined;
  if (tool !== undefined && (allowed === undefined || allowed(tool))) return pass(tool);
  const names = allowed ? toolset.tools.filter(allowed).map((each) => each.name) : toolset.names;
  const asked = typeof name === 'string' ? name : '';
  const nearest = nearestName(asked, names);
  return refuse([
    {
      code: 'unknown_tool',
      name: asked,
      allowed: names,
      ...(nearest === undefined ? {} : { nearest }),
    },
  ]);
}

function parseArguments(tool: AnyTool, text: unknown, limits: Limits): Step<JsonObject, Defects> {
  const parsed = parseStrict(text, limits);
  if (parsed.ok) return parsed;
  const [first] = parsed.error;
  const isBlank = first.code === 'invalid_json' && first.problem === 'blank';
  return isBlank && takesNothing(tool) ? pass({}) : parsed;
}

/** Whether a tool has no parameters, so that blank text says all there is to say. */
function takesNothing({ parameters }: AnyTool): boolean {
  const { properties = {}, patternProperties } = parameters;
  return (
    parameters.additionalProperties === false &&
    patternProperties === undefined &&
    Object.keys(properties as JsonObject).length === 0
  );
}

/** What was asked for, where it is text. */
function textsOf(call: ToolCall): { tool: string; received: string } {
  try {
    const { name, arguments: text } = call;
    return {
      tool: typeof name === 'string' ? name : '',
      received: typeof text === 'string' ? text : '',
    };
  } catch {
    return { tool: '', received: '' };
  }
}

/** A logger that throws must not turn an error into an exception. */
function quiet(onError: ((cause: unknown) => void) | undefined): (cause: unknown) => void {
  return (cause) => {
    try {
      onError?.(cause);
    } catch {
      // There is nowhere left to say it.
    }
  };
}
