import { pause } from '../call/clock.ts';
import { failed, type Result } from '../call/result.ts';
import { type AnyTool, isWriteTool, type Toolset } from '../call/tool.ts';
import { decode } from '../decode/decode.ts';
import { explain } from '../decode/explain.ts';
import { toolset as toolsetOf } from '../decode/toolset.ts';
import { Lanes } from '../execute/lanes.ts';
import { Line } from '../execute/line.ts';
import { watchRequests } from '../execute/safety-net.ts';
import type { Entry } from '../ledger/entry.ts';
import type { EntryQuery, Ledger, SettleAnswer } from '../ledger/ledger.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import type { ReplyCheck, ReplyGuarding, ReplyOptions } from '../reply/types.ts';
import { Background } from './background.ts';
import { checkWriteName, checkWriteTool } from './check-write.ts';
import { contextFor, isAvailable } from './context.ts';
import { Events, type RuntimeEvent } from './events.ts';
import { type RuntimeOptions, type Settings, settingsOf } from './options.ts';
import { type Parts, step } from './parts.ts';
import { callRead } from './read-call.ts';
import { RecentReads } from './recent-reads.ts';
import { askAboutKey, type Reconciled, reconcileAll, reconcileOne } from './reconcile.ts';
import { checkScopeReply, guardScopeReply } from './reply-check.ts';
import type { Told } from './requests.ts';
import type { CallOutcome, CallRequest, Closed, Load, Runtime, ShownTool } from './runtime.ts';
import { settleEntry, type VerdictGrounds } from './settle.ts';
import { type SettlementHandler, Settlements } from './settlements.ts';
import { callWrite } from './write-call.ts';

/** Joins tools and a ledger. Throws a `TypeError` where they do not go together. */
export function createRuntime<const Tools extends readonly AnyTool[]>(
  options: RuntimeOptions<Tools>,
): Runtime<Tools> {
  return new JoinedRuntime(options) as Runtime<Tools>;
}

class JoinedRuntime implements Runtime<readonly AnyTool[]> {
  readonly toolset: Toolset;
  readonly #parts: Parts;
  readonly #settlements: Settlements;
  readonly #closing = new AbortController();
  readonly #closed = new AbortController();
  readonly #calls: Background;
  #called = 0;

  constructor(options: RuntimeOptions<readonly AnyTool[]>) {
    const settings = settingsOf(options);
    this.toolset = offered(options, () => this.#parts);
    this.#parts = this.#join(settings, ledgerOf(options, this.toolset));
    this.#settlements = new Settlements(this.#parts);
    this.#calls = new Background(() => undefined);
    if (this.toolset.tools.some(isWriteTool)) {
      watchRequests();
      this.#reconcileRegularly();
    }
  }

  #join(settings: Settings, ledger: Ledger): Parts {
    const parts: Parts = {
      toolset: this.toolset,
      ledger,
      settings,
      events: new Events(settings.logger),
      lanes: new Lanes(settings.maxWaiting, settings.clock),
      cap: new Line(settings.maxConcurrent, settings.maxWaiting),
      background: new Background(settings.waitUntil),
      running: new Map(),
      reads: new RecentReads(),
      raised: new Set(),
      closing: this.#closing.signal,
      closed: this.#closed.signal,
      onLateSettlement: () => this.#settlements.wake(),
      askAbout: (key) => parts.background.follow(askAboutKey(parts, key)),
    };
    return parts;
  }

  tools(context?: unknown): readonly ShownTool[] {
    return this.toolset.tools
      .filter((tool) => isAvailable(tool, context, this.#parts))
      .map(({ name, parameters, spec: { description, effect } }) => ({
        name,
        description,
        parameters,
        effect,
      }));
  }

  async call(request: CallRequest<unknown>): Promise<CallOutcome> {
    const { events, settings } = this.#parts;
    const startedMs = settings.clock.monotonicMs();
    this.#called += 1;
    const call = this.#called;
    const tool = nameOf(request);
    const { scope, callId } = request;
    events.emit({ type: 'called', call, tool, scope, ...(callId === undefined ? {} : { callId }) });
    const telling = this.#tell(request, call).catch((cause: unknown) =>
      this.#unexpected(request, cause),
    );
    this.#calls.follow(telling);
    const told = await telling;
    const effect = this.toolset.find(tool)?.spec.effect;
    const durationMs = settings.clock.monotonicMs() - startedMs;
    const which = { call, tool, scope, ...(effect === undefined ? {} : { effect }) };
    events.emit({ type: 'told', ...which, durationMs, ...told });
    return { ...told, tool };
  }

  async #tell(request: CallRequest<unknown>, n: number): Promise<Told> {
    const { clock } = this.#parts.settings;
    const startedMs = clock.monotonicMs();
    if (this.#parts.closing.aborted) {
      return { result: failed('shutting_down', 'The service is being stopped; nothing was sent.') };
    }
    const tool = this.toolset.find(request.name);
    const isOffered = (one: AnyTool): boolean => isAvailable(one, request.context, this.#parts);
    const decoded = decode(this.toolset, request, {
      limits: this.#parts.settings.limits,
      allowed: (one) => one === tool || isOffered(one),
      onError: (cause) => {
        const message = `the schema of ${request.name} failed`;
        this.#parts.events.report({ code: 'tool_threw', tool: request.name, cause, message });
      },
    });
    if (!decoded.ok) return { result: explain(decoded.error, tool) };
    const call = decoded.value;
    this.#parts.events.emit({
      type: 'decoded',
      call: n,
      tool: call.name,
      effect: call.tool.spec.effect,
      args: call.args,
      durationMs: clock.monotonicMs() - startedMs,
    });
    if (typeof request.scope !== 'string' || request.scope === '')
      return { result: noScope(call.name) };
    const context = await contextFor(call.tool, request.context, this.#parts);
    if (!context.ok) return { result: context.error };
    if (!isAvailable(call.tool, context.value, this.#parts)) {
      return {
        result: failed('tool_unavailable', `${call.name} is not available here; nothing was sent.`),
      };
    }
    const refusal = await request.guard?.(call);
    if (refusal !== undefined) return { result: refusal };
    const { signal } = request;
    const turn = request.turn === undefined ? null : String(request.turn);
    const located = {
      ...call,
      call: n,
      scope: request.scope,
      context: context.value,
      signal,
      turn,
    };
    const { tool: called } = call;
    return isWriteTool(called)
      ? callWrite(this.#parts, { ...located, tool: called })
      : { result: await callRead(this.#parts, located) };
  }

  #unexpected(request: CallRequest<unknown>, cause: unknown): Told {
    const tool = nameOf(request);
    this.#parts.events.report({
      code: 'tool_threw',
      tool,
      cause,
      message: `${tool} could not be called`,
    });
    return { result: failed('tool_failed', 'The tool failed unexpectedly; nothing was sent.') };
  }

  /** As a pause after each round, so that rounds never overlap; spread, since other processes ask too. */
  #reconcileRegularly(): void {
    const { clock, reconcileEveryMs } = this.#parts.settings;
    if (reconcileEveryMs === false || this.#closing.signal.aborted) return;
    const round = async (): Promise<void> => {
      await this.reconcile().catch((cause: unknown) => {
        const message = 'a round of asking about unsettled writes failed';
        this.#parts.events.report({ code: 'reconcile_failed', tool: '', cause, message });
      });
      this.#reconcileRegularly();
    };
    clock.after(reconcileEveryMs * (0.75 + Math.random() / 2), () => void round(), 'idle');
  }

  reconcile(key?: string): Promise<Reconciled> {
    return key === undefined ? reconcileAll(this.#parts) : reconcileOne(this.#parts, key);
  }

  settle(
    key: string,
    verdict: 'happened' | 'did_not_happen',
    grounds: VerdictGrounds,
  ): Promise<SettleAnswer> {
    return settleEntry(this.#parts, key, verdict, grounds);
  }

  onSettled(handler: SettlementHandler): () => void {
    return this.#settlements.on(handler);
  }

  on(listener: (event: RuntimeEvent) => void): () => void {
    return this.#parts.events.on(listener);
  }

  load(): Load {
    const { lanes, cap, background, settings } = this.#parts;
    const { maxConcurrent, maxWaiting, maxLate } = settings;
    return {
      running: maxConcurrent - cap.free,
      maxConcurrent,
      waitingForCap: cap.waiting,
      waitingForLane: lanes.waiting,
      maxWaiting,
      late: background.size,
      maxLate,
    };
  }

  checkReply(scope: string, text: string, options: ReplyOptions = {}): Promise<ReplyCheck> {
    return checkScopeReply(this.#parts, scope, text, options);
  }

  guardReply(scope: string, options: ReplyOptions = {}): ReplyGuarding {
    return guardScopeReply(this.#parts, scope, options);
  }

  entries(query: EntryQuery): Promise<readonly Entry[]> {
    return step(this.#parts, 'list', this.#parts.ledger.list(query));
  }

  async close({ graceMs = 10_000 }: { readonly graceMs?: number } = {}): Promise<Closed> {
    this.#closing.abort(new Error('The runtime is being closed.'));
    this.#parts.lanes.close();
    this.#parts.cap.close();
    const over = new AbortController();
    const drained = await Promise.race([
      this.#idle().then(() => true),
      pause(this.#parts.settings.clock, graceMs, over.signal).then(() => false),
    ]);
    over.abort();
    this.#closed.abort(new Error('The runtime is closed.'));
    return { drained };
  }

  async #idle(): Promise<void> {
    await this.#calls.idle();
    await this.#parts.background.idle();
  }
}

function nameOf({ name }: CallRequest): string {
  return typeof name === 'string' ? name : '';
}

/** The host's tools, and `check_write` where there is something to check. */
function offered(options: RuntimeOptions<readonly AnyTool[]>, parts: () => Parts): Toolset {
  const given: readonly AnyTool[] = 'tools' in options.tools ? options.tools.tools : options.tools;
  const wantsCheck = options.checkWrite ?? true;
  const isTaken = given.some(({ name }) => name === checkWriteName);
  if (!wantsCheck || isTaken || !given.some(isWriteTool)) return toolsetOf(given);
  return toolsetOf([...given, checkWriteTool(parts)]);
}

function ledgerOf(options: RuntimeOptions<readonly AnyTool[]>, tools: Toolset): Ledger {
  if (options.ledger !== undefined) return options.ledger;
  const write = tools.tools.find(isWriteTool);
  if (write === undefined) return memoryLedger();
  throw new TypeError(
    `createRuntime: ${write.name} writes, so a ledger is needed: sqliteLedger('ledger.db') from forthright/sqlite, or memoryLedger() where no promise has to outlive the process.`,
  );
}

function noScope(toolName: string): Result {
  return failed(
    'missing_runtime_context',
    'The tool was not called: the service did not say which conversation this belongs to.',
    { outputs: { toolName, parameterName: 'scope' } },
  );
}
