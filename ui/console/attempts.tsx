import type { JSX } from 'preact';
import type { EntryView } from '../../src/console/views.ts';
import type { EntryEvent } from '../../src/ledger/history.ts';
import { count, duration, moment } from './words.ts';

const begins: ReadonlySet<string> = new Set(['claimed', 'sent_again']);
const sends: ReadonlySet<string> = new Set(['dispatched', 'sent_again']);
const ends = ['answered', 'rejected', 'unsent', 'given_up'] as const;
const endWords: Readonly<Record<(typeof ends)[number], string>> = {
  answered: 'it happened',
  rejected: 'refused',
  unsent: 'sent nothing',
  given_up: 'without proof',
};

/** Every attempt at an entry. */
export function Attempts({ entry }: { entry: EntryView }): JSX.Element {
  const tokens = [...new Set(entry.events.map(({ token }) => token))];
  return (
    <section class="card" aria-label="Attempts">
      <h2>Attempts</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Every attempt">
        <table>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Begun</th>
              <th scope="col">Sent</th>
              <th scope="col">Ended</th>
              <th scope="col">Took</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <Attempt key={token} token={token} entry={entry} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Attempt({ token, entry }: { token: number; entry: EntryView }): JSX.Element {
  const own = entry.events.filter((event) => event.token === token);
  const begun = own.find(({ what }) => begins.has(what));
  const sent = own.find(({ what }) => sends.has(what));
  const end = own.findLast((event): event is EndEvent => ends.some((what) => what === event.what));
  const at = (event: EntryEvent | undefined): string =>
    event === undefined ? '–' : moment(event.atMs, entry.nowMs);
  return (
    <tr>
      <th scope="row">{token}</th>
      <td>{at(begun)}</td>
      <td>{sent === undefined ? 'nothing' : at(sent)}</td>
      <td>{end === undefined ? 'open' : endWords[end.what]}</td>
      <td>{begun && end ? duration(end.atMs - begun.atMs) : '–'}</td>
    </tr>
  );
}

type EndEvent = EntryEvent & { readonly what: (typeof ends)[number] };

/** The identical calls that an entry answered, so that they sent nothing. */
export function Repeats({ entry }: { entry: EntryView }): JSX.Element {
  const repeats = entry.events.flatMap((event) => (event.what === 'repeated' ? [event] : []));
  return (
    <section class="card" aria-label="Repeats">
      <h2>Repeats that it answered</h2>
      {repeats.length === 0 ? (
        <p class="soft">No identical call has met this entry.</p>
      ) : (
        <>
          <p>{count(repeats.length, 'identical call')} sent nothing:</p>
          <ul class="repeats">
            {repeats.map(({ atMs, told }, at) => (
              <li key={at}>
                <span class="soft">{moment(atMs, entry.nowMs)}</span> <code>{told}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
