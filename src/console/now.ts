import type { Ledger } from '../ledger/ledger.ts';
import type { ConsoleOptions } from './options.ts';
import { rowOf } from './show.ts';
import type { Chart, Now } from './views.ts';

const mostOpen = 200;
const mostRecent = 120;
const recentMs = 120_000;
/** A chart counts this many entries at most, so that it holds no database up for long. */
const mostCounted = 20_000;

/** What goes on at this moment. */
export async function nowOf(
  ledger: Ledger,
  { runtime }: ConsoleOptions,
  nowMs: number,
): Promise<Now> {
  const open = await ledger.list({
    states: ['claimed', 'dispatched', 'unknown'],
    limit: mostOpen,
  });
  const recent = await ledger.list({
    newestFirst: true,
    createdFromMs: nowMs - recentMs,
    limit: mostRecent,
  });
  return {
    nowMs,
    open: open.map((entry) => rowOf(entry, nowMs)),
    mostOpen,
    recent: recent.map((entry) => rowOf(entry, nowMs)),
    ...(runtime?.load && { load: runtime.load() }),
  };
}

const spans = {
  hour: { sliceMs: 60_000, sliceCount: 60 },
  day: { sliceMs: 3_600_000, sliceCount: 24 },
} as const;

/** How entries fared in the last hour, or day: slices begin at full minutes, or hours. */
export async function chartOf(ledger: Ledger, span: Chart['span'], nowMs: number): Promise<Chart> {
  const { sliceMs, sliceCount } = spans[span];
  const fromMs = (Math.floor(nowMs / sliceMs) + 1 - sliceCount) * sliceMs;
  const tally = await ledger.tally({ fromMs, sliceMs, most: mostCounted });
  return { ...tally, span, fromMs, sliceMs, sliceCount, isCut: tally.counted === mostCounted };
}
