import { useEffect, useRef } from 'preact/hooks';
import type { Line } from '../../examples/support-desk/stage.ts';
import { PlanView } from './plan-view.tsx';
import type { Half, Item } from './scene.ts';
import { tone } from './tone.ts';

interface Props {
  readonly half: Half;
  onDecide(verdict: 'granted' | 'denied'): void;
}

/** What was said and done, in order. */
export function Conversation({ half, onDecide }: Props) {
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [half.items]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div class="conversation" role="log" aria-busy={half.busy} tabIndex={0} ref={log}>
      {half.items.length === 0 && <p class="empty">Nothing has been said yet.</p>}
      {half.items.map((item, at) => (
        // Nothing is ever moved or taken away, so that its place names an item.
        <ItemView key={at} item={item} onDecide={onDecide} />
      ))}
      {half.busy && <p class="working">Working…</p>}
    </div>
  );
}

function ItemView({ item, onDecide }: { readonly item: Item } & Pick<Props, 'onDecide'>) {
  return item.kind === 'plan' ? (
    <PlanView plan={item.plan} onDecide={onDecide} />
  ) : (
    <LineView line={item.line} />
  );
}

function LineView({ line }: { readonly line: Line }) {
  switch (line.who) {
    case 'customer':
      return <p class="bubble customer">{line.text}</p>;
    case 'agent':
      return <p class="bubble agent">{line.text || '(no words)'}</p>;
    case 'note':
      return <p class="note">{line.text}</p>;
    case 'tool':
      return (
        <div class="call">
          <code>{line.call}</code>
          <p>
            <span class={`badge ${tone(line.told || 'ok')}`}>{line.told || 'returned'}</span>{' '}
            <code>{line.summary}</code>
          </p>
        </div>
      );
  }
}
