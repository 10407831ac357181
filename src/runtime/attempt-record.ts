import { failed, type Result, type ToolResult, unknown, withWarning } from '../call/result.ts';
import type { Dispatcher } from '../execute/dispatcher.ts';
import { noAnswer } from '../execute/weigh.ts';
import type { Entry } from '../ledger/entry.ts';
import type { AttemptAnswer, CompleteAnswer } from '../ledger/ledger.ts';
import { untilDone } from './background.ts';
import type { ReportCode } from './events.ts';
import { type Parts, step, type WriteTimes } from './parts.ts';
import type { AttemptRequest } from './requests.ts';
import { refuted } from './settle.ts';
import { ledgerUnavailable, sealResult, tellEntry } from './told.ts';

const recordPending = {
  code: 'record_pending',
  message: 'The outcome is certain; writing it into the ledger is being tried again.',
};

/** What the ledger was asked about a mark, where it did not simply mark. */
export type MarkTrouble =
  | { readonly kind: 'refused'; readonly entry: Entry | null }
  | { readonly kind: 'lost' };

/** One attempt's side of the ledger: what is recorded of it, and what is told because of that. */
export class AttemptRecord {
  readonly #parts: Parts;
  readonly #request: AttemptRequest;
  readonly #times: WriteTimes;
  #token: number;
  #markTrouble: MarkTrouble | undefined;

  constructor(parts: Parts, request: AttemptRequest, times: WriteTimes) {
    this.#parts = parts;
    this.#request = request;
    this.#times = times;
    this.#token = request.entry.token;
  }

  /** Why nothing was sent though the run asked to. */
  get markTrouble(): MarkTrouble | undefined {
    return this.#markTrouble;
  }

  /** Marks durably; asking again with the same wire key is a mark of its own, under a new token. */
  async mark(): Promise<boolean> {
    const { clock } = this.#parts.settings;
    const startedMs = clock.monotonicMs();
    try {
      const answer = await step(this.#parts, 'mark', this.#askToMark());
      if (answer.kind === 'refused') {
        this.#markTrouble = answer;
        return false;
      }
      this.#token = answer.entry.token;
      this.#dispatched(clock.monotonicMs() - startedMs);
      return true;
    } catch (cause) {
      this.#markTrouble = { kind: 'lost' };
      this.#ledgerFailed('mark', cause);
      throw cause;
    }
  }

  #dispatched(durationMs: number): void {
    const { call, tool, entry } = this.#request;
    const { key, generation } = entry;
    const which = { call, tool: tool.name, key, generation };
    this.#parts.events.emit({ type: 'dispatched', ...which, durationMs });
  }

  #askToMark(): Promise<AttemptAnswer> {
    const { ledger, settings } = this.#parts;
    const { entry, askAgainId: attemptId, tool } = this.#request;
    const { timeoutMs: sendWindowMs, patienceMs } = this.#times;
    const { leaseMs } = settings;
    const request = { key: entry.key, token: this.#token, leaseMs, sendWindowMs, patienceMs };
    if (attemptId === undefined) return ledger.mark(request);
    // What is sent last may arrive as late as it may still take effect.
    const remoteKeyMs = (tool.spec.remoteKeyMs ?? 0) - patienceMs;
    return ledger.askAgain({ ...request, attemptId, remoteKeyMs });
  }

  /** The owner lives, and what it sent may still act. Never rejects. */
  async renew(patienceMs: number | null): Promise<void> {
    const { key } = this.#request.entry;
    const token = this.#token;
    const { leaseMs } = this.#parts.settings;
    const renewing = this.#parts.ledger.renew({ key, token, leaseMs, patienceMs });
    await step(this.#parts, 'renew', renewing).catch((cause: unknown) =>
      this.#ledgerFailed('renew', cause),
    );
  }

  /** The entry is asked about by sending again, and this attempt has no mark: it has no say in it. */
  get #hasNoSay(): boolean {
    const { entry, askAgainId } = this.#request;
    return askAgainId !== undefined && this.#token === entry.token;
  }

  /** Nothing was sent because of the ledger: what is told is what the entry now says. */
  async troubled(trouble: MarkTrouble): Promise<Result> {
    if (trouble.kind === 'lost') {
      return this.withdraw(ledgerUnavailable(), true);
    }
    return trouble.entry === null
      ? failed('lease_lost', 'The record of this write is gone; nothing was sent.')
      : tellEntry(trouble.entry, this.#request.tool, this.#parts);
  }

  /** Nothing was sent, and the entry is told so. */
  async withdraw(result: ToolResult, wasAsked: boolean, told = true): Promise<Result> {
    if (this.#hasNoSay) return this.#open(noAnswer);
    const { tool, entry } = this.#request;
    const { key } = entry;
    const request = {
      key,
      token: this.#token,
      result: await sealResult(result, tool.name, this.#parts),
      told,
    };
    const { ledger } = this.#parts;
    const withdraw = (): Promise<AttemptAnswer> =>
      step(this.#parts, 'withdraw', wasAsked ? ledger.withdraw(request) : ledger.fail(request));
    try {
      const { kind, entry: now } = this.#heard(await withdraw());
      if (kind === 'done' && now?.state === 'failed') return result;
      return now === null ? result : await tellEntry(now, tool, this.#parts);
    } catch (cause) {
      this.#ledgerFailed('withdraw', cause);
      this.#later('withdraw', withdraw);
      return withWarning(result, recordPending);
    }
  }

  /** Records proof; where the ledger does not answer, it is told all the same and recorded later. */
  async complete(
    evidence: 'answered' | 'rejected',
    result: ToolResult,
    told: boolean,
  ): Promise<Result> {
    if (this.#hasNoSay) return this.#open(noAnswer);
    const { tool, entry } = this.#request;
    const { key, generation } = entry;
    const token = this.#token;
    const text = await sealResult(result, tool.name, this.#parts);
    const request = { key, token, generation, evidence, result: text, told };
    const complete = (): Promise<CompleteAnswer> =>
      step(this.#parts, 'complete', this.#parts.ledger.complete(request));
    try {
      return await this.#tellCompleted(evidence, result, this.#heard(await complete()));
    } catch (cause) {
      this.#ledgerFailed('complete', cause);
      this.#later('complete', complete);
      return withWarning(result, recordPending);
    }
  }

  /** It may have happened: the entry says so, durably where it can. */
  async leaveOpen(result: ToolResult, dispatcher: Dispatcher): Promise<Result> {
    if (this.#hasNoSay) return this.#open(noAnswer);
    const { key } = this.#request.entry;
    const token = this.#token;
    const record = async (): Promise<AttemptAnswer> => {
      // Something left past the mark: the entry is marked after the fact.
      if (!dispatcher.record.left) await this.mark().catch(() => false);
      return step(this.#parts, 'giveUp', this.#parts.ledger.giveUp({ key, token }));
    };
    try {
      return await this.#tellOpen(await record(), result);
    } catch (cause) {
      this.#ledgerFailed('giveUp', cause);
      this.#later('giveUp', record);
      return this.#open(result);
    }
  }

  /** No answer in time. */
  async giveUp(): Promise<Result> {
    const { key } = this.#request.entry;
    const token = this.#token;
    try {
      const answer = await step(this.#parts, 'giveUp', this.#parts.ledger.giveUp({ key, token }));
      return await this.#tellOpen(answer, noAnswer);
    } catch (cause) {
      // The lease runs out by itself, and then the entry counts as unknown all the same.
      this.#ledgerFailed('giveUp', cause);
    }
    return this.#open(noAnswer);
  }

  /** It is open, unless it was settled meanwhile: then that is told, since nobody will tell it later. */
  async #tellOpen(answer: AttemptAnswer, result: ToolResult): Promise<Result> {
    if (answer.kind === 'refused' && answer.entry?.state === 'ok') {
      return tellEntry(answer.entry, this.#request.tool, this.#parts);
    }
    const isOurs = answer.entry?.generation === this.#request.entry.generation;
    if (answer.kind === 'refused' && answer.entry?.state === 'failed' && isOurs) {
      return failed('confirmed_not_done', 'It was confirmed not to have happened.');
    }
    return this.#open(result);
  }

  report(code: ReportCode, message: string, cause?: unknown): void {
    const { tool, entry } = this.#request;
    this.#parts.events.report({ code, tool: tool.name, key: entry.key, cause, message });
  }

  async #tellCompleted(
    evidence: 'answered' | 'rejected',
    result: ToolResult,
    answer: CompleteAnswer,
  ): Promise<Result> {
    const { tool } = this.#request;
    // Two runs under one key are one effect where keys are honoured, and as good as one where a tool says so.
    const isOneEffect = tool.spec.remoteKeyMs !== undefined || tool.spec.idempotent === true;
    if (answer.kind === 'doubled' && !isOneEffect) {
      this.report('effect_doubled', `${tool.name} was proven to have happened by two attempts`);
    }
    if (evidence === 'answered') {
      if (answer.kind === 'done' && this.#refutes(answer.entry)) {
        this.report('verdict_refuted', `${tool.name} ${refuted}`);
      }
      if (answer.kind === 'refused') {
        this.report('proof_refused', `${tool.name} happened, and its entry has moved on`);
      }
      return result;
    }
    if (answer.entry?.state === 'failed') return result;
    // An earlier send is unproven, so that a rejection of this one proves nothing about the write.
    return answer.entry?.state === 'ok'
      ? tellEntry(answer.entry, tool, this.#parts)
      : this.#open(noAnswer);
  }

  /** A verdict against this send stood, or had let another attempt in already. */
  #refutes({ verdict, token }: Entry): boolean {
    const { spec } = this.#request.tool;
    const mayRerun = spec.idempotent === true || spec.remoteKeyMs !== undefined;
    return verdict?.verdict === 'did_not_happen' || (token > this.#token && !mayRerun);
  }

  #open(result: ToolResult): Result {
    const { code, summary, nextActions, warnings, outputs } = result;
    const ref = this.#request.entry.key;
    return unknown(code, summary, { nextActions, warnings, outputs, ref });
  }

  /** A settlement that was not told to the model is to be told to the host. */
  #heard<A extends AttemptAnswer | CompleteAnswer>(answer: A): A {
    const { entry } = answer;
    if (answer.kind !== 'done' || entry?.announce !== true) return answer;
    const { tool, scope, key, state } = entry;
    if (state === 'ok' || state === 'failed') {
      this.#parts.events.emit({ type: 'settled', tool, scope, key, state });
    }
    this.#parts.onLateSettlement();
    return answer;
  }

  #later(what: string, work: () => Promise<AttemptAnswer | CompleteAnswer>): void {
    const { settings, closed, background } = this.#parts;
    const record = async (): Promise<void> => {
      this.#heard(await work());
    };
    const failing = (cause: unknown): void => this.#ledgerFailed(what, cause);
    background.follow(untilDone(settings.clock, closed, record, failing));
  }

  #ledgerFailed(what: string, cause: unknown): void {
    this.report('ledger_failed', `the ledger did not do: ${what}`, cause);
  }
}
