import type { JsonObject } from '../call/json.ts';
import { type AnyTool, isWriteTool, type WriteTool } from '../call/tool.ts';
import type { Downstream } from './downstream.ts';
import { calmName, playCalm } from './verify-tool/calm.ts';
import type { FindingCode } from './verify-tool/findings.ts';
import {
  findingsFrom,
  reportText,
  type Seen,
  type ToolReport,
  type TriedScenario,
} from './verify-tool/report.ts';
import type { Scenario } from './verify-tool/scenario.ts';
import { scenarios } from './verify-tool/scenarios.ts';
import { Found, Stage, type Subject } from './verify-tool/stage.ts';

/** What {@link verifyTool} takes. */
export interface VerifyToolOptions {
  /** A write tool, made to send to the downstream. */
  readonly tool: AnyTool;
  /** Arguments as a model would write them, which the downstream accepts each time. */
  readonly input: JsonObject;
  /** The same intent in other words, where the arguments have words. */
  readonly reworded?: JsonObject;
  /** Another intent, which must not be taken for the first. */
  readonly other?: JsonObject;
  /** A fake or a sandbox: `await startDownstream()`, or your own. */
  readonly downstream: Downstream;
  /** The host's context. A function is called with the signal by which the user leaves. */
  readonly context?: unknown;
  /** Called before each scenario, to set the fake or sandbox up anew. */
  beforeEach?(): unknown;
  /** How long a step may really take, in milliseconds; 5,000 if left out. Timeouts do not have to be waited for. */
  readonly waitMs?: number;
  /**
   * How long a request without an answer is really waited for, to see whether the tool gives up by a
   * timer of its own, in milliseconds; 500 if left out.
   */
  readonly watchMs?: number;
}

/**
 * Drives a write tool through what can go wrong: lost requests and answers, 503 before and after the
 * commit, timeouts, users who leave, a ledger that is gone, retries in other words, parallel twins,
 * and crashes, on a ledger and a clock of its own. Needs no test runner. Rejects with a `TypeError`
 * where there is nothing to try: a tool that reads, or an input that it refuses.
 */
export async function verifyTool(options: VerifyToolOptions): Promise<ToolReport> {
  let subject = subjectOf(options);
  const seen: Seen[] = [];
  const tried: TriedScenario[] = [];
  async function play(name: string, run: (stage: Stage) => Promise<void>): Promise<void> {
    await options.beforeEach?.();
    const stage = new Stage(subject);
    try {
      await run(stage);
    } catch (cause) {
      if (!(cause instanceof Found)) throw cause;
    } finally {
      await stage.end();
    }
    seen.push(...stage.found.map((one) => ({ ...one, scenario: name })));
    tried.push({ name, came: stage.found.length > 0 ? 'found' : 'good' });
  }

  const readsAtFirst = subject.downstream.reads ?? 0;
  const { other } = options;
  const wishes = { isReworded: options.reworded !== undefined, other };
  await play(calmName, (stage) => playCalm(stage, wishes));
  const codes = seen.map(({ code }) => code);
  const why = whyNoFurther(codes);
  const reads = (subject.downstream.reads ?? 0) > readsAtFirst;
  // What was found about the wording is not to be found again in every scenario.
  if (codes.includes('key_changes_with_wording')) subject = { ...subject, reworded: subject.input };
  for (const scenario of scenarios) {
    const { name } = scenario;
    const missing = why ?? whyNot(scenario, subject.downstream, reads);
    if (missing === undefined) await play(name, (stage) => scenario.play(stage));
    else tried.push({ name, came: 'not_tried', why: missing });
  }
  const findings = findingsFrom(seen);
  const ok = findings.every(({ severity }) => severity === 'advice');
  const report = { tool: subject.tool.name, ok, findings, scenarios: tried };
  return { ...report, text: reportText(report) };
}

function subjectOf(options: VerifyToolOptions): Subject {
  const { tool, input, reworded = input, downstream, context } = options;
  const { waitMs = 5_000, watchMs = 500 } = options;
  if (!isWriteTool(tool)) {
    throw new TypeError(`verifyTool: ${tool.name} reads; there is nothing to verify about it.`);
  }
  accept(tool, 'input', input);
  accept(tool, 'reworded', reworded);
  if (options.other !== undefined) accept(tool, 'other', options.other);
  const contextOf = (signal: AbortSignal): unknown =>
    typeof context === 'function' ? context(signal) : context;
  return { tool, input, reworded, downstream, contextOf, waitMs, watchMs };
}

function accept(tool: WriteTool, name: string, args: JsonObject): void {
  const accepted = tool.accept(args);
  if (accepted.ok) return;
  const [{ code }] = accepted.error;
  throw new TypeError(`verifyTool: ${name} is no arguments of ${tool.name}: ${code}.`);
}

/** Where the calm run came to nothing, the rest would say the same over and over. */
function whyNoFurther(codes: readonly FindingCode[]): string | undefined {
  const fatal = codes.find(
    (code) => code === 'sends_nothing' || code === 'does_not_end' || code === 'key_not_stable',
  );
  return fatal === undefined ? undefined : `${fatal} has to be mended first`;
}

function whyNot(
  { needs }: Scenario,
  { troubles, holdReads }: Downstream,
  reads: boolean,
): string | undefined {
  if (needs === undefined) return undefined;
  if (needs === 'reads') {
    if (holdReads === undefined) return 'the downstream cannot hold reads';
    return reads ? undefined : 'the tool reads nothing from the downstream';
  }
  const can = troubles === undefined || troubles.includes(needs);
  return can ? undefined : `the downstream cannot do ${needs}`;
}
