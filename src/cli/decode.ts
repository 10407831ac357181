import type { JsonObject } from '../call/json.ts';
import { type FailedResult, failed } from '../call/result.ts';
import { pass, refuse, type Step } from '../call/step.ts';
import type { ToolCall, Toolset } from '../call/tool.ts';
import type { Defect, ToolError } from '../call/tool-error.ts';
import { decode as decodeCall } from '../decode/decode.ts';
import { explain } from '../decode/explain.ts';
import { defaultLimits, type Limits } from '../decode/limits.ts';
import { parseStrict } from '../decode/strict-json.ts';
import { type Command, numberOption, positionals, textOption, UsageError } from './command.ts';
import { type Line, linesOf } from './lines.ts';
import { sayDefect } from './say-defect.ts';
import { readTools } from './tools-file.ts';

const mostLength = 64 * 1024 * 1024;
const deepest = 1000;

/** `forthright decode` */
export const decode: Command = {
  name: 'decode',
  summary: 'tool calls on standard input, one JSON line each → decoded, or refused by name',
  help: `Usage: forthright decode --tools tools.json [options] < calls.jsonl

Reads one tool call a line, {"name": "…", "arguments": "…"}, the arguments being text as the model
wrote it, and writes one line for each, in order:

  {"ok":true,"name":…,"input":…}       what the tool would run with
  {"ok":false,"error":…,"result":…}    what is wrong, and the result for the model

A line that is no such call is answered in the same way, and the run goes on. Blank lines are
passed over.

Options:
  --tools FILE      the tools: a list from MCP, OpenAI (chat or responses) or Anthropic, or of
                    {"name", "schema"}; bare, or under "tools"
  --max-length N    how long the text of the arguments may be, in UTF-16 units;
                    ${defaultLimits.maxLength} if left out, at most ${mostLength}
  --max-depth N     how deep objects and lists may be nested, 1 to ${deepest}; ${defaultLimits.maxDepth} if left out
  --help            print this

Exit codes: 0 every line was answered, refused ones too; 2 the command line is wrong, or the tools
cannot be used.`,
  options: {
    tools: { type: 'string' },
    'max-length': { type: 'string' },
    'max-depth': { type: 'string' },
  },
  async run(said, { stdin, out, err }) {
    positionals(said);
    const path = textOption(said, 'tools');
    if (path === undefined) throw new UsageError('--tools is missing.');
    const limits: Limits = {
      maxLength: numberOption(said, 'max-length', {
        least: 1,
        most: mostLength,
        otherwise: defaultLimits.maxLength,
      }),
      maxDepth: numberOption(said, 'max-depth', {
        least: 1,
        most: deepest,
        otherwise: defaultLimits.maxDepth,
      }),
    };
    const tools = readTools(path);
    for (const { name, warnings } of tools.tools) {
      for (const warning of warnings) err(`${name}: ${warning}`);
    }
    for await (const line of linesOf(stdin, lineLimit(limits))) {
      const answer = answerTo(line, tools, limits);
      if (answer !== undefined) await out(`${JSON.stringify(answer)}\n`);
    }
    return 0;
  },
};

/** Each unit of the text may be written as an escape of six bytes; the rest is for what stands beside it. */
function lineLimit({ maxLength }: Limits): number {
  return 6 * maxLength + 65_536;
}

type Answer =
  | { readonly ok: true; readonly name: string; readonly input: unknown }
  | { readonly ok: false; readonly error: ToolError; readonly result: FailedResult };

function answerTo(line: Line, tools: Toolset, limits: Limits): Answer | undefined {
  if (line.kind === 'line' && line.text.trim() === '') return undefined;
  const call = callOf(line);
  if (!call.ok) return { ok: false, error: call.error, result: explainLine(call.error, line) };
  const decoded = decodeCall(tools, call.value, { limits });
  if (decoded.ok) {
    const { name, input } = decoded.value;
    return { ok: true, name, input };
  }
  const { error } = decoded;
  return { ok: false, error, result: explain(error, tools.find(error.tool)) };
}

/**
 * The call that a line is, its parts not looked at: that is for decode. The line itself is read as
 * strictly as arguments are, but for half a surrogate pair, which decode names where it stands.
 */
function callOf(line: Line): Step<ToolCall, ToolError> {
  if (line.kind === 'too_long') {
    const limit = line.limitBytes;
    return refuse(lineError({ code: 'arguments_too_large', length: limit + 1, limit }));
  }
  if (line.kind === 'not_utf8') {
    return refuse(lineError({ code: 'invalid_unicode', path: '', parameterName: '' }));
  }
  const limits = { maxLength: Number.POSITIVE_INFINITY, maxDepth: deepest };
  const parsed = parseStrict(line.text, limits);
  if (parsed.ok) return pass(asCall(parsed.value));
  const defect = parsed.error.find(({ code }) => code !== 'invalid_unicode');
  if (defect === undefined) return pass(asCall(JSON.parse(line.text)));
  return refuse(lineError(defect, line.text));
}

/** What is absent or of another type is told by decode. */
function asCall(value: JsonObject): ToolCall {
  return value as unknown as ToolCall;
}

function lineError(defect: Defect, received = ''): ToolError {
  return { code: defect.code, tool: '', received, defects: [defect] };
}

function explainLine({ code, defects }: ToolError, { number }: Line): FailedResult {
  const [defect] = defects;
  return failed(code, `Line ${number} is no tool call: ${sayDefect(defect)}.`, {
    nextActions: ['Send one JSON object a line: {"name": "…", "arguments": "…"}.'],
    outputs: { line: number },
  });
}
