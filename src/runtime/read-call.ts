import type { JsonObject } from '../call/json.ts';
import { failed, type Result, type ToolResult, withWarning } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import { ToolFailure } from '../call/tool-failure.ts';
import type { NoPlace } from '../execute/line.ts';
import { Stop } from '../execute/stop.ts';
import { type Parts, patienceUntil, step, stopsOf, waitedFor } from './parts.ts';
import { readWord } from './told.ts';

/** A read on its way through a runtime. */
export interface ReadRequest {
  /** Which call of the runtime it is, for its events. */
  readonly call: number;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly args: JsonObject;
  readonly scope: string;
  readonly context: unknown;
  /** Absent where the user cannot leave. */
  readonly signal: AbortSignal | undefined;
}

type Ending = { readonly word: ToolResult | undefined } | 'timer' | 'cancel';

/** Runs a read under the cap and its timeout; never rejects. */
export async function callRead(parts: Parts, request: ReadRequest): Promise<Result> {
  const { clock, waitMs } = parts.settings;
  const waited = waitedFor(parts, request, 'cap');
  const place = await parts.cap.enter(
    patienceUntil(clock, clock.monotonicMs() + waitMs, stopsOf(request.signal)),
  );
  waited(place);
  if (!place.had) return noTurn(parts, place.why);
  try {
    const result = tell(await race(parts, request));
    if (result.outcome === 'ok') {
      parts.reads.keep(request.scope, request.tool.name, request.args, result.data);
    }
    return await warnOfOpenWrite(parts, request, result);
  } finally {
    place.leave();
  }
}

/** A read that ignores its signal is left to itself: it changes nothing. */
function race(parts: Parts, request: ReadRequest): Promise<Ending> {
  const { clock, timeoutMs } = parts.settings;
  const { signal, tool } = request;
  const stop = new Stop();
  return new Promise((resolve) => {
    const end = (ending: Ending): void => {
      callOff();
      signal?.removeEventListener('abort', onLeave);
      stop.abort(readIsOver);
      resolve(ending);
    };
    const onLeave = (): void => end('cancel');
    const callOff = clock.after(tool.spec.timeoutMs ?? timeoutMs, () => end('timer'));
    if (signal?.aborted) return end('cancel');
    signal?.addEventListener('abort', onLeave, { once: true });
    void run(parts, request, stop).then(end);
  });
}

const readIsOver = new Error('This read is over.');

async function run(parts: Parts, request: ReadRequest, stop: Stop): Promise<Ending> {
  const { clock } = parts.settings;
  const startedMs = clock.monotonicMs();
  const ending = await runTool(parts, request, stop);
  const { call, tool } = request;
  const durationMs = clock.monotonicMs() - startedMs;
  parts.events.emit({ type: 'ran', call, tool: tool.name, late: stop.isOver, durationMs });
  return ending;
}

async function runTool(parts: Parts, request: ReadRequest, stop: Stop): Promise<Ending> {
  const { tool, input, scope, context } = request;
  const threw = (cause: unknown): Ending => {
    parts.events.report({
      code: 'tool_threw',
      tool: tool.name,
      cause,
      message: `${tool.name} threw`,
    });
    return { word: undefined };
  };
  try {
    const call = {
      scope,
      context,
      get signal() {
        return stop.signal;
      },
    };
    const value: unknown = await tool.spec.run(input, call as never);
    const word = readWord(value, tool, parts);
    return word?.outcome === 'unknown' || word === undefined
      ? threw(new TypeError('run() of a read must return ok() or failed()'))
      : { word };
  } catch (cause) {
    if (!ToolFailure.isInstance(cause)) return threw(cause);
    return { word: readWord(cause.result, tool, parts) };
  }
}

function tell(ending: Ending): Result {
  if (ending === 'timer') return failed('read_timeout', 'It took too long; nothing was changed.');
  if (ending === 'cancel') return failed('cancelled', 'It was cancelled.');
  return ending.word ?? failed('tool_failed', 'The tool failed unexpectedly; nothing was changed.');
}

/** What was read may change yet while a write to the same thing is open. */
async function warnOfOpenWrite(
  parts: Parts,
  request: ReadRequest,
  result: Result,
): Promise<Result> {
  const lane = laneOf(parts, request);
  if (lane === undefined || result.outcome !== 'ok') return result;
  const holder = await step(parts, 'holder', parts.ledger.holder(lane)).catch(() => undefined);
  if (holder === undefined || holder.state === 'claimed') return result;
  parts.askAbout(holder.key);
  return withWarning(result, {
    code: 'lane_unsettled',
    message: `A write to this (${holder.tool}) is not confirmed yet: what was read may still change.`,
  });
}

function laneOf(parts: Parts, { tool, input, context }: ReadRequest): string | undefined {
  try {
    return tool.spec.lane?.(input, context);
  } catch (cause) {
    parts.events.report({ code: 'tool_threw', tool: tool.name, cause, message: 'lane() threw' });
    return undefined;
  }
}

function noTurn(parts: Parts, why: NoPlace): Result {
  if (parts.closing.aborted) return failed('shutting_down', 'The service is being stopped.');
  if (why === 'aborted') return failed('cancelled', 'It was cancelled.');
  if (why === 'late') return failed('read_timeout', 'Its turn did not come in time.');
  return failed('overloaded', 'Too many calls are waiting.');
}
