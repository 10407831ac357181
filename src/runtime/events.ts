import type { Result } from '../call/result.ts';
import type { Verdict } from '../ledger/entry.ts';

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
  | 'unmarked_send';

/** What happens in a runtime, as it happens. */
export type RuntimeEvent =
  | {
      readonly type: 'told';
      readonly tool: string;
      readonly scope: string;
      readonly key?: string;
      readonly result: Result;
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
    for (const listener of this.#listeners) this.#guarded(() => listener(event));
  }

  report(report: Omit<Extract<RuntimeEvent, { type: 'report' }>, 'type'>): void {
    const { message, ...fields } = report;
    const level = report.code === 'effect_doubled' ? 'error' : 'warn';
    this.#guarded(() => this.#logger[level](fields, `forthright: ${message}`));
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
