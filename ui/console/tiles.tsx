import type { ComponentChildren, JSX } from 'preact';
import type { Chart, EntryRow, Now } from '../../src/console/views.ts';
import { duration, openSinceMs } from './words.ts';

/** The figures that one looks at first. */
export function Tiles(props: {
  now: Now;
  hour: Chart | undefined;
  unknown: readonly EntryRow[];
}): JSX.Element {
  const { now, hour, unknown } = props;
  const flying = now.open.filter(({ standing }) => standing === 'sent' || standing === 'waiting');
  const sent = flying.filter(({ standing }) => standing === 'sent').length;
  const more = now.open.length >= now.mostOpen ? '+' : '';
  const oldestMs = Math.min(...unknown.map(openSinceMs));
  const { load } = now;
  return (
    <dl class="tiles">
      <Tile name="In flight" figure={`${flying.length}${more}`}>
        {sent} sent, {flying.length - sent} claimed
      </Tile>
      <Tile
        name="Unknown"
        figure={`${unknown.length}${more}`}
        tone={unknown.length > 0 ? 'unknown' : undefined}
      >
        {unknown.length === 0
          ? 'nothing to settle'
          : `the oldest for ${duration(now.nowMs - oldestMs)}`}
      </Tile>
      {load !== undefined && (
        <>
          <Tile name="Cap" figure={`${load.running}`} of={load.maxConcurrent}>
            tools run in this process{load.late > 0 && `, ${load.late} late`}
          </Tile>
          <Tile
            name="Queue"
            figure={`${load.waitingForCap + load.waitingForLane}`}
            of={load.maxWaiting}
          >
            {load.waitingForLane} for a lane, {load.waitingForCap} for the cap
          </Tile>
        </>
      )}
      <Tile name="p50, last hour" figure={figureOf(hour?.p50Ms)}>
        from the send to the settled outcome
      </Tile>
      <Tile name="p99, last hour" figure={figureOf(hour?.p99Ms)}>
        {hour?.isCut ? `of the newest ${hour.counted.toLocaleString()}` : 'of all that was settled'}
      </Tile>
    </dl>
  );
}

function figureOf(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : duration(ms);
}

function Tile(props: {
  name: string;
  figure: string;
  of?: number;
  tone?: 'unknown' | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const share = props.of === undefined ? undefined : Math.min(1, Number(props.figure) / props.of);
  return (
    <div class={`tile card ${props.tone ?? ''}`}>
      <dt>{props.name}</dt>
      <dd>
        <span class="figure">{props.figure}</span>
        {props.of !== undefined && <span class="soft"> of {props.of.toLocaleString()}</span>}
        {share !== undefined && (
          <span class="meter" aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
        <span class="soft small note">{props.children}</span>
      </dd>
    </div>
  );
}
