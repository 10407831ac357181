import type { ShownEntry } from '../../examples/support-desk/web/room-event.ts';
import { tone } from './tone.ts';

/** What the ledger says of each write. */
export function LedgerTable({ entries }: { readonly entries: readonly ShownEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div class="ledger">
      <h3>What the ledger says</h3>
      <ul>
        {entries.map(({ key, tool, input, state, generation, settledBy }) => (
          <li key={key}>
            <span class={`badge ${tone(state)}`}>{state}</span>{' '}
            <code>
              {tool} {input}
            </code>
            {generation > 1 && ` generation ${generation}`}
            {settledBy !== null && ` settled by ${settledBy}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
