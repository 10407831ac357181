import type { JSX } from 'preact';
import type { EntryRow, Now } from '../../src/console/views.ts';
import { useClock } from './live.ts';
import { State } from './parts.tsx';
import { entryHref } from './route.ts';
import { duration, laneName, standingWords } from './words.ts';

const windowMs = 60_000;
const mostLanes = 12;
/** A narrower bar, in percent of the axis, has no room for a name. */
const narrowest = 8;
const marks = [60, 45, 30, 15, 0];

interface Lane {
  readonly name: string;
  readonly rows: readonly EntryRow[];
}

/** The lanes, each with its calls on an axis of time that ends now and moves on. */
export function Lanes(props: { now: Now; aheadMs: number; isStill: boolean }): JSX.Element {
  const clockMs = useClock(props.aheadMs, 200);
  const nowMs = props.isStill ? props.now.nowMs : clockMs;
  const lanes = lanesOf(props.now, nowMs);
  const shown = lanes.slice(0, mostLanes);
  return (
    <section class="card" aria-labelledby="lanes-title">
      <div class="card-head">
        <h2 id="lanes-title">In flight, by lane</h2>
        <Legend />
      </div>
      {shown.length === 0 ? (
        <State kind="empty" title="It is quiet">
          No call was made in the last minute. Calls appear here as they are made.
        </State>
      ) : (
        <div class="lanes">
          <Axis />
          <ul class="rows">
            {shown.map((lane) => (
              <LaneRow key={lane.name} lane={lane} nowMs={nowMs} />
            ))}
          </ul>
        </div>
      )}
      {lanes.length > shown.length && (
        <p class="soft small">{lanes.length - shown.length} more lanes are not drawn.</p>
      )}
    </section>
  );
}

function Legend(): JSX.Element {
  return (
    <ul class="legend" aria-label="What the colours mean">
      {(['waiting', 'sent', 'unknown', 'ok', 'failed'] as const).map((standing) => (
        <li key={standing}>
          <span class={`swatch ${standing}`} aria-hidden="true" /> {standingWords[standing]}
        </li>
      ))}
    </ul>
  );
}

function Axis(): JSX.Element {
  return (
    <div class="axis" aria-hidden="true">
      <span />
      <div class="axis-marks">
        {marks.map((seconds) => (
          <span key={seconds} style={{ left: `${(1 - (seconds * 1_000) / windowMs) * 100}%` }}>
            {seconds === 0 ? 'now' : `−${seconds} s`}
          </span>
        ))}
      </div>
    </div>
  );
}

function LaneRow({ lane, nowMs }: { lane: Lane; nowMs: number }): JSX.Element {
  return (
    <li class="lane">
      <span class="lane-name" title={lane.name}>
        {lane.name}
      </span>
      <span class="lane-track">
        {lane.rows.map((row) => (
          <Bar key={row.key} row={row} nowMs={nowMs} />
        ))}
      </span>
    </li>
  );
}

function Bar({ row, nowMs }: { row: EntryRow; nowMs: number }): JSX.Element {
  const end = endMs(row, nowMs);
  const share = (atMs: number): number =>
    Math.max(0, Math.min(1, 1 - (nowMs - atMs) / windowMs)) * 100;
  const left = share(row.createdAtMs);
  const width = Math.max(0.6, share(end) - left);
  const words = `${row.tool}: ${standingWords[row.standing]}, ${duration(end - row.createdAtMs)}`;
  return (
    <a
      class={`bar ${row.standing}`}
      href={entryHref(row.key)}
      title={words}
      aria-label={`${words}, begun ${duration(nowMs - row.createdAtMs)} ago`}
      style={{ left: `${left}%`, width: `${width}%` }}
    >
      {width > narrowest && <span>{row.tool}</span>}
    </a>
  );
}

function endMs(row: EntryRow, nowMs: number): number {
  return row.settledAtMs === null ? Math.max(nowMs, row.createdAtMs) : row.settledAtMs;
}

/** In flight first, then what is unknown, then what is over; each lane once. */
function lanesOf({ open, recent }: Now, nowMs: number): readonly Lane[] {
  const byKey = new Map([...open, ...recent].map((row) => [row.key, row]));
  const lanes = new Map<string, EntryRow[]>();
  for (const row of byKey.values()) {
    if (endMs(row, nowMs) < nowMs - windowMs) continue;
    const name = laneName(row);
    lanes.set(name, [...(lanes.get(name) ?? []), row]);
  }
  const rank = (rows: readonly EntryRow[]): number =>
    Math.min(...rows.map(({ standing }) => ranks[standing]));
  return [...lanes]
    .map(([name, rows]) => ({ name, rows: rows.sort((a, b) => a.createdAtMs - b.createdAtMs) }))
    .sort((a, b) => rank(a.rows) - rank(b.rows) || newest(b.rows) - newest(a.rows));
}

const ranks = { waiting: 0, sent: 0, unknown: 1, ok: 2, failed: 2 } as const;

function newest(rows: readonly EntryRow[]): number {
  return rows.at(-1)?.createdAtMs ?? 0;
}
