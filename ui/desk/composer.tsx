import { useState } from 'preact/hooks';
import type { Fate } from '../../examples/support-desk/web/room.ts';
import type { Act } from './page.tsx';
import type { Scene } from './scene.ts';

const fates: readonly (readonly [fate: Fate | '', what: string])[] = [
  ['', 'all goes well'],
  ['lose_answer', 'billing does it, and the answer is lost'],
  ['commit_then_503', 'billing does it, and a gateway says 503'],
  ['503_without_commit', 'a gateway says 503, and billing never heard of it'],
  ['hang_before_commit', 'billing hangs before it does it'],
  ['hang_after_commit', 'billing hangs after it did it'],
  ['crash_before_commit', 'billing crashes before it does it'],
  ['crash_after_commit', 'billing crashes after it did it'],
  ['worker_dies_before', 'the agent’s worker is killed before billing does it'],
  ['worker_dies_after', 'the agent’s worker is killed after billing did it'],
];

const wishes: readonly string[] = [
  'Please refund 20.00 on order 4512 because it came late.',
  'What became of my refund on order 4512?',
  'Please refund 249.00 on order 4513 because it never came.',
  'Send order 4512 to Hafenstrasse 9.',
  'And my orders until 2025-05-31?',
  'Draft a reply, please.',
];

interface Props {
  readonly scene: Scene;
  /** The real model that is configured; null for none. */
  readonly model: string | null;
  readonly act: Act;
}

/** What the visitor says, and the switches of billing and of time. */
export function Composer({ scene, model, act }: Props) {
  const [text, setText] = useState(wishes[0] ?? '');
  const [fate, setFate] = useState<Fate | ''>('');
  const [realModel, setRealModel] = useState(false);
  const say = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    act('say', { text, fate: fate === '' ? null : fate, realModel });
    setText('');
    setFate('');
  };
  return (
    <section class="composer" aria-label="Talk to both">
      <form onSubmit={say}>
        <label class="field wish">
          What the customer says
          <input
            name="wish"
            list="wishes"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <datalist id="wishes">
          {wishes.map((wish) => (
            <option key={wish} value={wish} />
          ))}
        </datalist>
        <label class="field">
          Meanwhile
          <select
            name="fate"
            value={fate}
            onChange={({ currentTarget }) => setFate(currentTarget.value as Fate | '')}
          >
            {fates.map(([name, what]) => (
              <option key={name} value={name}>
                {what}
              </option>
            ))}
          </select>
        </label>
        {model !== null && (
          <label class="check">
            <input
              type="checkbox"
              checked={realModel}
              onChange={({ currentTarget }) => setRealModel(currentTarget.checked)}
            />
            by {model}
          </label>
        )}
        <button class="button primary" type="submit">
          Say it to both
        </button>
      </form>
      <Switches scene={scene} act={act} />
    </section>
  );
}

function Switches({ scene, act }: Pick<Props, 'scene' | 'act'>) {
  const [latencyMs, setLatency] = useState(0);
  const [isSearchable, setSearchable] = useState(true);
  const truths = Object.values(scene.halves).map(({ truth }) => truth);
  const isHeld = truths.some((truth) => (truth?.held ?? 0) > 0);
  const isDown = truths.some((truth) => truth?.isUp === false);
  const turn = (body: object) => (): void => act('turn', body);
  return (
    <fieldset>
      <legend>Billing and time</legend>
      <label class="field">
        Billing takes
        <select
          name="latency"
          value={String(latencyMs)}
          onChange={({ currentTarget }) => {
            setLatency(Number(currentTarget.value));
            act('turn', { turn: 'latency', ms: Number(currentTarget.value) });
          }}
        >
          <option value="0">no time</option>
          <option value="500">0.5 s</option>
          <option value="2000">2 s</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          name="searchable"
          checked={isSearchable}
          onChange={({ currentTarget }) => {
            setSearchable(currentTarget.checked);
            act('turn', { turn: 'searchable', on: currentTarget.checked });
          }}
        />
        billing can be asked what it did
      </label>
      <button class="button" type="button" disabled={!isHeld} onClick={turn({ turn: 'release' })}>
        Let billing go on
      </button>
      <button class="button" type="button" disabled={!isDown} onClick={turn({ turn: 'restart' })}>
        Restart billing
      </button>
      <button class="button" type="button" onClick={turn({ turn: 'pass', ms: 5_000 })}>
        5 s pass
      </button>
      <button class="button" type="button" onClick={turn({ turn: 'pass', ms: 180_000 })}>
        3 min pass
      </button>
      <button class="button" type="button" onClick={turn({ turn: 'ask' })}>
        Ask billing now
      </button>
    </fieldset>
  );
}
