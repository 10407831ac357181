import {
  accepted,
  answered,
  type Evidence,
  type Finding,
  happened,
  noEvidence,
  notKnownYet,
  notSent,
  rejected,
} from '../call/evidence.ts';
import type { JsonObject, JsonValue } from '../call/json.ts';
import { failed, ok, type ToolResult, unknown } from '../call/result.ts';
import type { AnyTool, JsonSchema, ReadCall, ToolSpec, WriteCall } from '../call/tool.ts';
import { tool } from '../decode/define-tool.ts';
import { scan } from '../decode/scan.ts';
import { defaults, type ReconcileRule } from './config.ts';
import { contentText } from './content.ts';
import { ignoredByRule } from './key-paths.ts';
import type { ListedTool, ToolTerms } from './listed-tool.ts';
import { fillIn, fillInPath, findingOf } from './reconcile-rule.ts';
import { startedTask } from './tool-result.ts';
import type { Answer } from './upstream.ts';

/** One call on its way to the server; the context of the tool's run. */
export interface Forwarding {
  /** Resolves to false where the server is not there in time. */
  ready(signal: AbortSignal): Promise<boolean>;
  /** Sends the client's own text of the call; `signal` tells the server that nobody waits any more. */
  send(signal?: AbortSignal): Promise<Answer>;
  /** Asks a reading tool of the same server; undefined where it gave no result. */
  ask(toolName: string, args: JsonValue): Promise<JsonObject | undefined>;
  /** What came of a task that the server does a call as; undefined while it is not done. */
  taskResult(taskId: string): Promise<string | undefined>;
  /** The user's word that the same is wanted once more. */
  confirmRepeat(toolName: string, ordinal: number): Promise<boolean>;
  /** What came, as it came, for the client. */
  answer: Answer | undefined;
}

const open: JsonSchema = { type: 'object', additionalProperties: true };
const nameForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * A server's tool as one of ours: the client's text goes to the server as it is, once decode has taken
 * it. A schema that cannot be enforced is reported to `warn`, and then only strict JSON is asked for.
 */
export function proxiedTool(
  listed: ListedTool,
  terms: ToolTerms,
  warn: (message: string) => void,
): AnyTool {
  const { name } = listed;
  // The names of MCP may be longer, and have dots.
  const safeName = nameForm.test(name) ? name : 'proxied';
  const define = (input: JsonSchema): AnyTool =>
    tool(specOf({ ...listed, name: safeName }, terms, input, (why) => warn(`${name}: ${why}`)));
  const named = (made: AnyTool): AnyTool =>
    safeName === name ? made : { ...made, name, spec: { ...made.spec, name } };
  try {
    return named(define(inputOf(listed, terms)));
  } catch (cause) {
    const why = (cause as Error).message;
    warn(`${name}: its schema cannot be enforced, only strict JSON is asked for (${why})`);
    return named(define(open));
  }
}

/** What a server leaves open stays open where nothing is named, or where the rule says so. */
function inputOf({ inputSchema }: ListedTool, { extraArguments }: ToolTerms): JsonSchema {
  const saysNothing = ['properties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'].every(
    (keyword) => inputSchema[keyword] === undefined,
  );
  const isOpen = extraArguments === 'pass' || saysNothing;
  return isOpen && inputSchema.additionalProperties === undefined
    ? { ...inputSchema, additionalProperties: true }
    : inputSchema;
}

type Spec = ToolSpec<string, JsonSchema, Forwarding, JsonValue>;

function specOf(
  listed: ListedTool,
  terms: ToolTerms,
  input: JsonSchema,
  warn: (message: string) => void,
): Spec {
  const { name, description } = listed;
  const { lane, timeoutMs } = terms;
  const common = {
    name,
    description,
    input,
    ...(lane === undefined ? {} : { lane: (args: JsonObject) => fillInPath(lane, args) }),
  };
  if (terms.effect === 'read') {
    const longestMs = timeoutMs ?? defaults.readTimeoutMs;
    return { ...common, effect: 'read', timeoutMs: longestMs, run: (_, call) => runRead(call) };
  }
  const { key, repeat, reconcile, requestMaxMs, marginMs } = terms;
  const schema = input as JsonObject;
  const argument = typeof repeat === 'object' ? { argument: repeat.argument } : {};
  return {
    ...common,
    effect: 'write',
    timeoutMs: timeoutMs ?? defaults.writeTimeoutMs,
    idempotent: terms.idempotent,
    keepLane: terms.keepLane ?? lane !== undefined,
    replayMs: terms.replayMs ?? defaults.replayMs,
    ...(requestMaxMs === undefined ? {} : { requestMaxMs }),
    ...(marginMs === undefined ? {} : { marginMs }),
    ...(key === undefined ? {} : { key: { ignore: ignoredByRule(key, schema, warn) } }),
    ...(repeat === undefined
      ? {}
      : {
          repeat: {
            ...argument,
            allow: ({ context, ordinal }) => context.confirmRepeat(name, ordinal),
          },
        }),
    run: (_, call) => runWrite(listed, terms, call),
    reconcile: async (args, { context, note }) => {
      const done = note === undefined ? undefined : await context.taskResult(note);
      if (done !== undefined) return findingOfTask(done);
      return reconcile === undefined ? notKnownYet() : await findingBy(reconcile, args, context);
    },
  };
}

function findingOfTask(raw: string): Finding {
  const { isError } = JSON.parse(raw) as JsonObject;
  return isError === true ? notKnownYet() : happened(kept(raw));
}

async function findingBy(
  rule: ReconcileRule,
  args: JsonObject,
  context: Forwarding,
): Promise<Finding> {
  const answer = await context.ask(rule.tool, fillIn(rule.arguments ?? {}, args));
  return answer === undefined ? notKnownYet() : findingOf(rule, answer, args);
}

async function runRead(call: ReadCall<Forwarding>): Promise<ToolResult> {
  const { context, signal } = call;
  if (!(await context.ready(signal))) return failed('not_sent', serverAway);
  const answer = await context.send(signal);
  context.answer = answer;
  if (answer.kind === 'result' || answer.kind === 'error') return ok('Read.');
  return failed('server_lost', 'The server gave no answer; nothing was changed.', {
    nextActions: ['Call again later.'],
  });
}

const serverAway = 'The server is not running at the moment; nothing was sent.';

async function runWrite(
  listed: ListedTool,
  terms: ToolTerms,
  call: WriteCall<Forwarding>,
): Promise<ToolResult> {
  const { context, signal } = call;
  if (!(await context.ready(signal))) return failed('not_sent', serverAway);
  const evidence = await call.dispatch(async ({ maySend }) => {
    if (!maySend()) return notSent('the time for sending is over');
    const answer = await context.send();
    context.answer = answer;
    return evidenceOf(answer, listed, terms);
  });
  const task = context.answer?.kind === 'result' ? startedTask(context.answer.raw) : undefined;
  if (task !== undefined) await call.note(task);
  return wordOf(evidence, context.answer);
}

/** A result of the server's that it says is no error. */
function evidenceOf(
  answer: Answer,
  { hasOutputSchema }: ListedTool,
  terms: ToolTerms,
): Evidence<string> {
  switch (answer.kind) {
    case 'result': {
      const { isError, resultType } = JSON.parse(answer.raw) as JsonObject;
      if (resultType === 'input_required') return rejected('the server asks for input first');
      if (startedTask(answer.raw) !== undefined) return accepted('the server does it as a task');
      if (isError !== true) return answered(answer.raw);
      return terms.errorMeans === 'nothing_changed'
        ? rejected('the server answered with an error')
        : noEvidence('the server answered with an error');
    }
    case 'error': {
      const { code } = JSON.parse(answer.raw) as { readonly code?: JsonValue };
      const why = `JSON-RPC error ${String(code)}`;
      // Older SDKs say so as well where it is the output, after the tool ran, that is not as promised.
      const isOfOutput = hasOutputSchema && code === invalidParams;
      return refusals.has(code) && !isOfOutput ? rejected(why) : noEvidence(why);
    }
    case 'not_sent':
      return notSent(answer.reason);
    case 'refused':
      return rejected(answer.reason);
    case 'lost':
      return noEvidence(answer.reason);
  }
}

/**
 * Errors that are given before a tool runs: parse error, invalid request, method not found, invalid
 * params (JSON-RPC 2.0, section 5.1), and MCP's "the user has to visit a URL first" (2025-11-25).
 */
const refusals: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_601, -32_602, -32_042]);
const invalidParams = -32_602;

function wordOf(evidence: Evidence<string>, answer: Answer | undefined): ToolResult {
  switch (evidence.evidence) {
    case 'answered':
      return ok('The server did it and said so.', kept(evidence.value));
    case 'rejected':
      return failed('rejected', 'The server refused the call; nothing changed.', {
        nextActions: ['Read what the server says. Correct the arguments and call the tool again.'],
        outputs: said(answer),
      });
    case 'not_sent':
      return failed('not_sent', serverAway);
    case 'none':
      if (evidence.accepted) return unknown('accepted_not_done', asTask);
      return answer?.kind === 'result' || answer?.kind === 'error'
        ? unknown('error_answer', errorAnswer, {
            nextActions: [afterError],
            outputs: said(answer),
          })
        : unknown('sent_no_answer', noAnswer);
  }
}

const asTask = 'The server took the call and does it as a task, which is not done yet.';
const errorAnswer =
  'The server answered with an error, which is no proof that nothing changed; it may have happened, wholly or in part.';
const afterError =
  'Read the error and look at what is there now before you try anything else. The same call again sends nothing.';
const noAnswer =
  'The call was sent and the server gave no answer; it may have happened. An answer that comes later is kept.';

const longestSaid = 2000;

/** The server's own words, for whoever reads the outcome alone. */
function said(answer: Answer | undefined): JsonObject {
  if (answer?.kind !== 'result' && answer?.kind !== 'error') return {};
  const body = JSON.parse(answer.raw) as JsonObject;
  const words = answer.kind === 'result' ? contentText(body.content) : body.message;
  return typeof words === 'string' && words !== ''
    ? { answer: words.slice(0, longestSaid).toWellFormed() }
    : {};
}

/** How deep what is kept as it is may be nested. */
const deepestKept = 60;

/** The server's answer for the ledger; as text where JSON.parse would change a number or hide a key. */
export function kept(raw: string): JsonValue {
  return scan(raw, deepestKept).clean ? (JSON.parse(raw) as JsonValue) : { raw };
}
