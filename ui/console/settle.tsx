import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Acted, EntryView, VerdictRequest } from '../../src/console/views.ts';
import { type Answer, postAsk, postVerdict } from './api.ts';
import { type Live, useClock } from './live.ts';
import { State } from './parts.tsx';
import { duration, moment, openSinceMs } from './words.ts';

type Verdict = VerdictRequest['verdict'];

interface SettleProps {
  readonly entry: EntryView;
  readonly live: Live;
  onChange(entry: EntryView): void;
}

/** Asking the remote system, or recording what one has seen there. */
export function Settle(props: SettleProps): JSX.Element {
  const { entry, live } = props;
  const [message, setMessage] = useState<{ kind: 'good' | 'bad'; text: string } | undefined>();
  const nowMs = useClock(live.aheadMs);
  const hear = (answer: Answer<Acted>): void => {
    setMessage(wordsOf(answer));
    if (answer.kind === 'ok' && answer.value.entry) props.onChange(answer.value.entry);
  };
  return (
    <section class="card settle" aria-labelledby="settle-title">
      <h2 id="settle-title">
        {entry.standing === 'unknown' ? 'Settle it' : 'It was settled by a verdict'}
      </h2>
      <p>
        {entry.standing === 'unknown'
          ? `The request left ${duration(nowMs - openSinceMs(entry))} ago, and there is no proof of what it did.`
          : 'Something that was sent is still unproven: if it turns out to have happened, say so.'}
      </p>
      {entry.verdict !== null && (
        <p>
          {entry.verdict.by} recorded that it{' '}
          {entry.verdict.verdict === 'happened' ? 'happened' : 'did not happen'}: “
          {entry.verdict.why}”
        </p>
      )}
      {message !== undefined && (
        <p class={`message ${message.kind}`} role="alert">
          {message.text}
        </p>
      )}
      {live.me?.readOnly === true ? (
        <p class="soft">This console only shows: it was started read-only.</p>
      ) : (
        <>
          {entry.standing === 'unknown' && (
            <Ask entry={entry} live={live} nowMs={nowMs} hear={hear} />
          )}
          <VerdictForm
            key={`${entry.state} ${entry.token}`}
            entry={entry}
            live={live}
            nowMs={nowMs}
            hear={hear}
          />
        </>
      )}
    </section>
  );
}

function wordsOf(answer: Answer<Acted>): { kind: 'good' | 'bad'; text: string } {
  if (answer.kind === 'refused') return { kind: 'bad', text: answer.problem };
  if (answer.kind !== 'ok') {
    const text =
      answer.kind === 'away'
        ? 'The server did not answer. Whether it was recorded is not known: look again when it is back.'
        : 'You are not signed in any more.';
    return { kind: 'bad', text };
  }
  const { kind, entry } = answer.value;
  switch (kind) {
    case 'settled':
      return { kind: 'good', text: `Settled: it is ${entry?.state}.` };
    case 'asked':
      return { kind: 'good', text: 'The remote system was asked, and does not know yet.' };
    case 'not_asked':
      return {
        kind: 'bad',
        text: 'It was not asked: it is settled, or somebody is asking already.',
      };
    case 'too_early':
      return { kind: 'bad', text: 'Too early: what was sent may still take effect.' };
    case 'changed':
      return { kind: 'bad', text: changedWords(entry) };
    case 'no_entry':
      return { kind: 'bad', text: 'The entry is gone.' };
  }
}

function changedWords(entry: EntryView | undefined): string {
  const verdict = entry?.verdict;
  const by = verdict ? ` ${verdict.by} settled it: “${verdict.why}”.` : '';
  return `Your verdict was not recorded: the entry has changed meanwhile and is ${entry?.state} now.${by}`;
}

interface ActProps {
  readonly entry: EntryView;
  readonly live: Live;
  readonly nowMs: number;
  hear(answer: Answer<Acted>): void;
}

function Ask({ entry, live, nowMs, hear }: ActProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const waitMs = Math.max(0, (entry.askAtMs ?? 0) - nowMs);
  const ask = async (): Promise<void> => {
    setAsking(true);
    hear(await postAsk(entry.key));
    setAsking(false);
  };
  return (
    <div class="way">
      <h3>Ask the remote system</h3>
      {entry.canAsk ? (
        <>
          <p class="soft small">
            By the tool’s own way to ask; what it finds settles the entry.
            {waitMs > 0 && ` It was asked before; the next time is in ${duration(waitMs)}.`}
          </p>
          <button
            class="button"
            type="button"
            disabled={isAsking || waitMs > 0}
            onClick={() => void ask()}
          >
            {isAsking ? 'Asking…' : 'Ask now'}
          </button>
        </>
      ) : (
        <p class="soft small">
          {live.me?.hasRuntime === true ? (
            'This tool has no way to ask: no reconcile, and no keys that the remote system honours.'
          ) : (
            <>
              This console has no runtime to ask with. <code>--tools MODULE</code> gives it one, and{' '}
              <code>forthright reconcile --tools MODULE LEDGER</code> asks about all that is open.
            </>
          )}
        </p>
      )}
    </div>
  );
}

function VerdictForm({ entry, live, nowMs, hear }: ActProps): JSX.Element {
  const [verdict, setVerdict] = useState<Verdict | undefined>();
  const [isSending, setSending] = useState(false);
  const early = Math.max(0, (entry.patientUntilMs ?? 0) - nowMs);
  const operator = live.me?.operator ?? null;
  const onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (verdict === undefined) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const { state, token, generation } = entry;
    setSending(true);
    const by = operator === null ? { by: String(form.get('by') ?? '') } : {};
    const why = String(form.get('why') ?? '');
    hear(
      await postVerdict({
        key: entry.key,
        verdict,
        why,
        ...by,
        seen: { state, token, generation },
      }),
    );
    setSending(false);
  };
  return (
    <form class="way" onSubmit={(event) => void onSubmit(event)}>
      <h3>Record a verdict</h3>
      <fieldset>
        <legend class="soft small">What did you see in the remote system?</legend>
        <Choice its="happened" label="It happened" chosen={verdict} onChoose={setVerdict} />
        {entry.standing === 'unknown' && (
          <Choice
            its="did_not_happen"
            label="It did not happen"
            note={early > 0 ? `may still take effect for ${duration(early)}` : undefined}
            chosen={verdict}
            onChoose={setVerdict}
          />
        )}
      </fieldset>
      {verdict !== undefined && <Consequences verdict={verdict} entry={entry} />}
      {verdict === 'did_not_happen' && early > 0 ? (
        <State kind="empty" title={`Not before ${moment(entry.patientUntilMs ?? 0, nowMs)}`}>
          What was sent may still take effect until then; look at the remote system again after
          that.
        </State>
      ) : (
        verdict !== undefined && (
          <Grounds verdict={verdict} operator={operator} isSending={isSending} />
        )
      )}
    </form>
  );
}

function Choice(props: {
  its: Verdict;
  label: string;
  note?: string | undefined;
  chosen: Verdict | undefined;
  onChoose(verdict: Verdict): void;
}): JSX.Element {
  return (
    <label class="choice">
      <input
        type="radio"
        name="verdict"
        value={props.its}
        checked={props.chosen === props.its}
        onChange={() => props.onChoose(props.its)}
      />
      {props.label}
      {props.note !== undefined && <span class="soft small">{props.note}</span>}
    </label>
  );
}

function Consequences({ verdict, entry }: { verdict: Verdict; entry: EntryView }): JSX.Element {
  const lane = entry.keepsLane ? 'Its lane opens: calls that wait for it go on.' : null;
  return (
    <div class="consequences" role="note">
      <p>
        <strong>What this does</strong>
      </p>
      {verdict === 'happened' ? (
        <ul>
          <li>The entry is ok. The same call will be told that it is done, and sends nothing.</li>
          <li>The host is told, and may tell the customer.</li>
          {lane && <li>{lane}</li>}
          <li>It cannot be taken back: no later verdict makes it undone.</li>
        </ul>
      ) : (
        <ul>
          <li>
            The entry is failed, and <strong>the same call may be sent again</strong>. If it did
            happen after all, it then happens twice.
          </li>
          <li>The host is told, and may tell the customer that it was not done.</li>
          {lane && <li>{lane}</li>}
          <li>A proof that it happened, should one come, still wins.</li>
        </ul>
      )}
    </div>
  );
}

function Grounds(props: {
  verdict: Verdict;
  operator: string | null;
  isSending: boolean;
}): JSX.Element {
  return (
    <>
      <label class="field">
        Why: what did you see, and where?
        <textarea name="why" rows={2} required maxLength={500} />
      </label>
      {props.operator === null && (
        <label class="field">
          Your name
          <input name="by" required maxLength={100} autocomplete="name" />
        </label>
      )}
      <p class="soft small">
        {props.operator !== null && `It is recorded in the name of ${props.operator}. `}
        The verdict, the reason, the name and the time are kept with the entry.
      </p>
      <button class="button primary" type="submit" disabled={props.isSending}>
        {props.isSending
          ? 'Recording…'
          : props.verdict === 'happened'
            ? 'Record: it happened'
            : 'Record: it did not happen'}
      </button>
    </>
  );
}
