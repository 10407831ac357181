import type { Finding } from '../call/evidence.ts';
import type { JsonObject } from '../call/json.ts';
import type { Result } from '../call/result.ts';
import type { Effect } from '../call/tool.ts';
import type { Verdict } from '../ledger/entry.ts';
import type { ReplyCheck } from '../reply/types.ts';
import type { Reconciled } from './reconcile.ts';

/** What the host ought to hear of loudly. See docs/reports.md. */
export type ReportCode =
  | 'effect_doubled'
  | 'hidden_retry'
  | 'ledger_failed'
  | 'no_context'
  | 'ok_against_evidence'
  | 'ok_without_send'
  | 'overdue'
  | 'proof_refused'
  | 'reconcile_failed'
  | 'settled_handler_failed'
  | 'tool_threw'
  | 'unexpected_data'
  | 'unmarked_send'
  | 'verdict_refuted';

/** What a step belongs to: `call` counts the calls of a runtime; 0 where no call is behind it. */
interface StepEvent {
  readonly call: number;
  readonly tool: string;
  /** How long the step took, in milliseconds, by a clock that only goes forward. */
  readonly durationMs: number;
}

/** A step of a write, which has an entry. */
interface WriteStepEvent extends StepEvent {
  readonly key: string;
  readonly generation: number;
}

/** What happens in a runtime, as it happens. The steps of one call come in the order of this list. */
export type RuntimeEvent =
  | {
      readonly type: 'called';
      readonly call: number;
      readonly tool: string;
      readonly scope: string;
      /** The id that the model's provider gave the call, where the host passed it on. */
      readonly callId?: string;
    }
  | (StepEvent & {
      readonly type: 'decoded';
      readonly effect: Effect;
      readonly args: JsonObject;
    })
  | (StepEvent & {
      /** It had its turn, or waited for it in vain. */
      readonly type: 'waited';
      readonly for: 'lane' | 'cap';
      readonly had: boolean;
    })
  | (WriteStepEvent & { readonly type: 'claimed' })
  | (WriteStepEvent & {
      /** The mark is durable: the request leaves now. */
      readonly type: 'dispatched';
    })
  | (StepEvent & {
      /** The tool's own code ended; `evidence` is what its sends came to, where it is a write. */
      readonly type: 'ran';
      readonly key?: string;
      readonly evidence?: 'unsent' | 'answered' | 'rejected' | 'open';
      /** Whether the call had been told `unknown` by then. */
      readonly late: boolean;
    })
  | (StepEvent & {
      readonly type: 'told';
      readonly scope: string;
      /** Absent where no tool was called. */
      readonly effect?: Effect;
      readonly key?: string;
      readonly result: Result;
    })
  | {
      /** A remote system was asked about an unsettled write. */
      readonly type: 'asked';
      readonly tool: string;
      readonly key: string;
      readonly finding: Finding['finding'] | 'not_found_out';
      readonly durationMs: number;
    }
  | (Reconciled & {
      /** A round of asking about all that is unsettled is over. */
      readonly type: 'reconciled';
      /** For how long the oldest that is open has been so, in milliseconds; 0 where none is. */
      readonly oldestMs: number;
      readonly durationMs: number;
    })
  | {
      readonly type: 'reply_checked';
      readonly scope: string;
      readonly verdict: ReplyCheck['verdict'];
      readonly findings: ReplyCheck['findings'];
      readonly durationMs: number;
    }
  | {
      readonly type: 'settled';
      readonly tool: string;
      readonly scope: string;
      readonly key: string;
      readonly state: 'ok' | 'failed';
      /** Absent where the attempt's own late answer settled it. */
      readonly verdict?: Verdict;
    }
  | {
      readonly type: 'report';
      readonly code: ReportCode;
      readonly tool: string;
      readonly key?: string;
      /** For the host only: it may hold anything. */
      readonly cause?: unknown;
      readonly message: string;
    };

/** Structured records, in the manner of pino; `console` serves through {@link consoleLogger}. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes warnings and errors to the console. */
export const consoleLogger: Logger = {
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

/** What means that somebody was told something false, or that it happened twice. */
const grave: ReadonlySet<ReportCode> = new Set(['effect_doubled', 'verdict_refuted']);

type Listener = (event: RuntimeEvent) => void;

/** Hands events to whoever listens; a listener that throws harms nobody. */
export class Events {
  readonly #listeners = new Set<Listener>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: RuntimeEvent): void {
    this.#guarded(() => log(this.#logger, event));
    for (const listener of this.#listeners) this.#guarded(() => listener(event));
  }

  report(report: Omit<Extract<RuntimeEvent, { type: 'report' }>, 'type'>): void {
    this.emit({ type: 'report', ...report });
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch {
      // A logger or listener of the host's must not change what is told of a call.
    }
  }
}

/** What of the events stands in a log: what was told, what was settled, what is reported loudly. */
function log(logger: Logger, event: RuntimeEvent): void {
  switch (event.type) {
    case 'told': {
      const { tool, scope, key, result, durationMs } = event;
      const { outcome, code } = result;
      const fields = {
        tool,
        scope,
        ...(key === undefined ? {} : { key }),
        outcome,
        code,
        durationMs,
      };
      logger.info(fields, `forthright: ${tool || 'a call'} was told ${outcome}`);
      break;
    }
    case 'settled': {
      const { type: _, ...fields } = event;
      logger.info(fields, `forthright: ${event.tool} is settled: ${event.state}`);
      break;
    }
    case 'report': {
      const { type: _, message, cause, ...fields } = event;
      const level = grave.has(event.code) ? 'error' : 'warn';
      // By this name pino writes out what an error holds.
      logger[level](
        cause === undefined ? fields : { ...fields, err: cause },
        `forthright: ${message}`,
      );
    }
  }
}
