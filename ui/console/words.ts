import type { EntryRow, Standing } from '../../src/console/views.ts';

/** How an entry stands, in a word or two. */
export const standingWords: Readonly<Record<Standing, string>> = {
  waiting: 'claimed',
  sent: 'sent',
  unknown: 'unknown',
  ok: 'ok',
  failed: 'failed',
};

/** How long something is, in its two largest units: `3 h 12 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(hours, 'h', minutes % 60, 'min');
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A moment, in the reader's own time: with its day where that is not today. */
export function moment(atMs: number, nowMs: number): string {
  const time = clock.format(atMs);
  return day.format(atMs) === day.format(nowMs) ? time : `${day.format(atMs)}, ${time}`;
}

/** The lane of an undeclared one is its scope and tool as JSON. */
export function laneName({ lane }: Pick<EntryRow, 'lane'>): string {
  if (!lane.startsWith('["')) return lane;
  try {
    return (JSON.parse(lane) as readonly string[]).join(' › ');
  } catch {
    return lane;
  }
}

/** Since when it has been open what became of it. */
export function openSinceMs(row: EntryRow): number {
  return row.firstSentAtMs ?? row.createdAtMs;
}

/** `1 entry`, `2 entries`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString()} ${n === 1 ? one : many}`;
}
