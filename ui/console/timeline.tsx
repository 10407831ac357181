import type { JSX } from 'preact';
import type { EntryView } from '../../src/console/views.ts';
import type { EntryEvent, RepeatAnswer } from '../../src/ledger/history.ts';
import { duration, moment } from './words.ts';

/** What happened to an entry, step by step. */
export function Timeline({ entry }: { entry: EntryView }): JSX.Element {
  return (
    <section class="card" aria-label="Timeline">
      <h2>Timeline</h2>
      {entry.events.length === 0 ? (
        <p class="soft">
          Its history was not kept: it was made by an earlier version. It was begun{' '}
          {moment(entry.createdAtMs, entry.nowMs)}.
        </p>
      ) : (
        <ol class="timeline">
          {entry.events.map((event, at) => (
            <Step key={at} event={event} before={entry.events[at - 1]} nowMs={entry.nowMs} />
          ))}
        </ol>
      )}
      {entry.historyIsCut && (
        <p class="soft small">There was too much to keep: some of the middle is left out.</p>
      )}
    </section>
  );
}

function Step(props: {
  event: EntryEvent;
  before: EntryEvent | undefined;
  nowMs: number;
}): JSX.Element {
  const { event, before, nowMs } = props;
  const afterMs = before === undefined ? 0 : event.atMs - before.atMs;
  return (
    <li class={`step ${toneOf(event)}`}>
      <p class="step-words">{wordsOf(event)}</p>
      {event.what === 'settled' && <p class="step-why">“{event.why}”</p>}
      <p class="soft small">
        {moment(event.atMs, nowMs)}
        {before !== undefined && <> · {duration(afterMs)} later</>} · attempt {event.token}
        {event.generation > 1 && <>, generation {event.generation}</>}
      </p>
    </li>
  );
}

function toneOf(event: EntryEvent): string {
  switch (event.what) {
    case 'answered':
      return 'ok';
    case 'rejected':
    case 'unsent':
      return 'failed';
    case 'given_up':
    case 'doubled':
      return 'unknown';
    case 'dispatched':
    case 'sent_again':
      return 'sent';
    case 'settled':
      return event.verdict === 'happened' ? 'ok' : 'failed';
    default:
      return 'waiting';
  }
}

const repeatWords: Readonly<Record<RepeatAnswer, string>> = {
  already_done: 'already done',
  in_progress: 'in progress',
  still_confirming: 'still being confirmed',
  key_conflict: 'a conflict: other arguments under the same key',
  not_done: 'not done',
};

function wordsOf(event: EntryEvent): string {
  switch (event.what) {
    case 'claimed':
      return 'Claimed: an attempt began';
    case 'dispatched':
      return 'Dispatched: from here on the request may have left';
    case 'sent_again':
      return 'Sent again under the same key, to learn what became of it';
    case 'unsent':
      return 'Ended without having sent anything';
    case 'given_up':
      return 'It ended without proof: unknown from here on';
    case 'asked':
      return 'The remote system was asked';
    case 'answered':
      return event.late ? 'The answer came late: it happened' : 'Answered: it happened';
    case 'rejected':
      return event.late ? 'The answer came late: it was refused' : 'Answered: it was refused';
    case 'doubled':
      return 'A second attempt was proven too: it may have happened twice';
    case 'settled':
      return `${event.by} settled it: ${event.verdict === 'happened' ? 'it happened' : 'it did not happen'}`;
    case 'repeated':
      return `An identical call was told: ${repeatWords[event.told]}. It sent nothing`;
    case 'checked':
      return 'The model asked what became of it';
  }
}
