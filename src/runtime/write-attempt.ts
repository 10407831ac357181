import { failed, type Result, type ToolResult, unknown, withWarning } from '../call/result.ts';
import type { WriteTool } from '../call/tool.ts';
import { ToolFailure } from '../call/tool-failure.ts';
import { Dispatcher } from '../execute/dispatcher.ts';
import { noAnswer, type Weighed, weigh } from '../execute/weigh.ts';
import { wireKey } from '../key/key.ts';
import type { Entry } from '../ledger/entry.ts';
import type { AttemptAnswer, CompleteAnswer } from '../ledger/ledger.ts';
import { untilDone } from './background.ts';
import { type Parts, step, type WriteTimes, writeTimes } from './parts.ts';
import { readWord, sealResult, tellEntry } from './told.ts';
import { writeContext } from './write-context.ts';

/** What one attempt is made for. */
export interface AttemptRequest {
  readonly tool: WriteTool;
  readonly input: unknown;
  readonly scope: string;
  readonly context: unknown;
  readonly signal: AbortSignal;
  /** As claimed: its token and generation are this attempt's own. */
  readonly entry: Entry;
}

type Moment = 'ended' | 'timer' | 'cancel';

const recordPending = {
  code: 'record_pending',
  message: 'The outcome is certain; writing it into the ledger is being tried again.',
};

/** One try at an entry, from its claim to what is told of it, and to its answer if that comes later. */
export class WriteAttempt {
  readonly #parts: Parts;
  readonly #request: AttemptRequest;
  readonly #times: WriteTimes;
  readonly #dispatcher: Dispatcher;
  readonly #stop = new AbortController();
  #markRefusedBy: Entry | null | undefined;
  #markLost = false;
  #beating = true;
  #givenUp = false;

  constructor(parts: Parts, request: AttemptRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#times = writeTimes(request.tool, parts.settings);
    const { tool, entry } = request;
    this.#dispatcher = new Dispatcher({
      clock: parts.settings.clock,
      key: wireKey(entry.key, entry.generation),
      sendWindowMs: this.#times.timeoutMs,
      requestMaxMs: this.#times.requestMaxMs,
      scope: { tool: tool.name, exemptHosts: parts.settings.exemptHosts },
      mark: () => this.#mark(),
      onUnmarked: ({ method, host, path }) => {
        const message = `${tool.name} sent ${method} ${host}${path} without a mark: send through ctx.fetch or ctx.dispatch, or declare it by ctx.read`;
        parts.events.report({ code: 'unmarked_send', tool: tool.name, key: entry.key, message });
      },
    });
  }

  /** Resolves to what is told of the attempt; never rejects. */
  async tell(): Promise<Result> {
    this.#beat();
    const ended = this.#run();
    const result = await this.#race(ended);
    if (this.#givenUp) this.#parts.background.follow(this.#bringHome(ended));
    else this.#beating = false;
    return result;
  }

  async #race(ended: Promise<ToolResult | undefined>): Promise<Result> {
    const { clock } = this.#parts.settings;
    const gate = this.#dispatcher.gate;
    const moments = new Moments(this.#request.signal);
    const callOff = clock.after(this.#times.timeoutMs, () => moments.reach('timer'));
    void ended.then(() => moments.reach('ended'));
    try {
      for (;;) {
        const moment = await moments.next();
        if (moment === 'ended') {
          gate.close();
          return await this.#tellEnded(await ended);
        }
        if (gate.close()) return await this.#tellStopped(moment);
        // What has been dispatched is not the user's to cancel any more: its answer is awaited.
        if (moment === 'timer') return await this.#giveUp();
      }
    } finally {
      callOff();
      moments.end();
    }
  }

  /** The run's own word; undefined where it threw or returned no result. Never rejects. */
  async #run(): Promise<ToolResult | undefined> {
    const { tool, input } = this.#request;
    try {
      const call = writeContext(this.#parts, this.#request, this.#dispatcher, this.#stop.signal);
      const value: unknown = await this.#dispatcher.run(() => tool.spec.run(input, call as never));
      const word = readWord(value, tool, this.#parts);
      if (word === undefined)
        this.#threw(new TypeError('run() must return ok(), failed() or unknown()'));
      return word;
    } catch (cause) {
      if (ToolFailure.isInstance(cause)) return readWord(cause.result, tool, this.#parts);
      this.#threw(cause);
      return undefined;
    } finally {
      await this.#dispatcher.ended();
    }
  }

  async #mark(): Promise<boolean> {
    const { key, token } = this.#request.entry;
    const { leaseMs } = this.#parts.settings;
    const { timeoutMs, patienceMs } = this.#times;
    const request = { key, token, leaseMs, sendWindowMs: timeoutMs, patienceMs };
    try {
      const answer = await step(this.#parts, 'mark', this.#parts.ledger.mark(request));
      if (answer.kind === 'refused') this.#markRefusedBy = answer.entry;
      return answer.kind === 'done';
    } catch (cause) {
      this.#markLost = true;
      this.#ledgerFailed('mark', cause);
      throw cause;
    }
  }

  /** The run ended in time. */
  async #tellEnded(word: ToolResult | undefined): Promise<Result> {
    if (this.#markRefusedBy !== undefined) return this.#tellRefused();
    if (this.#markLost) {
      return this.#withdraw(
        failed('ledger_unavailable', 'The record of writes did not answer, so nothing was sent.'),
      );
    }
    const weighed = this.#weigh(word);
    switch (weighed.record) {
      case 'unsent':
        return this.#withdraw(weighed.result);
      case 'answered':
      case 'rejected':
        return this.#complete(weighed.record, weighed.result, true);
      case 'open':
        return this.#leaveOpen(weighed.result);
    }
  }

  /** Time ran out, or the user left, before anything was sent. */
  async #tellStopped(moment: 'timer' | 'cancel'): Promise<Result> {
    this.#stop.abort(
      new Error(moment === 'timer' ? 'The time for this call is over.' : 'Cancelled.'),
    );
    await this.#dispatcher.marked();
    if (this.#markRefusedBy !== undefined) return this.#tellRefused();
    if (this.#dispatcher.record.unmarked.length > 0) return this.#leaveOpen(noAnswer);
    return this.#withdraw(
      moment === 'timer'
        ? failed('timeout_before_send', 'Time ran out before anything was sent; nothing changed.')
        : failed(
            'cancelled_before_send',
            'It was cancelled before anything was sent; nothing changed.',
          ),
    );
  }

  /** No answer in time: the run goes on, to bring it home. */
  async #giveUp(): Promise<Result> {
    this.#givenUp = true;
    const { key, token } = this.#request.entry;
    try {
      const answer = await step(this.#parts, 'giveUp', this.#parts.ledger.giveUp({ key, token }));
      if (answer.kind === 'refused' && answer.entry?.state === 'ok') {
        return await tellEntry(answer.entry, this.#request.tool, this.#parts);
      }
    } catch (cause) {
      // The lease runs out by itself, and then the entry counts as unknown all the same.
      this.#ledgerFailed('giveUp', cause);
    }
    return this.#open(noAnswer);
  }

  /** What a run came to after its outcome had been told as unknown. */
  async #bringHome(ended: Promise<ToolResult | undefined>): Promise<void> {
    const weighed = this.#weigh(await ended);
    this.#beating = false;
    switch (weighed.record) {
      case 'answered':
      case 'rejected':
        await this.#complete(weighed.record, weighed.result, false);
        break;
      case 'unsent':
        await this.#withdraw(weighed.result);
        break;
      case 'open':
        return;
    }
    this.#parts.onLateSettlement();
  }

  #weigh(word: ToolResult | undefined): Weighed {
    const weighed = weigh(word, this.#dispatcher.record);
    if (weighed.report !== undefined) {
      const { tool, entry } = this.#request;
      const message = `${tool.name}: ${reportTexts[weighed.report]}`;
      this.#parts.events.report({ code: weighed.report, tool: tool.name, key: entry.key, message });
    }
    return weighed;
  }

  /** Records proof; where the ledger does not answer, it is told all the same and recorded later. */
  async #complete(
    evidence: 'answered' | 'rejected',
    result: ToolResult,
    told: boolean,
  ): Promise<Result> {
    const { key, token, generation } = this.#request.entry;
    const text = await sealResult(result, this.#request.tool.name, this.#parts);
    const request = { key, token, generation, evidence, result: text, told };
    const complete = (): Promise<CompleteAnswer> =>
      step(this.#parts, 'complete', this.#parts.ledger.complete(request));
    try {
      return await this.#tellCompleted(evidence, result, await complete());
    } catch (cause) {
      this.#ledgerFailed('complete', cause);
      this.#recordLater('complete', complete);
      return withWarning(result, recordPending);
    }
  }

  async #tellCompleted(
    evidence: 'answered' | 'rejected',
    result: ToolResult,
    answer: CompleteAnswer,
  ): Promise<Result> {
    const { tool, entry } = this.#request;
    const report = (code: 'effect_doubled' | 'proof_refused', message: string): void =>
      this.#parts.events.report({ code, tool: tool.name, key: entry.key, message });
    if (answer.kind === 'doubled' && tool.spec.remoteKeyMs === undefined) {
      report('effect_doubled', `${tool.name} was proven to have happened by two attempts`);
    }
    if (evidence === 'answered') {
      if (answer.kind === 'refused')
        report('proof_refused', `${tool.name} happened, and its entry has moved on`);
      return result;
    }
    if (answer.entry?.state === 'failed') return result;
    // An earlier send is unproven, so that a rejection of this one proves nothing about the write.
    return answer.entry?.state === 'ok'
      ? tellEntry(answer.entry, tool, this.#parts)
      : this.#open(noAnswer);
  }

  /** Nothing was sent, and the entry is told so. */
  async #withdraw(result: ToolResult): Promise<Result> {
    const { key, token } = this.#request.entry;
    const text = await sealResult(result, this.#request.tool.name, this.#parts);
    const request = { key, token, result: text };
    const withdraw = (): Promise<AttemptAnswer> =>
      step(
        this.#parts,
        'withdraw',
        this.#dispatcher.wasAsked
          ? this.#parts.ledger.withdraw(request)
          : this.#parts.ledger.fail(request),
      );
    try {
      const { kind, entry } = await withdraw();
      if (kind === 'done' && entry?.state === 'failed') return result;
      return entry === null ? result : await tellEntry(entry, this.#request.tool, this.#parts);
    } catch (cause) {
      this.#ledgerFailed('withdraw', cause);
      this.#recordLater('withdraw', withdraw);
      return withWarning(result, recordPending);
    }
  }

  /** It may have happened: the entry says so, durably where it can. */
  async #leaveOpen(result: ToolResult): Promise<Result> {
    const { key, token } = this.#request.entry;
    const record = async (): Promise<void> => {
      // Something left past the mark: the entry is marked after the fact.
      if (!this.#dispatcher.record.left) await this.#mark().catch(() => false);
      await step(this.#parts, 'giveUp', this.#parts.ledger.giveUp({ key, token }));
    };
    await record().catch((cause: unknown) => {
      this.#ledgerFailed('giveUp', cause);
      this.#recordLater('giveUp', record);
    });
    return this.#open(result);
  }

  /** A refused mark sends nothing: what is told is what the entry now says. */
  async #tellRefused(): Promise<Result> {
    const entry = this.#markRefusedBy;
    return entry == null
      ? failed('lease_lost', 'The record of this write is gone; nothing was sent.')
      : tellEntry(entry, this.#request.tool, this.#parts);
  }

  #open(result: ToolResult): Result {
    const { code, summary, nextActions, warnings, outputs } = result;
    const ref = this.#request.entry.key;
    return unknown(code, summary, { nextActions, warnings, outputs, ref });
  }

  #recordLater(what: string, work: () => Promise<unknown>): void {
    const { clock } = this.#parts.settings;
    this.#parts.background.follow(
      untilDone(clock, this.#parts.closed, work, (cause) => this.#ledgerFailed(what, cause)).then(
        () => this.#parts.onLateSettlement(),
      ),
    );
  }

  /** Says, as long as the attempt lives, that it does; and later, that what it sent may still act. */
  #beat(): void {
    const { clock, leaseMs } = this.#parts.settings;
    const { key, token } = this.#request.entry;
    clock.after(
      leaseMs / 3,
      () => {
        const patienceMs = this.#dispatcher.isPending ? this.#times.patienceMs : null;
        if (!this.#beating || (this.#givenUp && patienceMs === null)) return;
        step(this.#parts, 'renew', this.#parts.ledger.renew({ key, token, leaseMs, patienceMs }))
          .catch((cause: unknown) => this.#ledgerFailed('renew', cause))
          .finally(() => this.#beat());
      },
      'idle',
    );
  }

  #threw(cause: unknown): void {
    const { tool, entry } = this.#request;
    const message = `${tool.name} threw`;
    this.#parts.events.report({
      code: 'tool_threw',
      tool: tool.name,
      key: entry.key,
      cause,
      message,
    });
  }

  #ledgerFailed(what: string, cause: unknown): void {
    const { tool, entry } = this.#request;
    const message = `the ledger did not do: ${what}`;
    this.#parts.events.report({
      code: 'ledger_failed',
      tool: tool.name,
      key: entry.key,
      cause,
      message,
    });
  }
}

const reportTexts = {
  ok_without_send: 'returned ok and sent nothing through ctx.fetch or ctx.dispatch',
  unmarked_send: 'sent something without a mark',
  ok_against_evidence: 'returned ok for a request that was refused or never left',
  hidden_retry: 'its HTTP client sent more than once inside one dispatch',
} as const;

/** The moments of an attempt, in the order in which they are reached. */
class Moments {
  readonly #reached: Moment[] = [];
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    if (signal.aborted) this.reach('cancel');
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => this.reach('cancel');

  reach(moment: Moment): void {
    this.#reached.push(moment);
    this.#wake();
  }

  async next(): Promise<Moment> {
    for (;;) {
      const moment = this.#reached.shift();
      if (moment !== undefined) return moment;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
