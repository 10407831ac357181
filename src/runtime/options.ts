import { type Clock, systemClock } from '../call/clock.ts';
import type { AnyTool, Toolset } from '../call/tool.ts';
import type { Limits } from '../decode/limits.ts';
import { type HttpOptions, httpSettings } from '../http/settings.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { consoleLogger, type Logger } from './events.ts';

/** Seals what the ledger stores of arguments, results and notes, with the host's own encryption. */
export interface Sealer {
  seal(text: string): string | Promise<string>;
  open(sealed: string): string | Promise<string>;
}

/** What `createRuntime` takes. Durations are milliseconds. */
export interface RuntimeOptions<Tools extends readonly AnyTool[]> {
  readonly tools: Tools | Toolset<Tools>;
  /** The record of writes; needed as soon as one tool writes. */
  readonly ledger?: Ledger;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Limits on the text of the arguments. */
  readonly limits?: Partial<Limits>;
  /** How many tools run at the same time; 16 if left out. */
  readonly maxConcurrent?: number;
  /** How many calls may wait, for a lane or for the cap; 1,000 if left out. */
  readonly maxWaiting?: number;
  /** How long a call waits for its turn; 30 s if left out. */
  readonly waitMs?: number;
  /** How long a call may take once it has its turn, where its tool says nothing; 30 s if left out. */
  readonly timeoutMs?: number;
  /** How long an attempt that stops renewing is still taken to live; 15 s if left out. */
  readonly leaseMs?: number;
  /** The longest that one step of the ledger may take; 5 s if left out. */
  readonly ledgerMs?: number;
  /** How often what is unsettled is asked about; a minute if left out, `false` for never by itself. */
  readonly reconcileEveryMs?: number | false;
  /** How long a write may stay unsettled before it is reported; 15 min if left out. */
  readonly overdueMs?: number;
  /** The longest `data` of a result, in UTF-16 units of JSON; 65,536 if left out. */
  readonly maxDataLength?: number;
  /** How many runs that were told unknown may still be waiting for their answer; 1,000 if left out. */
  readonly maxLate?: number;
  /** Hosts that change nothing (tokens, telemetry): unmarked requests to them are not reported. */
  readonly exemptHosts?: readonly string[];
  /** What `ctx.fetch` sends through; the global fetch if left out. */
  readonly fetch?: typeof fetch;
  /** How `ctx.fetch` keys, bounds and retries, beside what each tool and request says. */
  readonly http?: Omit<HttpOptions, 'clock' | 'honoursKeys' | 'requestMaxMs'>;
  /** Whether the tool `check_write` is offered; true if left out and a tool writes. */
  readonly checkWrite?: boolean;
  /** Supplies the context in which `reconcile` asks about an entry, perhaps after a restart. */
  contextFor?(entry: Entry): unknown;
  readonly sealer?: Sealer;
  /** Keeps a serverless host awake for what goes on after the answer. */
  waitUntil?(work: Promise<unknown>): void;
}

/** The options with their defaults. */
export interface Settings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Partial<Limits>;
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  readonly timeoutMs: number;
  readonly leaseMs: number;
  readonly ledgerMs: number;
  readonly reconcileEveryMs: number | false;
  readonly overdueMs: number;
  readonly maxDataLength: number;
  readonly maxLate: number;
  readonly exemptHosts: ReadonlySet<string>;
  readonly fetch: typeof fetch;
  readonly http: HttpOptions;
  readonly sealer: Sealer;
  readonly contextFor: ((entry: Entry) => unknown) | undefined;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const unsealed: Sealer = { seal: (text) => text, open: (text) => text };

/** Fills in the defaults; throws a `TypeError` or `RangeError` that names what cannot be used. */
export function settingsOf(options: RuntimeOptions<readonly AnyTool[]>): Settings {
  httpSettings(options.http ?? {});
  const number = (name: keyof RuntimeOptions<readonly AnyTool[]>, byDefault: number): number =>
    positive(name, options[name] ?? byDefault);
  return {
    clock: options.clock ?? systemClock,
    logger: options.logger ?? consoleLogger,
    limits: options.limits ?? {},
    maxConcurrent: number('maxConcurrent', 16),
    maxWaiting: number('maxWaiting', 1000),
    waitMs: number('waitMs', 30_000),
    timeoutMs: number('timeoutMs', 30_000),
    leaseMs: number('leaseMs', 15_000),
    ledgerMs: number('ledgerMs', 5000),
    reconcileEveryMs: options.reconcileEveryMs !== false && number('reconcileEveryMs', 60_000),
    overdueMs: number('overdueMs', 900_000),
    maxDataLength: number('maxDataLength', 65_536),
    maxLate: number('maxLate', 1000),
    exemptHosts: new Set(options.exemptHosts ?? []),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    http: options.http ?? {},
    sealer: options.sealer ?? unsealed,
    contextFor: options.contextFor?.bind(options),
    waitUntil: options.waitUntil?.bind(options) ?? (() => undefined),
  };
}

function positive(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`createRuntime: ${name} must be a positive number, not ${String(value)}.`);
}
