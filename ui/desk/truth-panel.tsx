import type { Truth } from '../../examples/support-desk/web/room-event.ts';
import { money } from './scene.ts';

interface Props {
  readonly truth: Truth | null;
  readonly meantCents: number | null;
  /** What the agent has told the customer, in order. */
  readonly said: readonly string[];
}

/** What billing really did, in money, and beside it what the agent said. */
export function TruthPanel({ truth, meantCents, said }: Props) {
  const { refunds = [], refundedCents = 0, addresses = [], isUp = true, held = 0 } = truth ?? {};
  const isWrong = meantCents !== null && refundedCents > meantCents;
  return (
    <div class="truth">
      <h3>What billing really did</h3>
      <p class={`sum ${isWrong ? 'bad' : ''}`}>
        <strong>{money(refundedCents)}</strong>{' '}
        {refunds.length === 1 ? 'in 1 refund' : `in ${refunds.length} refunds`}
      </p>
      {refunds.length > 0 && (
        <ul>
          {refunds.map(({ confirmation, orderId, amountCents }) => (
            <li key={confirmation}>
              {confirmation}: {money(amountCents)} on order {orderId}
            </li>
          ))}
        </ul>
      )}
      {addresses.length > 0 && <p>Addresses: {addresses.join(' → ')}</p>}
      {!isUp && <p class="bad">The billing server is down.</p>}
      {held > 0 && <p class="open">It holds {held === 1 ? 'a request' : `${held} requests`}.</p>}
      {said.length > 0 && (
        <>
          <h3>What the agent said</h3>
          <ul class="said">
            {said.map((text, at) => (
              // What was said stays said: its place names it.
              <li key={at}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
