import type { JSX } from 'preact';
import type { EntryRow, Now } from '../../src/console/views.ts';
import { OutcomeChart } from './charts.tsx';
import { Lanes } from './lanes.tsx';
import { type Live, useClock } from './live.ts';
import { KeyLink, State } from './parts.tsx';
import { Tiles } from './tiles.tsx';
import { Title } from './title.tsx';
import { count, duration, laneName, moment, openSinceMs } from './words.ts';

/** What goes on now. */
export function NowPage({ live }: { live: Live }): JSX.Element {
  const { now, hour, day, link, aheadMs } = live;
  if (now === undefined) return <NoNews isLost={link === 'lost' || link === 'trouble'} />;
  const unknown = now.open.filter(({ standing }) => standing === 'unknown');
  return (
    <div class={link === 'live' ? 'now' : 'now stale'}>
      <div class="page-head">
        <Title>Now</Title>
        {link !== 'live' && <AsOf now={now} aheadMs={aheadMs} />}
      </div>
      <Tiles now={now} hour={hour} unknown={unknown} />
      <UnknownList rows={unknown} live={live} isCut={now.open.length >= now.mostOpen} />
      <Lanes now={now} aheadMs={aheadMs} isStill={link !== 'live'} />
      <div class="two">
        <OutcomeChart chart={hour} title="Outcomes, last hour" />
        <OutcomeChart chart={day} title="Outcomes, last day" />
      </div>
    </div>
  );
}

function NoNews({ isLost }: { isLost: boolean }): JSX.Element {
  return (
    <>
      <Title>Now</Title>
      {isLost ? (
        <State kind="error" title="There is no connection to the server">
          It is tried again every other second; nothing has to be done here.
        </State>
      ) : (
        <State kind="loading" title="Looking at the ledger…" />
      )}
    </>
  );
}

function AsOf({ now, aheadMs }: { now: Now; aheadMs: number }): JSX.Element {
  const nowMs = useClock(aheadMs);
  return (
    <p class="as-of" role="status">
      As it was at {moment(now.nowMs, nowMs)}, {duration(nowMs - now.nowMs)} ago
    </p>
  );
}

/** More would push the rest of the page out of sight. */
const mostListed = 6;

function UnknownList(props: {
  rows: readonly EntryRow[];
  live: Live;
  isCut: boolean;
}): JSX.Element {
  const { rows, live } = props;
  const nowMs = useClock(live.aheadMs);
  const shown = rows.slice(0, mostListed);
  return (
    <section class="card unknown-card" aria-labelledby="unknown-title">
      <h2 id="unknown-title">Unknown</h2>
      {rows.length === 0 ? (
        <p class="all-clear">
          Nothing is unknown: of every request that left, it is known what became of it.
        </p>
      ) : (
        <ul class="rows">
          {shown.map((row) => (
            <UnknownRow key={row.key} row={row} nowMs={nowMs} />
          ))}
        </ul>
      )}
      {rows.length > shown.length && (
        <p class="small">
          <a href="#/find?outcome=unknown">
            All of them ({props.isCut ? 'more than ' : ''}
            {rows.length})
          </a>
        </p>
      )}
      <p class="unseen" role="status">
        {count(rows.length, 'write is unknown', 'writes are unknown')}
      </p>
    </section>
  );
}

function UnknownRow({ row, nowMs }: { row: EntryRow; nowMs: number }): JSX.Element {
  return (
    <li class="unknown-row">
      <span class="age">{duration(nowMs - openSinceMs(row))}</span>
      <span class="what">
        <strong>{row.tool}</strong> <span class="soft">{laneName(row)}</span>
      </span>
      <KeyLink row={row} />
      <a
        class="button small-button"
        href={`#/entry/${row.key}`}
        aria-label={`Look and settle: ${row.tool}, ${laneName(row)}`}
      >
        Look and settle
      </a>
    </li>
  );
}
