import { describe, expect, test } from 'vitest';
import { claimOf, markOf, unsent } from '../testing/ledger-cases/stage.ts';
import type { Entry, LaneHolder } from './entry.ts';
import type { ClaimRequest } from './ledger.ts';
import type { LedgerView, Transition } from './transitions.ts';
import * as transitions from './transitions.ts';

/*
 * All interleavings of a few attempts with a remote system, a clock that may run out at any moment, a
 * reconciler and crashes, over the transitions themselves. Time is abstract: it is always 0; a lease,
 * or a patience, ends at 1, and a move of the clock ends it at 0.
 */

/** One attempt, as its process sees it, and what became of its request. */
interface Attempt {
  readonly key: number;
  /** Claims, or asks again about what another one sent. */
  readonly kind: 'claim' | 'ask again';
  readonly phase: 'idle' | 'claimed' | 'marked' | 'sent' | 'gave up' | 'over';
  readonly token: number;
  readonly generation: number;
  /** Whether a physical send may still start: it is before `sendBy`. */
  readonly maySend: boolean;
  readonly request: 'none' | 'flying' | 'did' | 'refused';
  readonly toldFailed: boolean;
}

interface World {
  readonly entries: readonly (Entry | null)[];
  readonly holder: LaneHolder | null;
  readonly attempts: readonly Attempt[];
  /** How often the remote system did each key's write. */
  readonly effects: readonly number[];
  /** The generation in which proof of a key's write came in; 0: none yet. */
  readonly proven: readonly number[];
  /** What went wrong on the way here, though no state shows it. */
  readonly wrong: string;
}

interface Plan {
  readonly attempts: readonly Pick<Attempt, 'key' | 'kind'>[];
  /** The remote system does a generation's write once, and answers alike when it is asked again. */
  readonly isKeyed: boolean;
  readonly mayRerun: boolean;
  readonly keepsLane: boolean;
  readonly wrongVerdicts: boolean;
}

const lane = 'order:7';
const requests = ['first', 'second'].map((name) => claimOf(name, { lane, leaseMs: 1 }));
const requestOf = (key: number) => requests[key] as ClaimRequest;
const keyOfEntry = (key: number) => requestOf(key).key;

function viewOf(world: World, key: number): LedgerView {
  const entry = world.entries[key] ?? undefined;
  const holder = world.holder ?? undefined;
  const holderKey = requests.findIndex((its) => its.key === holder?.key);
  return { entry, holder, holderEntry: world.entries[holderKey] ?? undefined };
}

/** The world after a transition; what only counts, and decides nothing, is left at zero. */
function after<A>(world: World, key: number, transition: Transition<A>): World {
  const { entry } = transition;
  const entries = world.entries.map((its, at) =>
    at === key && entry !== undefined
      ? { ...entry, version: 0, asks: 0, askAtMs: null, verdict: null, result: null }
      : its,
  );
  const holder = transition.lane === undefined ? world.holder : transition.lane.holder;
  return { ...world, entries, holder };
}

function withAttempt(world: World, at: number, changes: Partial<Attempt>): World {
  const attempts = world.attempts.map((its, i) => (i === at ? { ...its, ...changes } : its));
  return { ...world, attempts };
}

const over = { phase: 'over', maySend: false } as const;

/** A world's name: what matters of it. */
function nameOf(world: World): string {
  const entries = world.entries.map((its) =>
    its === null
      ? '-'
      : `${its.state} ${its.generation} ${its.token} ${its.leaseUntilMs} ${its.patientUntilMs} ` +
        `${its.firstSentAtMs} ${its.unproven} ${its.marked} ${its.restsOn} ${its.provenToken} ` +
        `${its.failedBy} ${its.toldAtMs} ${its.announce}`,
  );
  const attempts = world.attempts.map((its) => {
    const { phase, token, generation, maySend, request, toldFailed } = its;
    const isForgotten = phase === 'over' && (request === 'none' || request === 'refused');
    const ref = isForgotten ? '' : `${token} ${generation} ${request}`;
    return `${phase} ${maySend} ${toldFailed} ${ref}`;
  });
  const holder =
    world.holder === null ? '' : `${world.holder.key.slice(0, 4)} ${world.holder.token}`;
  return [...entries, ...attempts, holder, world.effects, world.proven].join(', ');
}

/** What an attempt tells when it is over: `failed` where the ledger says so. */
function ended(world: World, at: number, entry: Entry | null): World {
  return withAttempt(world, at, { ...over, toldFailed: entry?.state === 'failed' });
}

function claim(world: World, at: number, { key }: Attempt, plan: Plan): World {
  const { mayRerun, keepsLane } = plan;
  const request = { ...requestOf(key), attemptId: `attempt ${at}`, mayRerun, keepsLane };
  const transition = transitions.claim(request, viewOf(world, key), 0);
  const { answer } = transition;
  const next = after(world, key, transition);
  if (answer.kind !== 'claimed') {
    const isWrong = answer.kind === 'already_done' && world.effects[key] === 0;
    return withAttempt({ ...next, wrong: isWrong ? 'already done, and never was' : '' }, at, over);
  }
  const { token, generation } = answer.entry;
  return withAttempt(next, at, { phase: 'claimed', token, generation });
}

function mark(world: World, at: number, attempt: Attempt): World {
  const { key, token } = attempt;
  const request = markOf({ key: keyOfEntry(key), token }, { leaseMs: 1, patienceMs: 1 });
  const transition = transitions.mark(request, viewOf(world, key), 0);
  const next = after(world, key, transition);
  if (transition.answer.kind === 'refused') return ended(next, at, transition.answer.entry);
  const isWrong = world.proven[key] === attempt.generation;
  const marked = withAttempt(next, at, { phase: 'marked', maySend: true });
  return isWrong ? { ...marked, wrong: 'marked after it was proven' } : marked;
}

function askAgain(world: World, at: number, { key }: Attempt): readonly World[] {
  const entry = world.entries[key];
  if (entry === null || entry === undefined) return [];
  const request = markOf(entry, { leaseMs: 1, patienceMs: 1 });
  const asking = { ...request, attemptId: `attempt ${at}`, remoteKeyMs: 1 };
  const transition = transitions.askAgain(asking, viewOf(world, key), 0);
  if (transition.answer.kind !== 'done') return [];
  const { token, generation } = transition.answer.entry;
  const its = { phase: 'marked', maySend: true, token, generation } as const;
  return [withAttempt(after(world, key, transition), at, its)];
}

function end(world: World, at: number, attempt: Attempt, how: 'fail' | 'withdraw'): World {
  const { key, token } = attempt;
  const request = unsent({ key: keyOfEntry(key), token });
  const ending = how === 'fail' ? transitions.fail : transitions.withdraw;
  const transition = ending(request, viewOf(world, key), 0);
  return ended(after(world, key, transition), at, transition.answer.entry);
}

function giveUp(world: World, at: number, { key, token }: Attempt): World {
  const request = { key: keyOfEntry(key), token };
  const transition = transitions.giveUp(request, viewOf(world, key), 0);
  return withAttempt(after(world, key, transition), at, { phase: 'gave up' });
}

/** The remote system does it, or refuses: a gateway may, before it is asked at all. */
function decide(world: World, at: number, attempt: Attempt, plan: Plan): readonly World[] {
  const { key, generation } = attempt;
  const isReplayed =
    plan.isKeyed &&
    world.attempts.some(
      (its) => its.key === key && its.generation === generation && its.request === 'did',
    );
  const effects = world.effects.map((n, i) => (i === key && !isReplayed ? n + 1 : n));
  return [
    withAttempt({ ...world, effects }, at, { request: 'did' }),
    withAttempt(world, at, { request: 'refused' }),
  ];
}

function complete(world: World, at: number, attempt: Attempt): World {
  const { key, token, generation, request } = attempt;
  const evidence = request === 'did' ? 'answered' : 'rejected';
  const told = attempt.phase === 'sent';
  const proof = { key: keyOfEntry(key), token, generation, evidence, result: '', told } as const;
  const transition = transitions.complete(proof, viewOf(world, key), 0);
  const next = after(world, key, transition);
  const isProof = evidence === 'answered' && transition.answer.kind === 'done';
  const heard = isProof ? proves(next, key, generation) : next;
  // An answer is told as what it is, whatever has become of the entry meanwhile.
  return ended(heard, at, told && evidence === 'rejected' ? transition.answer.entry : null);
}

function proves(world: World, key: number, generation: number): World {
  return { ...world, proven: world.proven.map((its, i) => (i === key ? generation : its)) };
}

/** Of attempts that are alike and have not begun, the first begins. */
function isAlike(a: Attempt, b: Attempt): boolean {
  return a.phase === 'idle' && a.key === b.key && a.kind === b.kind;
}

function movesOf(world: World, at: number, attempt: Attempt, plan: Plan): readonly World[] {
  const moves: World[] = [];
  const add = (...worlds: readonly World[]) => void moves.push(...worlds);
  if (attempt.request === 'flying') add(...decide(world, at, attempt, plan));
  switch (attempt.phase) {
    case 'idle':
      if (world.attempts.slice(0, at).some((its) => isAlike(its, attempt))) return moves;
      if (attempt.kind === 'claim') add(claim(world, at, attempt, plan));
      else add(...askAgain(world, at, attempt));
      return moves;
    case 'claimed':
      add(end(world, at, attempt, 'fail'), mark(world, at, attempt));
      break;
    case 'marked':
      add(end(world, at, attempt, 'withdraw'));
      if (attempt.maySend) {
        const sent = withAttempt(world, at, { phase: 'sent', maySend: false, request: 'flying' });
        const isWrong = plan.keepsLane && !plan.wrongVerdicts && isCrossed(world, at, plan);
        add(isWrong ? { ...sent, wrong: 'sent while another of its lane may take effect' } : sent);
      }
      break;
    case 'sent':
    case 'gave up':
      if (attempt.request !== 'flying') add(complete(world, at, attempt));
      if (attempt.phase === 'sent') add(giveUp(world, at, attempt));
      break;
    case 'over':
      break;
  }
  return moves; // A process that dies is one that makes no more moves.
}

function change(world: World, key: number, changes: Partial<Entry>): World {
  const entries = world.entries.map((its, i) => (i === key && its ? { ...its, ...changes } : its));
  return { ...world, entries };
}

/** The clock: a lease ends at any time, patience only when nothing is on its way any more. */
function clockMoves(world: World, key: number, entry: Entry): readonly World[] {
  const moves: World[] = [];
  if (entry.leaseUntilMs === 1) moves.push(change(world, key, { leaseUntilMs: 0 }));
  const isFlying = world.attempts.some((its) => its.key === key && its.request === 'flying');
  if (entry.patientUntilMs === 1 && !isFlying) {
    const attempts = world.attempts.map((its) =>
      its.key === key ? { ...its, maySend: false } : its,
    );
    moves.push(change({ ...world, attempts }, key, { patientUntilMs: 0 }));
  }
  return moves;
}

/** Whether the remote system knows the wire key that one asks it about. */
function isKnown(world: World, key: number, generation: number): boolean {
  return world.attempts.some(
    (its) => its.key === key && its.generation === generation && its.request === 'did',
  );
}

function settle(world: World, key: number, happened: boolean): readonly World[] {
  const verdict = happened ? 'happened' : 'did_not_happen';
  const request = { key: keyOfEntry(key), verdict, by: '', why: '', result: '' } as const;
  const transition = transitions.settle(request, viewOf(world, key), 0);
  if (transition.answer.kind !== 'settled') return [];
  const next = after(world, key, transition);
  return [happened ? proves(next, key, transition.answer.entry.generation) : next];
}

function ask(world: World, key: number): readonly World[] {
  const request = { key: keyOfEntry(key), holdMs: 0 };
  const transition = transitions.ask(request, viewOf(world, key), 0);
  return transition.answer.kind === 'done' ? [after(world, key, transition)] : [];
}

function reconcilerMoves(world: World, key: number, entry: Entry, plan: Plan): readonly World[] {
  const happened = isKnown(world, key, entry.generation);
  const verdicts = settle(world, key, happened);
  const wrong = plan.wrongVerdicts && happened ? settle(world, key, false) : [];
  return [...ask(world, key), ...verdicts, ...wrong];
}

function nextWorlds(world: World, plan: Plan): readonly World[] {
  const attempts = world.attempts.flatMap((its, at) => movesOf(world, at, its, plan));
  const entries = world.entries.flatMap((entry, key) =>
    entry === null
      ? []
      : [...clockMoves(world, key, entry), ...reconcilerMoves(world, key, entry, plan)],
  );
  return [...attempts, ...entries];
}

/** What may still happen, or has, without proof. */
function isOpen(its: Attempt): boolean {
  return its.maySend || its.request === 'flying' || its.request === 'did';
}

function isUnproven(world: World, its: Attempt): boolean {
  return isOpen(its) && its.generation > (world.proven[its.key] ?? 0);
}

/** A settled entry holds its lane only where another attempt at it was marked after the proven one. */
function isHeldForNothing(world: World): boolean {
  const { holder, holderEntry } = viewOf(world, 0);
  if (holder === undefined || holderEntry?.settledAtMs === null) return false;
  return holderEntry?.state !== 'ok' || holderEntry.token === 1;
}

/** Whether a request of one key may take effect after one of another key that has left since. */
function isCrossed(world: World, at: number, { isKeyed }: Plan): boolean {
  const { key } = world.attempts[at] as Attempt;
  return world.attempts.some((its) => {
    const isRepeated = isKeyed && isKnown(world, its.key, its.generation);
    return its.key !== key && (its.maySend || its.request === 'flying') && !isRepeated;
  });
}

function faultOf(world: World, plan: Plan): string | undefined {
  if (world.wrong !== '') return world.wrong;
  const openKeys = new Set(
    world.attempts.filter((its) => isUnproven(world, its)).map(({ key }) => key),
  );
  if (openKeys.size > 1 && plan.keepsLane && !plan.wrongVerdicts)
    return 'two unsettled sends in one lane';
  if (isHeldForNothing(world)) return 'a lane is held for nothing';
  for (const [key, entry] of world.entries.entries()) {
    if (entry === null) continue;
    const fault = entryFault(world, key, entry, plan);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function entryFault(world: World, key: number, entry: Entry, plan: Plan): string | undefined {
  const effects = world.effects[key] ?? 0;
  const its = world.attempts.filter((attempt) => attempt.key === key);
  const isSettled = entry.state === 'ok' || entry.state === 'failed';
  if (isSettled !== (entry.settledAtMs !== null)) return 'settled without a time, or the reverse';
  if (entry.state === 'ok' && effects === 0) return 'ok, and it never happened';
  if (entry.state === 'ok' && entry.unproven > 0) return 'ok, and something is unproven';
  if (entry.marked && entry.unproven === 0) return 'marked, and nothing is unproven';
  if (entry.restsOn === 'unknown' && !isSettled && entry.unproven === 0) {
    return 'rests on unknown, and nothing is unproven';
  }
  const proven = world.proven[key] ?? 0;
  if (proven === entry.generation && entry.state !== 'ok') return 'proof was lost';
  if (plan.wrongVerdicts) return undefined;
  if (its.some((attempt) => attempt.toldFailed && isOpen(attempt))) {
    return 'told failed, and it happened or may';
  }
  if (effects > 1 && !plan.mayRerun) return 'it happened twice';
  const isAnyOpen = its.some((attempt) => isUnproven(world, attempt));
  if (entry.state === 'failed' && isAnyOpen) return 'failed, and it happened or may';
  if (entry.state !== 'ok' && entry.unproven === 0 && isAnyOpen) {
    return 'nothing is unproven, and it happened or may';
  }
  return undefined;
}

/** All processes die and what flies lands: then asking the remote system must settle everything. */
function stuckIn(world: World): string | undefined {
  if (world.attempts.some((its) => its.request === 'flying')) return undefined;
  let end: World = { ...world, attempts: world.attempts.map((its) => ({ ...its, ...over })) };
  for (const [key, entry] of world.entries.entries()) {
    if (entry === null) continue;
    end = change(end, key, { leaseUntilMs: 0, patientUntilMs: 0 });
    end = ask(end, key)[0] ?? end;
    const { generation = 0 } = end.entries[key] ?? {};
    end = settle(end, key, isKnown(end, key, generation))[0] ?? end;
    const { state, unproven = 0 } = end.entries[key] ?? {};
    const isSettled = state === 'ok' || state === 'failed' || (state === 'claimed' && !unproven);
    if (!isSettled && state !== 'claimed') return `${state} for ever`;
    if (state === 'claimed' && end.entries[key]?.restsOn === 'unknown') return 'claimed for ever';
  }
  return undefined;
}

function explore(plan: Plan): { readonly worlds: number; readonly fault?: string } {
  const start: World = {
    entries: requests.map(() => null),
    holder: null,
    attempts: plan.attempts.map((its) => ({
      ...its,
      phase: 'idle',
      token: 0,
      generation: 0,
      maySend: false,
      request: 'none',
      toldFailed: false,
    })),
    effects: requests.map(() => 0),
    proven: requests.map(() => 0),
    wrong: '',
  };
  const seen = new Set<string>([nameOf(start)]);
  let frontier: readonly World[] = [start];
  while (frontier.length > 0) {
    const next: World[] = [];
    for (const world of frontier) {
      for (const reached of nextWorlds(world, plan)) {
        const id = nameOf(reached);
        if (seen.has(id)) continue;
        const fault = faultOf(reached, plan) ?? stuckIn(reached);
        if (fault !== undefined) return { worlds: seen.size, fault: `${fault}: ${id}` };
        seen.add(id);
        next.push(reached);
      }
    }
    frontier = next;
  }
  return { worlds: seen.size };
}

const claims = (...keys: readonly number[]) => keys.map((key) => ({ key, kind: 'claim' }) as const);
const asks = (key: number) => ({ key, kind: 'ask again' }) as const;
const strict = { isKeyed: false, mayRerun: false, keepsLane: true, wrongVerdicts: false };

describe('all interleavings', () => {
  const plans: Readonly<Record<string, Plan>> = {
    'three attempts at one key': { ...strict, attempts: claims(0, 0, 0) },
    'two keys of one lane': { ...strict, attempts: claims(0, 0, 1) },
    'asking again with the same key': {
      ...strict,
      isKeyed: true,
      attempts: [...claims(0, 0), asks(0)],
    },
    'asking again, and another key of the lane': {
      ...strict,
      isKeyed: true,
      attempts: [...claims(0, 1), asks(0)],
    },
    'an idempotent tool': { ...strict, mayRerun: true, attempts: claims(0, 0) },
    'an idempotent tool, and another key of the lane': {
      ...strict,
      mayRerun: true,
      attempts: claims(0, 0, 1),
    },
    'an idempotent tool that gives its lane up': {
      ...strict,
      mayRerun: true,
      keepsLane: false,
      attempts: claims(0, 0),
    },
    'an operator who is mistaken': {
      ...strict,
      wrongVerdicts: true,
      attempts: claims(0, 0, 0),
    },
  };
  test.each(Object.entries(plans))(
    '%s',
    (_name, plan) => {
      const { worlds, fault } = explore(plan);
      expect(fault).toBeUndefined();
      expect(worlds).toBeGreaterThan(500);
    },
    120_000,
  );
});
