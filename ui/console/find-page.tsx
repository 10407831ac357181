import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type EntryRow, outcomes } from '../../src/console/views.ts';
import { getEntries } from './api.ts';
import { type Live, useClock } from './live.ts';
import { Badge, KeyLink, State } from './parts.tsx';
import { findHref } from './route.ts';
import { Title } from './title.tsx';
import { count, duration, laneName, moment } from './words.ts';

const fields = ['key', 'entity', 'tool', 'scope', 'lane', 'outcome', 'from', 'before'] as const;
type Field = (typeof fields)[number];

/** Finds entries; what is asked for stands in the address. */
export function FindPage({ query, live }: { query: string; live: Live }): JSX.Element {
  return (
    <>
      <Title>Find</Title>
      <FilterForm query={query} tools={live.me?.tools ?? []} />
      <Results key={query} query={query} live={live} />
    </>
  );
}

function FilterForm({ query, tools }: { query: string; tools: readonly string[] }): JSX.Element {
  const given = new URLSearchParams(query);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const filter = Object.fromEntries(
      fields.map((field) => [field, inMs(field, String(form.get(field) ?? '').trim())]),
    );
    location.hash = findHref(filter);
  };
  const text = (field: Field, label: string, hint: string): JSX.Element => (
    <label class="field">
      {label}
      <input
        name={field}
        defaultValue={given.get(field) ?? ''}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        list={field === 'tool' ? 'tools' : undefined}
      />
    </label>
  );
  return (
    <form class="card filter" onSubmit={onSubmit} key={query} aria-label="Conditions">
      {text('entity', 'About', '4512, order:4512')}
      {text('key', 'Key', 'the beginning is enough')}
      {text('tool', 'Tool', 'refund_order')}
      {text('scope', 'Scope', 'the conversation')}
      <label class="field">
        Outcome
        <select name="outcome" defaultValue={given.get('outcome') ?? ''}>
          <option value="">any</option>
          {outcomes.map((outcome) => (
            <option key={outcome} value={outcome}>
              {outcome}
            </option>
          ))}
        </select>
      </label>
      <Time field="from" label="From" given={given} />
      <Time field="before" label="Before" given={given} />
      {given.get('lane') && text('lane', 'Lane', '')}
      <datalist id="tools">
        {tools.map((tool) => (
          <option key={tool} value={tool} />
        ))}
      </datalist>
      <div class="filter-end">
        <button class="button primary" type="submit">
          Find
        </button>
        {query !== '' && (
          <a class="button" href="#/find">
            Clear
          </a>
        )}
      </div>
    </form>
  );
}

function Time(props: { field: Field; label: string; given: URLSearchParams }): JSX.Element {
  const value = props.given.get(props.field);
  return (
    <label class="field">
      {props.label}
      <input
        type="datetime-local"
        name={props.field}
        defaultValue={value === null ? '' : localTime(Number(value))}
      />
    </label>
  );
}

function inMs(field: Field, value: string): string {
  if ((field !== 'from' && field !== 'before') || value === '') return value;
  return `${new Date(value).getTime()}`;
}

/** A moment as an input takes it: local time, without a zone. */
function localTime(atMs: number): string {
  const local = new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 16);
}

interface Search {
  readonly rows: readonly EntryRow[];
  readonly next?: string | undefined;
  readonly searchedToMs?: number | undefined;
  readonly state: 'loading' | 'done' | 'away' | { readonly problem: string };
}

function Results({ query, live }: { query: string; live: Live }): JSX.Element {
  const [search, setSearch] = useState<Search>({ rows: [], state: 'loading' });
  const [signal] = useState(() => new AbortController());
  useEffect(() => () => signal.abort(), [signal]);
  const go = async (before: Search): Promise<void> => {
    setSearch({ ...before, state: 'loading' });
    const params = new URLSearchParams(query);
    if (before.next !== undefined) params.set('cursor', before.next);
    const answer = await getEntries(params.toString(), signal.signal);
    if (signal.signal.aborted) return;
    if (answer.kind === 'ok') {
      const { rows, next, searchedToMs } = answer.value;
      setSearch({ rows: [...before.rows, ...rows], next, searchedToMs, state: 'done' });
    } else {
      const state = answer.kind === 'refused' ? { problem: answer.problem } : 'away';
      setSearch({ ...before, state });
    }
  };
  useEffect(() => {
    void go({ rows: [], state: 'loading' });
  }, []);
  return (
    <section aria-label="What was found" aria-busy={search.state === 'loading'}>
      {search.rows.length > 0 && <RowTable rows={search.rows} live={live} />}
      <End search={search} onMore={() => void go(search)} />
    </section>
  );
}

function End({ search, onMore }: { search: Search; onMore(): void }): JSX.Element {
  const { rows, next, state, searchedToMs } = search;
  if (typeof state === 'object') return <State kind="error" title={state.problem} />;
  if (state === 'away') {
    return (
      <div class="more">
        <State kind="error" title="There is no connection to the server" />
        <button class="button" type="button" onClick={onMore}>
          Try again
        </button>
      </div>
    );
  }
  if (state === 'loading') return <State kind="loading" title="Searching…" />;
  if (rows.length === 0 && next === undefined) {
    return (
      <State kind="empty" title="Nothing was found">
        No entry fits all of it. Fewer conditions find more; a scope, a tool and a lane have to be
        given as they are.
      </State>
    );
  }
  const searched =
    searchedToMs === undefined ? '' : `, looked back to ${moment(searchedToMs, Date.now())}`;
  return (
    <div class="more">
      <p class="soft small" role="status">
        {count(rows.length, 'entry', 'entries')}
        {next === undefined ? ', and that is all' : searched}
      </p>
      {next !== undefined && (
        <button class="button" type="button" onClick={onMore}>
          {searchedToMs === undefined ? 'Show more' : 'Look further back'}
        </button>
      )}
    </div>
  );
}

function RowTable({ rows, live }: { rows: readonly EntryRow[]; live: Live }): JSX.Element {
  const nowMs = useClock(live.aheadMs, 10_000);
  return (
    <table class="card found">
      <caption class="unseen">Entries, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Begun</th>
          <th scope="col">Outcome</th>
          <th scope="col">Tool</th>
          <th scope="col">Lane</th>
          <th scope="col">Scope</th>
          <th scope="col">Took</th>
          <th scope="col">Key</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td class="begun">{moment(row.createdAtMs, nowMs)}</td>
            <td class="outcome">
              <Badge standing={row.standing} />
            </td>
            <td class="tool">{row.tool}</td>
            <td class="lane-cell">
              <a href={findHref({ lane: row.lane })}>{laneName(row)}</a>
            </td>
            <td class="scope">
              <a href={findHref({ scope: row.scope })}>{row.scope}</a>
            </td>
            <td class="took">{took(row)}</td>
            <td class="key">
              <KeyLink row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function took({ settledAtMs, createdAtMs }: EntryRow): string {
  return settledAtMs === null ? '' : duration(settledAtMs - createdAtMs);
}
