import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../call/json.ts';
import type { WriteTool } from '../../call/tool.ts';
import type { Entry } from '../../ledger/entry.ts';
import { memoryLedger } from '../../ledger/memory-ledger.ts';
import type { CallOutcome } from '../../runtime/runtime.ts';
import type { Downstream } from '../downstream.ts';
import { JumpingClock } from '../jumping-clock.ts';
import type { FindingCode } from './findings.ts';
import { type LedgerHook, MortalProcess } from './mortal-process.ts';
import { type RunRecord, type ToolRecord, watchedTool } from './watched-tool.ts';

/** What is tried, as every scenario has it. */
export interface Subject {
  readonly tool: WriteTool;
  readonly downstream: Downstream;
  readonly input: JsonObject;
  /** The same intent in other words. */
  readonly reworded: JsonObject;
  contextOf(signal: AbortSignal): unknown;
  /** How long a step may really take, in milliseconds. */
  readonly waitMs: number;
  /** How long it is watched for giving up by a timer of its own. */
  readonly watchMs: number;
}

/** Ends a scenario where going on would only repeat what was found. */
export class Found extends Error {}

/** A call that was made. */
export interface Calling {
  readonly outcome: Promise<CallOutcome>;
  /** Resolves to undefined where it takes longer than a step may. */
  told(): Promise<CallOutcome | undefined>;
}

export const leaseMs = 15_000;
const defaultTimeoutMs = 30_000;
const pollMs = 2;
let stages = 0;

/** Where one scenario is played: a ledger, a clock that jumps, and processes that can die. */
export class Stage {
  readonly subject: Subject;
  readonly clock: JumpingClock = new JumpingClock();
  readonly seen: ToolRecord = { runs: [], sentByReconcile: 0, asking: 0 };
  readonly found: { readonly code: FindingCode; readonly detail: string }[] = [];
  readonly #ledger = memoryLedger({ nowMs: () => this.clock.nowMs() });
  readonly #scope: string;
  readonly #processes: MortalProcess[] = [];
  readonly #sentAtFirst: number;
  readonly #effectsAtFirst: number;

  constructor(subject: Subject) {
    this.subject = subject;
    stages += 1;
    this.#scope = `verify-tool-${process.pid}-${Date.now()}-${stages}`;
    this.#effectsAtFirst = subject.downstream.effects;
    this.#sentAtFirst = this.#arrived;
  }

  get timeoutMs(): number {
    return this.subject.tool.spec.timeoutMs ?? defaultTimeoutMs;
  }

  get requestMaxMs(): number {
    return this.subject.tool.spec.requestMaxMs ?? 60_000;
  }

  /** Long enough for "it did not happen" to be believed. */
  get patienceMs(): number {
    const { marginMs = 30_000 } = this.subject.tool.spec;
    return this.timeoutMs + this.requestMaxMs + marginMs + leaseMs;
  }

  get #arrived(): number {
    const { writes, effects } = this.subject.downstream;
    return Math.max(writes.length, effects);
  }

  /** How many writes reached the downstream in this scenario. */
  get sent(): number {
    return this.#arrived - this.#sentAtFirst;
  }

  get effects(): number {
    return this.subject.downstream.effects - this.#effectsAtFirst;
  }

  get lastRun(): RunRecord | undefined {
    return this.seen.runs.at(-1);
  }

  find(code: FindingCode, detail: string): void {
    this.found.push({ code, detail });
  }

  stop(code: FindingCode, detail: string): never {
    this.find(code, detail);
    throw new Found();
  }

  /** Starts a process on the scenario's ledger. */
  start(hook: LedgerHook = () => undefined): MortalProcess {
    const { tool } = this.subject;
    const started = new MortalProcess({
      tool: watchedTool(tool, () => this.sent, this.seen),
      ledger: this.#ledger,
      clock: this.clock,
      context: this.subject.contextOf(new AbortController().signal),
      timeoutMs: this.timeoutMs,
      leaseMs,
      hook: (method, when) => {
        const isMark = method === 'mark' || method === 'askAgain';
        if (isMark && when === 'before') this.#sawMark();
        return hook(method, when);
      },
    });
    this.#processes.push(started);
    return started;
  }

  #sawMark(): void {
    const run = this.seen.runs.findLast(({ word }) => word === 'pending');
    if (run !== undefined) run.sentAtMark ??= this.sent;
  }

  call(
    { runtime }: MortalProcess,
    input: JsonObject = this.subject.input,
    signal: AbortSignal = new AbortController().signal,
  ): Calling {
    const outcome = runtime.call({
      name: this.subject.tool.name,
      arguments: JSON.stringify(input),
      scope: this.#scope,
      context: this.subject.contextOf(signal) as never,
      signal,
    });
    return { outcome, told: () => this.within(outcome) };
  }

  /** What it resolves to, or undefined where that takes longer than a step may. */
  async within<T>(work: Promise<T>): Promise<T | undefined> {
    const over = new AbortController();
    const late = sleep(this.subject.waitMs, undefined, { signal: over.signal }).catch(
      () => undefined,
    );
    try {
      return await Promise.race([work, late]);
    } finally {
      over.abort();
    }
  }

  /** Whether something becomes so in the time that a step may take. */
  async until(
    isSo: () => boolean | Promise<boolean>,
    waitMs: number = this.subject.waitMs,
  ): Promise<boolean> {
    const deadlineMs = performance.now() + waitMs;
    while (!(await isSo())) {
      if (performance.now() >= deadlineMs) return false;
      await sleep(pollMs);
    }
    return true;
  }

  async entry(): Promise<Entry | undefined> {
    return (await this.#ledger.list({})).at(-1);
  }

  /** Kills a process, in the middle of whatever it runs. */
  kill(victim: MortalProcess): void {
    victim.die();
    for (const run of this.seen.runs) if (run.word === 'pending') run.word = 'lost';
  }

  /** Ends whatever is left, so that nothing of it reaches the next scenario. */
  async end(): Promise<void> {
    this.subject.downstream.release();
    await this.until(
      () => this.seen.asking === 0 && this.seen.runs.every(({ word }) => word !== 'pending'),
    );
    for (const each of this.#processes) each.die();
  }
}
