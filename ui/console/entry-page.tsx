import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { EntryView, Shown } from '../../src/console/views.ts';
import { type Answer, getEntry } from './api.ts';
import { Attempts, Repeats } from './attempts.tsx';
import type { Live } from './live.ts';
import { Badge, State } from './parts.tsx';
import { findHref } from './route.ts';
import { Settle } from './settle.tsx';
import { Timeline } from './timeline.tsx';
import { Title } from './title.tsx';
import { count, laneName, moment } from './words.ts';

/** All that is known of one entry, and the way to settle it. */
export function EntryPage({ entryKey, live }: { entryKey: string; live: Live }): JSX.Element {
  const [answer, setAnswer] = useState<Answer<EntryView> | undefined>();
  const load = useCallback(async () => setAnswer(await getEntry(entryKey)), [entryKey]);
  // What is told of the open ones says when to look again.
  const open = live.now?.open.find(({ key }) => key === entryKey);
  const sign = open === undefined ? 'over' : `${open.updatedAtMs} ${open.standing}`;
  useEffect(() => void load(), [load, sign, live.link]);
  if (answer === undefined) {
    return <Framed title="Entry" state={<State kind="loading" title="Looking it up…" />} />;
  }
  if (answer.kind === 'ok') {
    return (
      <Entry
        entry={answer.value}
        live={live}
        onChange={(value) => setAnswer({ kind: 'ok', value })}
      />
    );
  }
  const problem =
    answer.kind === 'refused' ? answer.problem : 'There is no connection to the server';
  return <Framed title="Entry" state={<State kind="error" title={problem} />} />;
}

function Framed(props: { title: string; state: JSX.Element }): JSX.Element {
  return (
    <>
      <Title>{props.title}</Title>
      {props.state}
    </>
  );
}

function Entry(props: {
  entry: EntryView;
  live: Live;
  onChange(entry: EntryView): void;
}): JSX.Element {
  const { entry, live } = props;
  return (
    <article>
      <div class="page-head entry-head">
        <Title of={`${entry.tool} ${entry.key.slice(0, 8)}`}>
          {entry.tool} <span class="soft">{laneName(entry)}</span>
        </Title>
        <Badge standing={entry.standing} />
      </div>
      <div class="entry-grid">
        <div class="entry-main">
          {isOpen(entry) && <Settle entry={entry} live={live} onChange={props.onChange} />}
          <Timeline entry={entry} />
          <Attempts entry={entry} />
          <Repeats entry={entry} />
        </div>
        <div class="entry-side">
          <Facts entry={entry} />
          <Json title="Arguments" shown={entry.arguments} />
          <Json title="Result" shown={entry.result} />
          {entry.reference.kind !== 'none' && (
            <Json title="The remote system’s reference" shown={entry.reference} />
          )}
        </div>
      </div>
    </article>
  );
}

/** Open, or failed by a verdict that a person may have to take back. */
function isOpen({ standing, failedBy, unproven }: EntryView): boolean {
  return standing === 'unknown' || (failedBy === 'verdict' && unproven > 0);
}

function Facts({ entry }: { entry: EntryView }): JSX.Element {
  const at = (atMs: number | null): string | null =>
    atMs === null ? null : moment(atMs, entry.nowMs);
  const facts: readonly (readonly [string, JSX.Element | string | null])[] = [
    ['Key', <code>{entry.key}</code>],
    ['On the wire', <code>{entry.wireKey}</code>],
    ['Scope', <a href={findHref({ scope: entry.scope })}>{entry.scope}</a>],
    ['Lane', <a href={findHref({ lane: entry.lane })}>{laneName(entry)}</a>],
    ['State', stateWords(entry)],
    ['Turn', entry.turn],
    ['Generation', `${entry.generation}`],
    ['Begun', at(entry.createdAtMs)],
    ['First sent', at(entry.firstSentAtMs)],
    ['Settled', at(entry.settledAtMs)],
    ['Told', at(entry.toldAtMs)],
    ['May act until', mayStillAct(entry) ? at(entry.patientUntilMs) : null],
    ['Asked', entry.asks === 0 ? null : count(entry.asks, 'time')],
  ];
  return (
    <section class="card" aria-label="Facts">
      <h2>Facts</h2>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

function mayStillAct({ standing, patientUntilMs, nowMs }: EntryView): boolean {
  return standing === 'unknown' && (patientUntilMs ?? 0) > nowMs;
}

const causes = {
  unsent: 'nothing was sent',
  rejected: 'the remote system refused it',
  verdict: 'a verdict says that it did not happen',
} as const;

function stateWords({ state, failedBy, standing }: EntryView): string {
  if (failedBy !== null) return `failed: ${causes[failedBy]}`;
  if (state === 'dispatched' && standing === 'unknown') return 'dispatched, and its owner is gone';
  return state;
}

function Json({ title, shown }: { title: string; shown: Shown }): JSX.Element {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {shown.kind === 'json' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <pre tabIndex={0}>
          {typeof shown.value === 'string' ? shown.value : JSON.stringify(shown.value, null, 2)}
        </pre>
      )}
      {shown.kind === 'none' && <p class="soft">There is none.</p>}
      {shown.kind === 'closed' && (
        <p class="soft">It is sealed, and this console was not given the key to it.</p>
      )}
    </section>
  );
}
