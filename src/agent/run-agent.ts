import { randomUUID } from 'node:crypto';
import { systemClock } from '../call/clock.ts';
import { renderResult } from '../call/result.ts';
import type { AnyTool } from '../call/tool.ts';
import type { PendingAction } from './approvals.ts';
import { type CallEnd, type CallPort, carryOut, runCalls, takeDecided } from './calls.ts';
import type { Ending } from './ending.ts';
import { Journal } from './journal.ts';
import {
  type AgentOptions,
  type AgentRun,
  type Bounds,
  boundsOf,
  type CheckedReply,
} from './options.ts';
import { openQuestion } from './plan.ts';
import { type Message, readTurn, type Turn } from './turn.ts';
import { nothingPending, sayDecided, sayPlan, shortfalls } from './words.ts';

/**
 * Runs one turn of the user's: asks the model, runs the tools that it calls, gives their results back,
 * and goes on until it speaks or a bound is met. Rejects only with a `TypeError` about the options, or
 * where `approvals` cannot be read.
 */
export async function runAgent<Tools extends readonly AnyTool[]>(
  options: AgentOptions<Tools>,
): Promise<AgentRun> {
  return new AgentLoop(options as unknown as AgentOptions).run();
}

/** How a round ended that did not end the turn. */
type Round = 'went_on' | 'failed';

class AgentLoop {
  readonly #options: AgentOptions;
  readonly #bounds: Bounds;
  readonly #port: CallPort;
  readonly #journal: Journal;
  readonly #messages: Message[];
  #modelText: string | undefined;
  #cause: unknown;

  constructor(options: AgentOptions) {
    const { runtime, scope, context, user, messages = [], approval } = options;
    this.#options = options;
    this.#bounds = boundsOf(options);
    this.#journal = new Journal(options.onEvent?.bind(options));
    this.#messages = [
      ...messages,
      ...(user === undefined ? [] : [{ role: 'user', text: user } as const]),
    ];
    this.#port = {
      runtime,
      scope,
      context,
      turn: turnOf(options),
      signal: options.signal ?? new AbortController().signal,
      maxCalls: this.#bounds.maxCalls,
      approval,
      journal: this.#journal,
    };
  }

  async run(): Promise<AgentRun> {
    const { scope, turn } = this.#port;
    this.#journal.note({ type: 'turn_started', scope, turn });
    const ending = await this.#rounds();
    const { reply: text, findings } = await this.#say(ending);
    this.#journal.note({ type: 'turn_ended', ending, text, findings });
    this.#messages.push({ role: 'assistant', text, calls: [] });
    const { plan } = this.#journal;
    const question = openQuestion(plan);
    return {
      ending,
      text,
      findings,
      plan,
      messages: this.#messages,
      ...(question === undefined ? {} : { clarification: question }),
      ...(this.#cause === undefined ? {} : { cause: this.#cause }),
    };
  }

  async #rounds(): Promise<Ending> {
    if (this.#isCancelled) return { kind: 'cancelled' };
    await this.#carryOutDecisions();
    let failures = 0;
    for (let round = 1; round <= this.#bounds.maxTurns; round += 1) {
      if (this.#isCancelled) return { kind: 'cancelled' };
      const turn = await this.#ask();
      if (turn === undefined) return { kind: this.#isCancelled ? 'cancelled' : 'model_failed' };
      const end = await this.#take(round, turn);
      if (typeof end === 'object') return end;
      failures = end === 'failed' ? failures + 1 : 0;
      if (failures >= this.#bounds.maxRepeatedFailures) return { kind: endOfFailures(turn) };
    }
    return { kind: this.#isCancelled ? 'cancelled' : 'too_many_turns' };
  }

  /** One turn of the model's; undefined where there is none to be had. */
  async #ask(): Promise<Turn | undefined> {
    const { modelMs } = this.#bounds;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#port.signal, over.signal]);
    const callOff = systemClock.after(modelMs, () =>
      over.abort(new Error(`The model took longer than ${modelMs} ms.`)),
    );
    try {
      const tools = this.#port.runtime.tools(this.#port.context as never);
      const asking = this.#options.model.next([...this.#messages], { tools, signal });
      return readTurn(await Promise.race([asking, rejectedOnAbort(signal)]));
    } catch (cause) {
      if (!this.#isCancelled) this.#cause = cause;
      return undefined;
    } finally {
      callOff();
      over.abort();
    }
  }

  async #take(round: number, turn: Turn): Promise<Ending | Round> {
    switch (turn.kind) {
      case 'reply':
        this.#modelText = turn.text;
        return { kind: 'replied' };
      case 'refused':
        this.#modelText = turn.reason;
        return { kind: 'refused' };
      case 'tool_calls':
        return this.#call(round, turn);
      case 'truncated':
        if (turn.text) this.#messages.push({ role: 'assistant', text: turn.text, calls: [] });
        this.#notice(shortfalls.truncated);
        return 'failed';
      case 'empty':
        this.#notice(shortfalls.empty);
        return 'failed';
    }
  }

  async #call(
    round: number,
    { calls, text = '' }: Extract<Turn, { kind: 'tool_calls' }>,
  ): Promise<Ending | Round> {
    this.#messages.push({ role: 'assistant', text, calls });
    const ends = await runCalls(this.#port, round, calls);
    for (const { call, result } of ends) {
      const { id: callId, name } = call;
      this.#messages.push({ role: 'tool', callId, name, text: renderResult(result) });
    }
    const pending = heldActions(ends);
    if (pending.length > 0) return { kind: 'approval_required', pending };
    return ends.every(({ result }) => result.outcome === 'failed') ? 'failed' : 'went_on';
  }

  async #carryOutDecisions(): Promise<void> {
    const decisions = this.#options.decisions ?? [];
    const actions = await takeDecided(this.#port, decisions);
    const notices = decisions.map(async ({ verdict }, index) => {
      const action = actions[index];
      if (action === undefined) return nothingPending;
      return sayDecided(verdict, await carryOut(this.#port, index, action, verdict));
    });
    for (const notice of await Promise.all(notices)) this.#notice(notice);
  }

  async #say(ending: Ending): Promise<CheckedReply> {
    const { scope, runtime } = this.#port;
    const { plan } = this.#journal;
    const said = this.#modelText ?? '';
    if (said.trim() === '') return { reply: sayPlan(plan, ending), findings: [] };
    const { checkReply = () => runtime.checkReply(scope, said) } = this.#options;
    if (checkReply === false) return { reply: said, findings: [] };
    try {
      return await checkReply(said, { scope, plan });
    } catch (cause) {
      this.#cause = cause;
      return { reply: sayPlan(plan, ending), findings: [] };
    }
  }

  #notice(text: string): void {
    this.#messages.push({ role: 'notice', text });
    this.#journal.note({ type: 'noticed', text });
  }

  get #isCancelled(): boolean {
    return this.#port.signal.aborted;
  }
}

function turnOf({ turn, user }: AgentOptions): string | null {
  if (turn !== undefined) return String(turn);
  return user === undefined ? null : randomUUID();
}

function heldActions(ends: readonly CallEnd[]): readonly PendingAction[] {
  const byId = new Map<string, PendingAction>();
  for (const { held } of ends) if (held !== undefined) byId.set(held.id, held);
  return [...byId.values()];
}

function endOfFailures(turn: Turn): 'truncated' | 'empty' | 'repeated_failures' {
  return turn.kind === 'truncated' || turn.kind === 'empty' ? turn.kind : 'repeated_failures';
}

function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
