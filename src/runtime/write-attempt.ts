import { failed, type Result, type ToolResult } from '../call/result.ts';
import { ToolFailure } from '../call/tool-failure.ts';
import { Dispatcher } from '../execute/dispatcher.ts';
import { type Moment, Moments } from '../execute/moments.ts';
import { Stop } from '../execute/stop.ts';
import { noAnswer, type Weighed, weigh } from '../execute/weigh.ts';
import { wireKey } from '../key/key.ts';
import { AttemptRecord } from './attempt-record.ts';
import { type Parts, type WriteTimes, writeTimes } from './parts.ts';
import type { AttemptRequest } from './requests.ts';
import { readWord } from './told.ts';
import { writeContext } from './write-context.ts';

/** One try at an entry, from its claim to what is told of it, and to its answer if that comes later. */
export class WriteAttempt {
  readonly #parts: Parts;
  readonly #request: AttemptRequest;
  readonly #times: WriteTimes;
  readonly #record: AttemptRecord;
  readonly #dispatcher: Dispatcher;
  readonly #stop = new Stop();
  readonly #startedMs: number;
  #state: 'running' | 'given_up' | 'over' = 'running';
  #callOffBeat: () => void = () => undefined;

  constructor(parts: Parts, request: AttemptRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#startedMs = parts.settings.clock.monotonicMs();
    this.#times = writeTimes(request.tool, parts.settings);
    this.#record = new AttemptRecord(parts, request, this.#times);
    const { tool, entry } = request;
    this.#dispatcher = new Dispatcher({
      clock: parts.settings.clock,
      key: wireKey(entry),
      sendWindowMs: this.#times.timeoutMs,
      requestMaxMs: this.#times.requestMaxMs,
      scope: { tool: tool.name, exemptHosts: parts.settings.exemptHosts },
      mark: () => this.#record.mark(),
      onUnmarked: ({ method, host, path }) => {
        const sent = `${tool.name} sent ${method} ${host}${path} without a mark`;
        const mend = 'send through ctx.fetch or ctx.dispatch, or declare it by ctx.read';
        this.#record.report('unmarked_send', `${sent}: ${mend}`);
      },
    });
  }

  /** Resolves to what is told of the attempt; never rejects. */
  async tell(): Promise<Result> {
    this.#beat();
    const ended = this.#run();
    const result = await this.#race(ended);
    if (this.#state === 'given_up') this.#parts.background.follow(this.#bringHome(ended));
    else this.#end();
    return result;
  }

  async #race(ended: Promise<ToolResult | undefined>): Promise<Result> {
    const { gate } = this.#dispatcher;
    const moments = new Moments(this.#request.signal);
    const callOff = this.#parts.settings.clock.after(this.#times.timeoutMs, () =>
      moments.reach('timer'),
    );
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
        if (moment === 'timer') {
          this.#state = 'given_up';
          return await this.#record.giveUp();
        }
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
      const call = writeContext(this.#parts, this.#request, this.#dispatcher, this.#stop);
      const value: unknown = await this.#dispatcher.run(() => tool.spec.run(input, call));
      const word = readWord(value, tool, this.#parts);
      if (word === undefined) {
        this.#threw(new TypeError('run() must return ok(), failed() or unknown()'));
      }
      return word;
    } catch (cause) {
      if (ToolFailure.isInstance(cause)) return readWord(cause.result, tool, this.#parts);
      this.#threw(cause);
      return undefined;
    } finally {
      await this.#dispatcher.ended();
    }
  }

  /** The run ended in time. */
  async #tellEnded(word: ToolResult | undefined): Promise<Result> {
    const trouble = this.#record.markTrouble;
    if (trouble !== undefined && this.#dispatcher.record.unmarked.length === 0) {
      return this.#record.troubled(trouble);
    }
    const { record, result } = this.#weigh(word);
    switch (record) {
      case 'unsent':
        return this.#record.withdraw(result, this.#dispatcher.wasAsked);
      case 'answered':
      case 'rejected':
        return this.#record.complete(record, result, this.#request.askAgainId === undefined);
      case 'open':
        return this.#record.leaveOpen(result, this.#dispatcher);
    }
  }

  /** Time ran out, or the user left, before anything was sent. */
  async #tellStopped(moment: Exclude<Moment, 'ended'>): Promise<Result> {
    const why = moment === 'timer' ? 'The time for this call is over.' : 'Cancelled.';
    this.#stop.abort(new Error(why));
    if (this.#dispatcher.record.unmarked.length > 0) {
      return this.#record.leaveOpen(noAnswer, this.#dispatcher);
    }
    const trouble = this.#record.markTrouble;
    if (trouble?.kind === 'refused') return this.#record.troubled(trouble);
    return this.#record.withdraw(stopped[moment], this.#dispatcher.wasAsked);
  }

  /** What a run came to after its outcome had been told as unknown. */
  async #bringHome(ended: Promise<ToolResult | undefined>): Promise<void> {
    const { record, result } = this.#weigh(await ended);
    this.#end();
    if (record === 'open') return;
    if (record === 'unsent') await this.#record.withdraw(result, true, false);
    else await this.#record.complete(record, result, false);
  }

  #weigh(word: ToolResult | undefined): Weighed {
    const weighed = weigh(word, this.#dispatcher.record);
    this.#parts.events.emit({
      type: 'ran',
      call: this.#request.call,
      tool: this.#request.tool.name,
      key: this.#request.entry.key,
      evidence: weighed.record,
      late: this.#state === 'given_up',
      durationMs: this.#parts.settings.clock.monotonicMs() - this.#startedMs,
    });
    if (weighed.report !== undefined) {
      this.#record.report(
        weighed.report,
        `${this.#request.tool.name}: ${reportTexts[weighed.report]}`,
      );
    }
    return weighed;
  }

  get #isOver(): boolean {
    return this.#state === 'over';
  }

  #end(): void {
    this.#state = 'over';
    this.#callOffBeat();
  }

  /** Says, as long as the attempt lives, that it does; and later, that what it sent may still act. */
  #beat(): void {
    const { clock, leaseMs } = this.#parts.settings;
    const everyMs = Math.min(leaseMs, this.#times.patienceMs) / 3;
    const beat = async (): Promise<void> => {
      const { isPending } = this.#dispatcher;
      if (this.#isOver || (this.#state === 'given_up' && !isPending)) return;
      await this.#record.renew(isPending ? this.#times.patienceMs : null);
      if (!this.#isOver) this.#beat();
    };
    this.#callOffBeat = clock.after(everyMs, () => void beat(), 'idle');
  }

  #threw(cause: unknown): void {
    this.#record.report('tool_threw', `${this.#request.tool.name} threw`, cause);
  }
}

const stopped = {
  timer: failed('timeout_before_send', 'Time ran out before anything was sent; nothing changed.'),
  cancel: failed(
    'cancelled_before_send',
    'It was cancelled before anything was sent; nothing changed.',
  ),
} as const;

const reportTexts = {
  ok_without_send: 'returned ok and sent nothing through ctx.fetch or ctx.dispatch',
  unmarked_send: 'sent something without a mark',
  ok_against_evidence: 'returned ok for a request that was refused or never left',
  hidden_retry: 'its HTTP client sent more than once inside one dispatch',
} as const;
