import {
  accepted,
  answered,
  didNotHappen,
  type Evidence,
  type Finding,
  happened,
  noEvidence,
  notKnownYet,
  notSent,
  rejected,
} from '../../call/evidence.ts';
import type { Act, Grant } from './acts.ts';
import { times } from './numbers.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** One physical request to the model remote. */
export interface Request {
  readonly n: number;
  readonly act: Act;
  readonly process: Process;
  /** By what right it was sent. */
  readonly grant: Grant;
  /** The idempotency key that it carries. */
  readonly wire: string;
  readonly sentAtMs: number;
  /** From then on it cannot take effect any more. */
  readonly deadlineMs: number;
  /** `accepted`: the remote will do it in its own time. `over`: it never takes effect. */
  state: 'on its way' | 'accepted' | 'done' | 'over';
  /** Whether the ledger has learned what became of it. */
  isProven: boolean;
  /** Whether its sender still waits for its answer. */
  isAwaited: boolean;
  /** Whether its sender has been given the proof that it happened. */
  wasAnswered: boolean;
}

/** Something that the remote did. */
export interface Effect {
  readonly confirmation: string;
  readonly request: Request;
  readonly atMs: number;
  /** Whether a call was told that it did just this. */
  wasToldOk: boolean;
}

interface Known {
  readonly sinceMs: number;
  readonly answer: Evidence;
}

/** A remote system that tells the truth about what it did, over a network that may do anything. */
export class Remote {
  readonly requests: Request[] = [];
  readonly effects: Effect[] = [];
  readonly #world: World;
  /** The first answers by key, as far as keys are honoured. */
  readonly #known = new Map<string, Known>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Sends one physical request now; resolves to what its sender learns of it. */
  send(act: Act, process: Process, wire: string, signal: AbortSignal): Promise<Evidence> {
    const world = this.#world;
    const request: Request = {
      n: this.requests.length + 1,
      act,
      process,
      grant: process.grantFor(act.key, world.nowMs),
      wire,
      sentAtMs: world.nowMs,
      deadlineMs: world.nowMs + times.requestMaxMs + times.marginMs,
      state: 'on its way',
      isProven: false,
      isAwaited: true,
      wasAnswered: false,
    };
    this.requests.push(request);
    act.requests.push(request);
    world.tell(() => `${process.name} sends request ${request.n}: ${act.words()}`);
    world.promises.sent(request);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        world.tell(() => `${process.name} waits no longer for the answer to request ${request.n}`);
        request.isAwaited = false;
        resolve(noEvidence('it took too long'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      world.agenda.add({
        words: () => `request ${request.n}`,
        where: 'remote',
        owner: undefined,
        isQuiet: true,
        ends: [
          'is done',
          'is refused',
          'is refused by a gateway',
          'is lost',
          'is accepted',
          'never leaves',
        ],
        happen: (end) => this.#receive(request, end, resolve),
      });
    });
  }

  /** Asks what became of the writes under a key; the answer tells of the moment when it was asked. */
  ask(process: Process, wire: string): Promise<Finding> {
    return new Promise((resolve, reject) => {
      this.#world.agenda.add({
        words: () => `${process.name}'s question about ${this.#world.nameOfWire(wire)}`,
        where: 'remote',
        owner: undefined,
        ends: [
          'is answered',
          'is answered by not known yet',
          'fails',
          'is lost',
          'is answered by nonsense',
        ],
        happen: (end) => {
          if (end === 'is lost') return;
          const finding = this.look(wire);
          this.#answer(
            process,
            () => `the answer to ${process.name}'s question`,
            () => {
              if (end === 'fails') reject(new Error('503'));
              else if (end === 'is answered by nonsense') resolve('no' as never);
              else resolve(end === 'is answered' ? finding : notKnownYet());
            },
          );
        },
      });
    });
  }

  /** The truth, as of now. */
  look(wire: string): Finding {
    const effect = this.effects.findLast(({ request }) => request.wire === wire);
    if (effect !== undefined) return happened({ confirmation: effect.confirmation });
    const isTaken = this.requests.some((one) => one.wire === wire && one.state === 'accepted');
    return isTaken ? notKnownYet() : didNotHappen();
  }

  /** Requests whose time is over never take effect. */
  expire(): void {
    for (const request of this.requests) {
      if (request.state === 'on its way' && this.#world.nowMs >= request.deadlineMs) {
        request.state = 'over';
      }
    }
  }

  #receive(request: Request, end: string, resolve: (evidence: Evidence) => void): void {
    const isLost = end === 'is lost' || request.state !== 'on its way';
    if (isLost || (end === 'is accepted' && request.act.kind.idempotent === true)) {
      request.state = 'over';
      return;
    }
    const words = (): string => `the answer to request ${request.n}`;
    const evidence = this.#decide(request, end);
    this.#answer(request.process, words, (way) => {
      const isBroken = way === 'breaks off' && evidence.evidence !== 'not_sent';
      request.wasAnswered = request.isAwaited && !isBroken && evidence.evidence === 'answered';
      resolve(isBroken ? noEvidence('answered 503') : evidence);
    });
  }

  #decide(request: Request, end: string): Evidence {
    switch (end) {
      case 'never leaves':
        request.state = 'over';
        request.isProven = true;
        return notSent('no connection');
      case 'is refused by a gateway':
        request.state = 'over';
        return rejected('answered 401');
      default:
        return this.#act(request, end);
    }
  }

  /** A remote that honours keys gives its first answer again. */
  #act(request: Request, end: string): Evidence {
    const { keyed } = request.act.kind;
    const known = this.#known.get(request.wire);
    const isKnown = known !== undefined && this.#world.nowMs < known.sinceMs + times.remoteKeyMs;
    if (keyed === true && isKnown) {
      request.state = 'over';
      return known.answer;
    }
    const answer = this.#carryOut(request, end);
    this.#known.set(request.wire, { sinceMs: this.#world.nowMs, answer });
    return answer;
  }

  #carryOut(request: Request, end: string): Evidence {
    if (end === 'is accepted') return this.#accept(request);
    request.state = end === 'is refused' ? 'over' : 'done';
    return end === 'is refused' ? rejected('answered 404') : this.#commit(request);
  }

  #accept(request: Request): Evidence {
    request.state = 'accepted';
    const sinceMs = this.#world.nowMs;
    this.#world.agenda.add({
      words: () => `the job of request ${request.n}`,
      where: 'remote',
      owner: undefined,
      ends: ['is done'],
      happen: () => {
        request.state = 'done';
        this.#known.set(request.wire, { sinceMs, answer: this.#commit(request) });
      },
    });
    return accepted('answered 202');
  }

  #commit(request: Request): Evidence {
    const confirmation = `r-${this.effects.length + 1}`;
    const effect = { confirmation, request, atMs: this.#world.nowMs, wasToldOk: false };
    this.#world.tell(() => `the remote does request ${request.n}: effect ${confirmation}`);
    this.#world.promises.done(effect);
    this.effects.push(effect);
    return answered({ confirmation });
  }

  #answer(process: Process, words: () => string, happen: (end: string) => void): void {
    if (process.isDead) return;
    this.#world.agenda.add({
      words,
      where: 'remote',
      owner: process,
      ends: ['arrives', 'breaks off', 'is lost'],
      happen: (end) => {
        if (end !== 'is lost') happen(end);
      },
    });
  }
}
