import { join } from 'node:path';
import type { Model } from 'forthright/agent';
import { type BillingServer, startBilling, type Trouble } from '../billing-server.ts';
import { ForthrightStage } from '../forthright-stage.ts';
import { NaiveStage } from '../naive-stage.ts';
import { bound, broken, playedOn } from '../play.ts';
import type { Scenario } from '../scenario.ts';
import type { Line, Stage } from '../stage.ts';
import type { RoomEvent, Side, Truth } from './room-event.ts';

/** What befalls the next write: a trouble of billing's, or the death of the process that sends it. */
export type Fate = Trouble | 'worker_dies_before' | 'worker_dies_after';

/** What a visitor can do to both billing servers and to time. */
export type Turning =
  | { readonly turn: 'latency'; readonly ms: number }
  | { readonly turn: 'searchable'; readonly on: boolean }
  | { readonly turn: 'release' | 'restart' | 'ask' }
  | { readonly turn: 'pass'; readonly ms: number }
  | { readonly turn: 'decide'; readonly verdict: 'granted' | 'denied' };

type Listener = (event: RoomEvent) => void;

interface Desk {
  readonly side: Side;
  readonly stage: Stage;
  /** What is under way on it; one thing at a time, in order. */
  work: Promise<void>;
  truth: string;
}

const sides: readonly Side[] = ['today', 'forthright'];
const watchEveryMs = 150;
/** So many events are kept for a page that comes back. */
const mostEvents = 5_000;

/** The same conversation on both desks, each with a billing server of its own that is troubled alike. */
export class Room {
  readonly #ledgerFolder: string;
  readonly #listeners = new Set<Listener>();
  readonly #watch: NodeJS.Timeout;
  #events: RoomEvent[] = [];
  #desks: readonly Desk[] = [];
  #forthright: ForthrightStage | undefined;
  #ledgerShown = '';
  #scenes = 0;
  #opening: Promise<void> = Promise.resolve();

  /** The ledger files go into a folder that is there. */
  constructor(ledgerFolder: string) {
    this.#ledgerFolder = ledgerFolder;
    this.#watch = setInterval(() => void this.#look(), watchEveryMs);
    this.#watch.unref();
  }

  /** Hands over what has happened so far, and then each event as it happens. */
  on(listener: Listener): () => void {
    for (const event of this.#events) listener(event);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins anew, with nothing said and nothing done; plays a scenario if one is given. */
  begin(scenario?: Scenario): Promise<void> {
    this.#opening = this.#opening.then(() => this.#open(scenario));
    return this.#opening;
  }

  /** The customer says the same on both desks, while that befalls the write it leads to. */
  async say(text: string, fate: Fate | undefined, model?: Model): Promise<void> {
    await this.#opening;
    for (const desk of this.#desks) {
      void this.#work(desk, () => sayUnder(fate, desk.stage, text, model));
    }
  }

  async turn(turning: Turning): Promise<void> {
    await this.#opening;
    for (const desk of this.#desks) this.#turnOne(desk, turning);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.#opening;
    await this.#closeDesks();
  }

  async #open(scenario: Scenario | undefined): Promise<void> {
    await this.#closeDesks();
    this.#events = [];
    this.#ledgerShown = '';
    const meantCents = scenario?.refunds.reduce((sum, cents) => sum + cents, 0) ?? null;
    this.#tell({ type: 'began', scenario: scenario?.name ?? null, meantCents });
    const [today, forthright] = await Promise.all(sides.map(() => startBilling(scenario?.billing)));
    this.#desks = [
      this.#desk('today', new NaiveStage(today as BillingServer, this.#liner('today'))),
      this.#desk('forthright', this.#openForthright(forthright as BillingServer)),
    ];
    if (scenario !== undefined) this.#play(scenario);
    await this.#look();
  }

  #openForthright(billing: BillingServer): ForthrightStage {
    this.#scenes += 1;
    const ledgerPath = join(this.#ledgerFolder, `${this.#scenes}.db`);
    this.#forthright = new ForthrightStage(
      billing,
      ledgerPath,
      this.#liner('forthright'),
      (plan, turn) => this.#tell({ type: 'plan', turn, plan }),
    );
    return this.#forthright;
  }

  #desk(side: Side, stage: Stage): Desk {
    return { side, stage, work: Promise.resolve(), truth: '' };
  }

  #liner(side: Side): (line: Line) => void {
    return (line) => this.#tell({ type: 'line', side, line });
  }

  #play(scenario: Scenario): void {
    const stage = this.#forthright;
    const playing = this.#desks.map((desk) =>
      this.#work(desk, () => scenario.play(bound(desk.stage))),
    );
    void Promise.all(playing).then(async () => {
      if (stage === undefined || stage !== this.#forthright) return;
      await this.#look();
      this.#tell({ type: 'ended', broken: broken(scenario, await playedOn(stage)) });
    });
  }

  /** One thing after the other on a desk; what fails is shown, and the desk goes on. */
  #work(desk: Desk, work: () => Promise<void>): Promise<void> {
    desk.work = desk.work.then(async () => {
      this.#tell({ type: 'busy', side: desk.side, busy: true });
      try {
        await work();
      } catch (error) {
        // A desk that was closed meanwhile says nothing any more.
        if (this.#desks.includes(desk)) this.#tell({ type: 'failed', message: String(error) });
      }
      if (this.#desks.includes(desk)) this.#tell({ type: 'busy', side: desk.side, busy: false });
    });
    return desk.work;
  }

  #turnOne(desk: Desk, turning: Turning): void {
    const { billing } = desk.stage;
    switch (turning.turn) {
      case 'latency':
        billing.latencyMs = turning.ms;
        break;
      case 'searchable':
        billing.searchable = turning.on;
        break;
      case 'release':
        billing.release();
        break;
      case 'restart':
        this.#aside(desk, () => billing.restart());
        break;
      case 'ask':
        this.#aside(desk, () => desk.stage.askOnce());
        break;
      case 'pass':
        this.#aside(desk, () => desk.stage.jump(turning.ms));
        break;
      case 'decide':
        void this.#work(desk, () => desk.stage.decide(turning.verdict));
    }
  }

  /** Beside what is under way: a held request may wait for just this. */
  #aside(desk: Desk, work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (this.#desks.includes(desk)) this.#tell({ type: 'failed', message: String(error) });
    });
  }

  /** Tells what has changed at billing and in the ledger. */
  async #look(): Promise<void> {
    for (const desk of this.#desks) {
      const truth = truthAt(desk.stage.billing);
      const text = JSON.stringify(truth);
      if (text === desk.truth) continue;
      desk.truth = text;
      this.#tell({ type: 'truth', side: desk.side, truth });
    }
    const stage = this.#forthright;
    const found = await stage?.entries().catch(() => undefined);
    if (found === undefined || stage !== this.#forthright) return;
    const entries = found.map(({ key, tool, input, state, generation, verdict }) => {
      return { key, tool, input, state, generation, settledBy: verdict?.by ?? null };
    });
    const text = JSON.stringify(entries);
    if (text === this.#ledgerShown) return;
    this.#ledgerShown = text;
    this.#tell({ type: 'ledger', entries });
  }

  #tell(event: RoomEvent): void {
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#events.splice(1, this.#events.length - mostEvents);
    for (const listener of this.#listeners) listener(event);
  }

  async #closeDesks(): Promise<void> {
    const desks = this.#desks;
    const stage = this.#forthright;
    this.#desks = [];
    this.#forthright = undefined;
    for (const { stage } of desks) stage.billing.release();
    await stage?.close();
    await Promise.all(desks.map(({ stage }) => stage.billing.close()));
  }
}

/** Says it, and lets befall what is to. */
async function sayUnder(
  fate: Fate | undefined,
  stage: Stage,
  text: string,
  model: Model | undefined,
): Promise<void> {
  const { billing } = stage;
  if (fate === 'worker_dies_before' || fate === 'worker_dies_after') {
    billing.next(fate === 'worker_dies_before' ? 'hang_before_commit' : 'hang_after_commit');
    const other = stage.elsewhere(text);
    const held = await Promise.race([other.until(billing.held()).then(() => true), pause(20_000)]);
    stage.note(held === true ? 'The worker is killed.' : 'The worker sent nothing; it is killed.');
    await other.kill();
    if (fate === 'worker_dies_after') billing.release();
    stage.note('A new worker is started and given the same job.');
    return stage.say(text, model === undefined ? {} : { model });
  }
  if (fate !== undefined) billing.next(fate);
  return stage.say(text, model === undefined ? {} : { model });
}

function truthAt(billing: BillingServer): Truth {
  const { refunds, addresses } = billing.book;
  return {
    refunds: refunds.map(({ confirmation, orderId, amountCents }) => ({
      confirmation,
      orderId,
      amountCents,
    })),
    refundedCents: billing.book.refundedCents(),
    addresses: addresses.map(({ address }) => address),
    isUp: billing.isUp,
    held: billing.holding,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
