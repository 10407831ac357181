import { type Evidence, noEvidence } from '../call/evidence.ts';
import { type ClassifyRules, classify, type ExchangeEnd } from './classify.ts';
import { traceError } from './error-trace.ts';
import { boundedLife, type Life } from './life.ts';
import type { HttpSettings } from './settings.ts';
import type { WriteMark } from './write-fetch.ts';

/** The part of undici's dispatch controller that is used (undici 7 or later). */
export interface DispatchController {
  abort(reason: Error): void;
}

/** undici's dispatch handler (undici 7 or later). */
export interface DispatchHandler {
  onRequestStart?(controller: DispatchController, context: unknown): void;
  onRequestUpgrade?(controller: DispatchController, status: number, ...rest: unknown[]): void;
  onResponseStart?(controller: DispatchController, status: number, ...rest: unknown[]): void;
  onResponseData?(controller: DispatchController, chunk: unknown): void;
  onResponseEnd?(controller: DispatchController, trailers: unknown): void;
  onResponseError?(controller: DispatchController | null, error: Error): void;
}

/** Watches one marked write on its way through undici, and tells its mark how it ended. */
export class WriteHandler implements DispatchHandler {
  readonly #handler: DispatchHandler;
  readonly #mark: WriteMark;
  readonly #rules: ClassifyRules;
  readonly #life: Life;
  #controller: DispatchController | undefined;
  /** How often it was about to be written. */
  #starts = 0;
  #status: number | undefined;
  #isOver = false;

  constructor(
    handler: DispatchHandler,
    mark: WriteMark,
    rules: ClassifyRules,
    { clock, requestMaxMs }: HttpSettings,
  ) {
    this.#handler = handler;
    this.#mark = mark;
    this.#rules = rules;
    this.#life = boundedLife(clock, requestMaxMs);
    this.#life.signal.addEventListener('abort', () => this.#expire(), { once: true });
  }

  /** Called right before the request is written, after the wait in undici's own queues. */
  onRequestStart(controller: DispatchController, context: unknown): void {
    if (this.#isOver) {
      controller.abort(expired());
      return;
    }
    this.#controller = controller;
    this.#handler.onRequestStart?.(controller, context);
    if (this.#mark.maySend?.() === false) controller.abort(new Error('Too late to send it.'));
    else this.#starts += 1;
  }

  onRequestUpgrade(controller: DispatchController, status: number, ...rest: unknown[]): void {
    this.#end({ end: 'response', status, body: 'complete' }, () =>
      this.#handler.onRequestUpgrade?.(controller, status, ...rest),
    );
  }

  onResponseStart(controller: DispatchController, status: number, ...rest: unknown[]): void {
    if (this.#isOver) return;
    // 1xx comes before the answer.
    if (status >= 200) this.#status = status;
    this.#handler.onResponseStart?.(controller, status, ...rest);
  }

  onResponseData(controller: DispatchController, chunk: unknown): void {
    if (!this.#isOver) this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: DispatchController, trailers: unknown): void {
    this.#end({ end: 'response', status: this.#status ?? 0, body: 'complete' }, () =>
      this.#handler.onResponseEnd?.(controller, trailers),
    );
  }

  onResponseError(controller: DispatchController | null, error: Error): void {
    const end = { traces: traceError(error), written: this.#starts > 0 };
    this.#end({ end: 'error', ...end }, () => this.#handler.onResponseError?.(controller, error));
  }

  /** It may wait in a queue that cannot be called off: its caller is told, and its start refused. */
  #expire(): void {
    const reason = expired();
    if (this.#controller !== undefined) this.#controller.abort(reason);
    else this.onResponseError(null, reason);
  }

  /** Tells the mark first, so that nobody acts on an answer that is not on record. */
  #end(end: ExchangeEnd, pass: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#life.end();
    const fail = (error: Error): void =>
      this.#handler.onResponseError?.(this.#controller ?? null, error);
    Promise.resolve(this.#evidence(end))
      .then((evidence) => this.#mark.ended?.(evidence))
      .then(pass)
      .catch(fail);
  }

  #evidence(end: ExchangeEnd): Evidence {
    return this.#starts > 1
      ? noEvidence('undici sent it again by itself')
      : classify(end, this.#rules);
  }
}

function expired(): Error {
  return new Error('The request took longer than requestMaxMs.');
}
