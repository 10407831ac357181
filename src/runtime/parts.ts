import type { Clock } from '../call/clock.ts';
import type { Toolset, WriteTool } from '../call/tool.ts';
import { within } from '../execute/bounded.ts';
import type { Lanes } from '../execute/lanes.ts';
import type { Line, Patience } from '../execute/line.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Background } from './background.ts';
import type { Events } from './events.ts';
import type { Settings } from './options.ts';
import type { RecentReads } from './recent-reads.ts';
import type { Told } from './requests.ts';

/** What the steps of a call share. */
export interface Parts {
  readonly toolset: Toolset;
  readonly ledger: Ledger;
  readonly settings: Settings;
  readonly events: Events;
  readonly lanes: Lanes;
  readonly cap: Line;
  /** Runs that were told unknown, and records still to be written. */
  readonly background: Background;
  /** The writes that are queued or run in this process, by key. */
  readonly running: Map<string, Promise<Told>>;
  /** What reads showed lately, for the reply check. */
  readonly reads: RecentReads;
  /** The keys of open entries that were reported as overdue. */
  readonly raised: Set<string>;
  /** Aborted when no more calls are taken. */
  readonly closing: AbortSignal;
  /** Aborted when even what goes on in the background has to end. */
  readonly closed: AbortSignal;
  /** Called when an entry was settled after its outcome had been told as unknown. */
  onLateSettlement(): void;
  /** Asks about one entry in the background. */
  askAbout(key: string): void;
}

/** One step of the ledger, with its bound. A rejection means that it is not known whether it was done. */
export function step<T>(parts: Parts, what: string, work: Promise<T>): Promise<T> {
  return within(parts.settings.clock, parts.settings.ledgerMs, `The ledger's ${what}`, work);
}

/** How long a call waits for its turn. */
export function patienceUntil(
  clock: Clock,
  deadlineMs: number,
  stops: readonly AbortSignal[],
): Patience {
  return {
    stops,
    onLate: (task) => clock.after(deadlineMs - clock.monotonicMs(), task),
  };
}

/** Starts to count how long a call waits; to be called with what came of the wait. */
export function waitedFor(
  { events, settings }: Parts,
  { call, tool }: { readonly call: number; readonly tool: { readonly name: string } },
  what: 'lane' | 'cap',
): (place: { readonly had: boolean }) => void {
  const startedMs = settings.clock.monotonicMs();
  return ({ had }) => {
    const durationMs = settings.clock.monotonicMs() - startedMs;
    events.emit({ type: 'waited', call, tool: tool.name, for: what, had, durationMs });
  };
}

/** What ends the wait of a call beside the runtime's end: its user leaves. */
export function stopsOf(signal: AbortSignal | undefined): readonly AbortSignal[] {
  return signal === undefined ? [] : [signal];
}

/** A write tool's numbers, with the runtime's defaults. */
export interface WriteTimes {
  readonly timeoutMs: number;
  readonly requestMaxMs: number;
  /** How long after the last physical send something may still take effect. */
  readonly patienceMs: number;
  /** Whether the remote system knows a key for as long as one attempt may send. */
  readonly honoursKeys: boolean;
  readonly replayMs: number | null;
}

const dayMs = 86_400_000;

/** The durations that hold for one tool. */
export function writeTimes(tool: WriteTool, settings: Settings): WriteTimes {
  const { spec } = tool;
  const { requestMaxMs = 60_000, marginMs = 30_000, replayMs = dayMs, remoteKeyMs = 0 } = spec;
  const timeoutMs = spec.timeoutMs ?? settings.timeoutMs;
  const patienceMs = requestMaxMs + marginMs;
  return {
    timeoutMs,
    requestMaxMs,
    patienceMs,
    honoursKeys: remoteKeyMs >= timeoutMs + patienceMs,
    replayMs: Number.isFinite(replayMs) ? replayMs : null,
  };
}
