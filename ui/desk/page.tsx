import { useEffect, useRef, useState } from 'preact/hooks';
import type { Side } from '../../examples/support-desk/web/room-event.ts';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { paced } from './pace.ts';
import { enterRoom, type Offer, offered, type RoomPort } from './room-port.ts';
import { ScenarioList } from './scenario-list.tsx';
import { advance, emptyScene, money, type Scene, saidIn } from './scene.ts';
import { TruthPanel } from './truth-panel.tsx';

const titles: Readonly<Record<Side, string>> = {
  today: 'The agent as it is written today',
  forthright: 'The agent with forthright',
};

/** The whole page: scenarios, the conversation twice, both ledgers of truth, and the switches. */
export function Page() {
  const { scene, offer, isUp, trouble, act } = useRoom();
  const isBusy = scene.halves.today.busy || scene.halves.forthright.busy;
  return (
    <div class="page">
      <header>
        <h1>One support desk, twice</h1>
        <p>
          The same customer talks to both agents. Both have the same model and the same billing
          server, each its own copy, and it misbehaves in the same way. What billing really did
          stands under each.
        </p>
        {!isUp && <p role="alert">The server is not there. Trying again…</p>}
        {trouble !== null && <p role="alert">{trouble}</p>}
      </header>
      <ScenarioList
        groups={offer.groups}
        playing={scene.scenario}
        onPlay={(scenario) => act('begin', { scenario })}
      />
      <main>
        <Verdict scene={scene} isBusy={isBusy} />
        <div class="halves">
          {(['today', 'forthright'] as const).map((side) => (
            <section key={side} class={`half ${side}`} aria-label={titles[side]}>
              <h2>{titles[side]}</h2>
              <Conversation
                half={scene.halves[side]}
                onDecide={(verdict) => act('turn', { turn: 'decide', verdict })}
              />
              <TruthPanel
                truth={scene.halves[side].truth}
                meantCents={scene.meantCents}
                said={saidIn(scene.halves[side])}
              />
              {side === 'forthright' && <LedgerTable entries={scene.entries} />}
            </section>
          ))}
        </div>
        <Composer scene={scene} model={offer.model} act={act} />
      </main>
    </div>
  );
}

/** What the scenario came to, in one sentence. */
function Verdict({ scene, isBusy }: { readonly scene: Scene; readonly isBusy: boolean }) {
  const { broken, meantCents, halves } = scene;
  const today = halves.today.truth?.refundedCents ?? 0;
  const isOver = broken !== null && meantCents !== null && !isBusy;
  return (
    <p class="verdict" role="status" data-over={isOver}>
      {isOver && (
        <>
          <strong>{money(meantCents)}</strong> was meant. Today’s agent refunded{' '}
          <strong class={today === meantCents ? 'good' : 'bad'}>{money(today)}</strong>, the one
          with forthright{' '}
          <strong class={broken.length === 0 ? 'good' : 'bad'}>
            {money(halves.forthright.truth?.refundedCents ?? 0)}
          </strong>
          .{broken.length > 0 && ` Not as promised: ${broken.join('; ')}.`}
        </>
      )}
    </p>
  );
}

/** Acts in the room; what goes wrong is shown. */
export type Act = (what: 'begin' | 'say' | 'turn', body: object) => void;

const noOffer: Offer = { groups: [], model: null };

function useRoom() {
  const [scene, setScene] = useState(emptyScene);
  const [offer, setOffer] = useState(noOffer);
  const [isUp, setIsUp] = useState(true);
  const [trouble, setTrouble] = useState<string | null>(null);
  const entering = useRef<Promise<RoomPort> | null>(null);
  const complain = (error: unknown): void =>
    setTrouble(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    const pace = paced((event) => setScene((before) => advance(before, event)));
    offered().then(setOffer, complain);
    const entered = enterRoom(pace, setIsUp);
    entering.current = entered;
    entered.catch(complain);
    return () => void entered.then((port) => port.close());
  }, []);
  const act: Act = (what, body) => {
    setTrouble(null);
    entering.current?.then((port) => port.post(what, body)).catch(complain);
  };
  return { scene, offer, isUp, trouble: trouble ?? scene.trouble, act };
}
