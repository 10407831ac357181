import type { ComponentChildren, JSX } from 'preact';
import type { EntryRow, Standing } from '../../src/console/views.ts';
import { entryHref } from './route.ts';
import { standingWords } from './words.ts';

/** How an entry stands. */
export function Badge({ standing }: { standing: Standing }): JSX.Element {
  return <span class={`badge ${standing}`}>{standingWords[standing]}</span>;
}

/** The beginning of a key, as a link to its entry. */
export function KeyLink({ row }: { row: Pick<EntryRow, 'key'> }): JSX.Element {
  return (
    <a class="code" href={entryHref(row.key)}>
      {row.key.slice(0, 12)}
    </a>
  );
}

/** What stands where there is nothing, nothing yet, or something went wrong. */
export function State(props: {
  kind: 'empty' | 'loading' | 'error';
  title: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`state ${props.kind}`} role={props.kind === 'error' ? 'alert' : 'status'}>
      <p class="state-title">{props.title}</p>
      {props.children !== undefined && <p class="soft">{props.children}</p>}
    </div>
  );
}
