import type { Clock } from '../call/clock.ts';
import { type Evidence, evidenceOf, isEvidence, noEvidence, notSent } from '../call/evidence.ts';
import type { SendRequest } from '../call/tool.ts';
import { Gate } from './gate.ts';
import { inRun, type RunScope, type SeenEnd, type SeenRequest } from './run-scope.ts';
import { Stop } from './stop.ts';

/** What a run's sends came to, as far as it is known by now. */
export interface SendRecord {
  /** Whether the gate was taken: a request may have left. */
  readonly left: boolean;
  /** Of the dispatch, once it has ended. */
  readonly evidence: Evidence | undefined;
  /** Unsafe requests that left without a mark. */
  readonly unmarked: readonly SeenRequest[];
  /** Unsafe requests that left inside a send which does not count its own: more than one is a hidden retry. */
  readonly requests: number;
  /** What their client told of those. */
  readonly ends: readonly SeenEnd[];
}

/** Nothing may be sent, or nothing more; says why to the tool's author. */
export class DispatchRefused extends Error {
  readonly evidence: Evidence;

  constructor(why: string, evidence: Evidence = notSent(why)) {
    super(why);
    this.name = 'DispatchRefused';
    this.evidence = evidence;
  }
}

/** What a dispatcher needs of the attempt that it sends for. */
export interface DispatchPort {
  readonly clock: Clock;
  /** The idempotency key for the wire. */
  readonly key: string;
  /** How long after the mark was asked for a physical send may still start. */
  readonly sendWindowMs: number;
  readonly requestMaxMs: number;
  readonly scope: Pick<RunScope, 'tool' | 'exemptHosts'>;
  /** Marks durably; false where the mark was refused. A rejection means that it is not known. */
  mark(): Promise<boolean>;
  /** Something unsafe left without a mark, perhaps long after the outcome was told. */
  onUnmarked(request: SeenRequest): void;
}

type Send<T> = (request: SendRequest) => Promise<Evidence<T>>;

/** Sends for one run of a write: once, after a durable mark, and never after its gate was closed. */
export class Dispatcher {
  readonly gate: Gate = new Gate();
  readonly #port: DispatchPort;
  #marking: Promise<boolean> | undefined;
  #sending: Promise<unknown> | undefined;
  #evidence: Evidence | undefined;
  #left = false;
  #requests = 0;
  readonly #unmarked: SeenRequest[] = [];
  readonly #ends: SeenEnd[] = [];

  constructor(port: DispatchPort) {
    this.#port = port;
  }

  get record(): SendRecord {
    return {
      left: this.#left,
      evidence: this.#evidence,
      unmarked: this.#unmarked,
      requests: this.#requests,
      ends: this.#ends,
    };
  }

  /** Whether a mark may be on record: the run asked to send. */
  get wasAsked(): boolean {
    return this.#marking !== undefined;
  }

  /** Whether a send is under way whose end is not known. */
  get isPending(): boolean {
    return this.#left && this.#evidence === undefined;
  }

  /** Resolves once a dispatch that the run may not have waited for has ended. */
  async ended(): Promise<void> {
    await this.#sending?.catch(() => undefined);
  }

  /** Calls the run's own code, watched. */
  run<T>(work: () => T): T {
    return inRun(this.#scope('run'), work);
  }

  /** Calls what was declared to change nothing. */
  exempt<T>(work: () => T): T {
    return inRun(this.#scope('exempt'), work);
  }

  /** Marks, then sends. `countsItsSends`: the sender sums up the evidence of its own retries. */
  dispatch<T>(send: Send<T>, countsItsSends = false): Promise<Evidence<T>> {
    if (this.#sending !== undefined) {
      return Promise.reject(
        new DispatchRefused('A run may dispatch once; this is its second time.'),
      );
    }
    const sending = this.#dispatch(send, countsItsSends);
    this.#sending = sending;
    return sending;
  }

  async #dispatch<T>(send: Send<T>, countsItsSends: boolean): Promise<Evidence<T>> {
    const { clock, sendWindowMs } = this.#port;
    if (!this.gate.isOpen) throw new DispatchRefused('This attempt is over; nothing was sent.');
    const maySend = windowOf(clock, sendWindowMs);
    this.#marking = this.#port.mark();
    await this.#passMark();
    if (!this.gate.take()) {
      throw new DispatchRefused('This attempt ended while it was being marked; nothing was sent.');
    }
    this.#left = true;
    if (!maySend()) {
      this.#evidence = notSent('the mark took so long that the time for sending was over');
      throw new DispatchRefused('The time for sending is over; nothing was sent.');
    }
    return this.#send(send, maySend, countsItsSends);
  }

  async #passMark(): Promise<void> {
    const marked = await this.#marking?.catch((cause: unknown) => {
      this.gate.close();
      throw new DispatchRefused(`The ledger did not acknowledge the mark: ${String(cause)}`);
    });
    if (marked === true) return;
    this.gate.close();
    throw new DispatchRefused('The mark was refused: another attempt owns this write now.');
  }

  async #send<T>(
    send: Send<T>,
    maySend: () => boolean,
    countsItsSends: boolean,
  ): Promise<Evidence<T>> {
    const { clock, key, requestMaxMs } = this.#port;
    const life = new Stop();
    const callOff = clock.after(requestMaxMs, () => {
      life.abort(new Error(`The request took longer than ${requestMaxMs} ms (requestMaxMs).`));
    });
    const mode = countsItsSends ? 'exempt' : 'send';
    try {
      const evidence = await inRun(this.#scope(mode), () =>
        send({
          key,
          get signal() {
            return life.signal;
          },
          maySend,
        }),
      );
      this.#evidence = isEvidence(evidence)
        ? evidence
        : noEvidence('the function given to dispatch returned no evidence');
      return this.#evidence as Evidence<T>;
    } catch (error) {
      this.#evidence = evidenceOf(error) ?? noEvidence('the function given to dispatch threw');
      throw error;
    } finally {
      callOff();
    }
  }

  #scope(mode: RunScope['mode']): RunScope {
    const sawEnd = (end: SeenEnd): void => {
      this.#ends.push(end);
    };
    return { ...this.#port.scope, mode, saw: this.#saw, sawEnd };
  }

  readonly #saw = (request: SeenRequest, mode: 'run' | 'send'): void => {
    if (mode === 'send') {
      this.#requests += 1;
      return;
    }
    this.#unmarked.push(request);
    this.#port.onUnmarked(request);
  };
}

/** The time for sending, by both clocks: one may be set back, the other stands still while a machine sleeps. */
function windowOf(clock: Clock, lengthMs: number): () => boolean {
  const untilMs = clock.monotonicMs() + lengthMs;
  const untilWallMs = clock.nowMs() + lengthMs;
  return () => clock.monotonicMs() < untilMs && clock.nowMs() < untilWallMs;
}
