import type { Entry } from '../../ledger/entry.ts';
import type { CompleteRequest, SettleRequest } from '../../ledger/ledger.ts';
import type { Settlement } from '../../runtime/settlements.ts';
import type { LedgerSeen } from './ledger-port.ts';
import { times } from './numbers.ts';
import type { Effect, Request } from './remote.ts';
import { wrongOperator } from './step.ts';
import type { World } from './world.ts';

/** What is held after every step, and at the end of a story. */
export type PromiseName =
  | 'one_effect'
  | 'failed_is_true'
  | 'ok_has_proof'
  | 'first_answer'
  | 'skipped_is_true'
  | 'lanes'
  | 'proof_kept'
  | 'told_in_time'
  | 'settled_in_the_end'
  | 'settlement_told';

/** A promise that did not hold, and how. */
export interface Violation {
  readonly promise: PromiseName;
  readonly what: string;
}

/** What the model, or the host, heard of a write; `not done`: a settlement, not a call's own word. */
export interface Hearing {
  readonly of: 'ok' | 'failed' | 'not done' | 'unknown';
  readonly atMs: number;
}

/** When a generation of an entry was first told to have happened. */
interface Telling {
  readonly generation: number;
  readonly atMs: number;
}

/**
 * Holds what happens in a simulated world against what is promised. It knows the truth (what the remote
 * did, what was asked for, what was told) and of the ledger only which steps were granted.
 */
export class Promises {
  violation: Violation | undefined;
  readonly #world: World;
  /** The generation of each key that is proven to have happened. */
  readonly #proven = new Map<string, number>();
  /** The token up to which each key was found not to have happened. */
  readonly #denied = new Map<string, number>();
  readonly #tellings = new Map<string, Telling[]>();
  /** Keys about which an operator was wrong: their effects are nobody's promise any more. */
  readonly #misjudged = new Set<string>();
  /** When the latest attempt at each key was granted. */
  readonly #claimedMs = new Map<string, number>();
  /** Keys of which a settlement was not heard yet when the next attempt was claimed. */
  readonly #overtaken = new Set<string>();
  readonly #hearings = new Map<string, Hearing[]>();

  constructor(world: World) {
    this.#world = world;
  }

  isMisjudged(key: string): boolean {
    return this.#misjudged.has(key);
  }

  /** Whether the next attempt at a key began before anybody had heard what the last one came to. */
  isOvertaken(key: string): boolean {
    return this.#overtaken.has(key);
  }

  /** What was heard of a key, in order. */
  hearingsOf(key: string): readonly Hearing[] {
    return this.#hearings.get(key) ?? [];
  }

  provenGeneration(key: string): number | undefined {
    return this.#proven.get(key);
  }

  broken(promise: PromiseName, what: string): void {
    if (this.violation === undefined) this.#world.tell(() => `BROKEN: ${promise}: ${what}`);
    this.violation ??= { promise, what };
  }

  /** A request leaves. */
  sent(request: Request): void {
    const { act, n, grant } = request;
    // A remote that honours keys does nothing for a key under which it is proven to have acted.
    request.isProven = act.kind.keyed === true && this.#proven.get(act.key) === grant.generation;
    if (act.call?.told?.outcome === 'failed') {
      this.broken(
        'failed_is_true',
        `call ${act.call.plan.n} was told failed; now it sends request ${n}`,
      );
    }
    const denied = this.#denied.get(act.key) ?? 0;
    if (request.grant.token <= denied && !this.isMisjudged(act.key)) {
      this.broken(
        'failed_is_true',
        `${act.words()} was found not to have happened; now it is sent`,
      );
    }
    if (request.isProven) return;
    const other = this.#world.remote.requests.find((one) => this.#isInTheWay(one, request));
    if (other !== undefined && !this.isMisjudged(other.act.key)) {
      this.broken('lanes', `request ${n} leaves while request ${other.n} in its lane is unproven`);
    }
  }

  /** The remote does something. */
  done(effect: Effect): void {
    const { request } = effect;
    const { act, grant } = request;
    if (this.isMisjudged(act.key)) return;
    const later = this.#world.remote.effects.find((one) => isOvertaken(request, one.request));
    if (later !== undefined && !this.isMisjudged(later.request.act.key)) {
      this.broken('lanes', `request ${request.n} takes effect after request ${later.request.n}`);
    }
    if (act.kind.idempotent === true) return;
    const { effects } = this.#world.remote;
    const { occurrence = 1, tool = '', order, amount, scope } = act.call?.plan ?? {};
    const first = effects.some(({ request: { act: other } }) => {
      const plan = other.call?.plan;
      return (
        plan?.tool === tool &&
        plan.order === order &&
        plan.amount === amount &&
        plan.scope === scope &&
        plan.occurrence < occurrence
      );
    });
    if (occurrence > 1 && !first) {
      this.broken('one_effect', `${act.words()} happens again before it has happened once`);
    }
    const before = effects.findLast((one) => one.request.act.intent === act.intent);
    if (before === undefined) return;
    const told = this.#tellings
      .get(act.key)
      ?.find(({ generation }) => generation === before.request.grant.generation);
    const isNew = grant.generation > before.request.grant.generation;
    const isOver = told !== undefined && grant.claimedMs >= told.atMs + times.replayMs;
    if (isNew && isOver && before.request.act.key === act.key) return;
    this.broken('one_effect', `${act.words()} happens a second time, by request ${request.n}`);
  }

  /** The host is told of a settlement, or the model by check_write. */
  heard({
    key,
    result,
  }: Pick<Settlement, 'key'> & { readonly result: { readonly outcome: string } }): void {
    this.hears(key, result.outcome === 'failed' ? 'not done' : result.outcome);
    if (this.isMisjudged(key)) return;
    const wish = this.#world.remote.requests.filter(({ act }) => act.key === key);
    if (result.outcome === 'ok' && !wish.some(({ state }) => state === 'done')) {
      this.broken(
        'ok_has_proof',
        `${this.#world.nameOfKey(key)} is told to be done, and it is not`,
      );
    }
  }

  /** The ledger took a step. */
  ledger({ process, step, args, answer }: LedgerSeen, before: Entry | undefined): void {
    const given = answer as { readonly kind?: string; readonly entry?: Entry | null } | undefined;
    const entry = given?.entry ?? undefined;
    if (entry !== undefined) this.#keptProof(entry);
    switch (step) {
      case 'claim':
        if (given?.kind === 'claimed' && entry !== undefined) {
          if (before?.announce === true) this.#overtaken.add(entry.key);
          const { token, generation } = entry;
          process.granted(entry.key, { token, generation, claimedMs: this.#world.nowMs });
          this.#claimedMs.set(entry.key, this.#world.nowMs);
        }
        if (given?.kind === 'already_done' && entry !== undefined) this.#tells(entry);
        return;
      case 'mark':
      case 'askAgain':
        if (given?.kind === 'done' && entry !== undefined) this.#marked(process, entry);
        return;
      case 'complete':
        this.#completed(args[0] as CompleteRequest, given?.kind ?? '', entry);
        return;
      case 'settle':
        if (given?.kind === 'settled' && entry !== undefined) {
          this.#settled(args[0] as SettleRequest, entry);
        }
        return;
      case 'tell': {
        const known = this.#world.entries.get(args[0] as string);
        if (known?.state === 'ok') this.#tells(known);
      }
    }
  }

  #marked(process: LedgerSeen['process'], entry: Entry): void {
    const { key, token, generation } = entry;
    const claimedMs = this.#claimedMs.get(key) ?? this.#world.nowMs;
    process.granted(key, { token, generation, claimedMs });
    if (this.#proven.get(key) === generation) {
      this.broken('proof_kept', `${this.#world.nameOfKey(key)} is marked again after proof`);
    }
  }

  #completed(request: CompleteRequest, kind: string, entry: Entry | undefined): void {
    const { key, token, evidence, generation, told } = request;
    const isProof = evidence === 'answered' && entry?.generation === generation;
    if (kind === 'refused' && isProof) {
      this.broken('proof_kept', `proof of ${this.#world.nameOfKey(key)} is refused`);
    }
    if (kind !== 'done' && kind !== 'doubled') return;
    if (evidence === 'rejected') {
      this.#proves(key, (one) => one.grant.token === token);
      return;
    }
    this.#proven.set(key, generation);
    this.#proves(key, (one) => provesToo(one, token));
    if (told && entry !== undefined) this.#tells({ ...entry, generation });
    if (entry !== undefined) this.#keptProof(entry);
  }

  #settled({ key, verdict, by }: SettleRequest, entry: Entry): void {
    this.#proves(key, (one) => verdict === 'did_not_happen' || provesToo(one, null));
    if (verdict === 'happened') {
      this.#proven.set(key, entry.generation);
      const isTrue = this.#world.remote.effects.some(
        ({ request }) => request.act.key === key && request.grant.generation === entry.generation,
      );
      if (!isTrue) this.broken('ok_has_proof', `${this.#world.nameOfKey(key)} is settled as done`);
      return;
    }
    if (this.isMisjudged(key)) return;
    this.#denied.set(key, entry.token);
    const open = this.#world.remote.requests.find(
      ({ act, grant, state }) =>
        act.key === key && grant.generation === entry.generation && state !== 'over',
    );
    if (open === undefined) return;
    if (by === wrongOperator) {
      this.#misjudged.add(key);
      return;
    }
    const how = open.state === 'done' ? 'took effect' : 'may take effect';
    this.broken(
      'failed_is_true',
      `${this.#world.nameOfKey(key)} is settled as not done; request ${open.n} ${how}`,
    );
  }

  /** Proof that it happened wins over every state, and stays. */
  #keptProof({ key, generation, state }: Entry): void {
    if (this.#proven.get(key) !== generation || state === 'ok') return;
    this.broken(
      'proof_kept',
      `${this.#world.nameOfKey(key)} was proven, and its entry is ${state}`,
    );
  }

  /** Whether a request of another write in the same lane is unproven. */
  #isInTheWay(other: Request, { act }: Request): boolean {
    if (other.act.lane !== act.lane || other.act.key === act.key) return false;
    if (other.act.kind.keepLane === false || other.isProven) return false;
    // Of a write that is proven, only what can still take effect is in the way.
    return (this.#proven.get(other.act.key) ?? 0) < other.grant.generation || mayStillAct(other);
  }

  #proves(key: string, isMeant: (request: Request) => boolean): void {
    for (const request of this.#world.remote.requests) {
      if (request.act.key === key && isMeant(request)) request.isProven = true;
    }
  }

  #tells({ key, generation }: Pick<Entry, 'key' | 'generation'>): void {
    const tellings = this.#tellings.get(key) ?? [];
    if (tellings.some((one) => one.generation === generation)) return;
    this.#tellings.set(key, [...tellings, { generation, atMs: this.#world.nowMs }]);
  }

  /** Somebody is told of a key. */
  hears(key: string, outcome: string): void {
    const of = outcome === 'already_done' ? 'ok' : outcome;
    if (of !== 'ok' && of !== 'failed' && of !== 'not done' && of !== 'unknown') return;
    this.#hearings.set(key, [...this.hearingsOf(key), { of, atMs: this.#world.nowMs }]);
  }
}

/** Whether proof by one attempt says all there is to say of a request. */
function provesToo({ act, grant }: Request, token: number | null): boolean {
  return act.kind.idempotent !== true || grant.token === token;
}

function mayStillAct({ state }: Request): boolean {
  return state === 'on its way' || state === 'accepted';
}

/** Whether a later request of the same lane took effect first. */
function isOvertaken(request: Request, later: Request): boolean {
  if (later.act.lane !== request.act.lane || later.n < request.n) return false;
  return later.act.kind.keepLane !== false && request.act.kind.keepLane !== false;
}
