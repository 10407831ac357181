import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, Ledger } from '../src/index.ts';
import { isUnsettled } from '../src/ledger/entry.ts';
import { Random } from '../src/testing/simulator/random.ts';
import { Billing, isRefused, nameOf, type Weather, type Write } from './billing.ts';
import { died, type Telling, Worker } from './crew.ts';
import { openLedger, type Place } from './store.ts';

/** One wish of a user's, and what was told of it, in the order in which it was heard. */
export interface Intent extends Write {
  readonly name: string;
  readonly kind: 'refund' | 'credit';
  readonly tellings: (Telling & { readonly isDoubtful: boolean; readonly effects: number })[];
  /** Calls that are under way. */
  running: number;
}

/** How much of it. */
export interface StormPlan {
  readonly place: Place;
  readonly seed: number;
  readonly intents: number;
  /** How many intents are pursued side by side. */
  readonly atOnce: number;
  /** When no more calls are made, in milliseconds after the beginning. */
  readonly longestMs: number;
  /** How long what is unknown then may take to be settled, in milliseconds. */
  readonly settlingMs: number;
}

/** What is there to look at when all is over. */
export interface Aftermath {
  readonly intents: readonly Intent[];
  readonly effects: ReadonlyMap<string, number>;
  readonly weathers: ReadonlyMap<Weather, number>;
  readonly entries: readonly Entry[];
  readonly unsettled: readonly Entry[];
  readonly kills: number;
  readonly pauses: number;
  readonly crashes: number;
  /** How many times longer than usual this machine takes for anything. */
  readonly pace: number;
  readonly stormMs: number;
  readonly settlingMs: number;
}

const crewSize = 4;
const mostCalls = 8;

/** Lets workers work, kills and pauses them, and waits until all that is unknown has been settled. */
export async function storm(plan: StormPlan): Promise<Aftermath> {
  const random = new Random(plan.seed);
  const billing = new Billing(new Random(plan.seed + 1));
  const pace = paceOfMachine();
  const url = await billing.start();
  const ledger = openLedger(plan.place);
  await ledger.list({ limit: 1 });
  const crew = Array.from(
    { length: crewSize },
    (_, i) => new Worker({ place: plan.place, billing: url, seed: plan.seed + i, pace }),
  );
  const endAll = (): void => {
    for (const worker of crew) worker.end();
  };
  process.once('exit', endAll);
  try {
    await Promise.all(crew.map((worker) => worker.start()));
    const startedMs = performance.now();
    const deadlineMs = startedMs + plan.longestMs;
    const intents = intentsOf(plan.intents, random);
    const trouble = new AbortController();
    const troubles = makeTrouble(crew, new Random(plan.seed + 2), trouble.signal);
    await pursueAll({ intents, crew, random, billing, deadlineMs }, plan.atOnce);
    trouble.abort();
    await troubles;
    const stormedMs = performance.now();
    const unsettled = await untilSettled(ledger, stormedMs + plan.settlingMs);
    return {
      intents,
      effects: billing.effects,
      weathers: billing.weathers,
      entries: await allEntries(ledger),
      unsettled,
      kills: sum(crew, ({ kills }) => kills),
      pauses: sum(crew, ({ pauses }) => pauses),
      crashes: sum(crew, ({ crashes }) => crashes),
      pace,
      stormMs: stormedMs - startedMs,
      settlingMs: performance.now() - stormedMs,
    };
  } finally {
    process.off('exit', endAll);
    endAll();
    await ledger.close();
    await billing.close();
  }
}

/** What it takes to start Node on a machine that has nothing else to do, in milliseconds. */
const usualStartMs = 500;

/** A busy machine is given longer for everything: what is tried is the protocol, not the machine. */
function paceOfMachine(): number {
  const startedMs = performance.now();
  execFileSync(process.execPath, ['--import', 'tsx', '--eval', '0']);
  return Math.min(10, Math.max(1, (performance.now() - startedMs) / usualStartMs));
}

/** Three wishes an order, in one lane: they come in any order. */
function intentsOf(count: number, random: Random): readonly Intent[] {
  return Array.from({ length: count }, (_, i) => {
    const orderId = Math.floor(i / 3);
    const amountCents = (i % 3) * 1_000 + 1 + random.below(900);
    const kind = random.chance(0.6) ? 'refund' : 'credit';
    const write = { orderId, amountCents };
    return { ...write, kind, name: nameOf(kind, write), tellings: [], running: 0 } as const;
  });
}

interface Pursuit {
  readonly intents: readonly Intent[];
  readonly crew: readonly Worker[];
  readonly random: Random;
  readonly billing: Billing;
  readonly deadlineMs: number;
}

async function pursueAll(pursuit: Pursuit, atOnce: number): Promise<void> {
  const left = pursuit.intents.values();
  const pursuer = async (): Promise<void> => {
    for (const intent of left) await pursue(pursuit, intent);
  };
  await Promise.all(Array.from({ length: atOnce }, pursuer));
}

/** As a model would that does not do as it is told: calls again and again, now and then twice at once. */
async function pursue(pursuit: Pursuit, intent: Intent): Promise<void> {
  const { random } = pursuit;
  let sureties = 0;
  for (let calls = 0; calls < mostCalls && performance.now() < pursuit.deadlineMs; calls += 1) {
    const both = random.chance(0.1);
    const tellings = await Promise.all(
      (both ? [0, 1] : [0]).map(() => callSomebody(pursuit, intent)),
    );
    sureties += tellings.filter((telling) => isSure(intent, telling)).length;
    if (sureties > 1 || (sureties === 1 && random.chance(0.8))) return;
    await sleep(random.below(50 * 2 ** calls));
  }
}

function isSure(intent: Intent, { outcome }: Telling): boolean {
  if (outcome === 'ok' || outcome === 'already_done') return true;
  return outcome === 'failed' && isRefused(intent);
}

async function callSomebody({ crew, random, billing }: Pursuit, intent: Intent): Promise<Telling> {
  const ready = crew.filter(({ isReady }) => isReady);
  const worker = random.pick(ready);
  if (worker === undefined) {
    await sleep(50);
    return died;
  }
  const { orderId, amountCents, name, kind, tellings } = intent;
  const reason = random.chance(0.5) ? 'late delivery' : 'it came late';
  const before = intent.running;
  intent.running += 1;
  const heardBefore = tellings.length;
  const telling = await worker.call(kind, JSON.stringify({ orderId, amountCents, reason }));
  intent.running -= 1;
  // What another call did meanwhile is not for this one's telling to answer for.
  const isDoubtful = before > 0 || intent.running > 0 || tellings.length > heardBefore;
  tellings.push({ ...telling, isDoubtful, effects: billing.effects.get(name) ?? 0 });
  return telling;
}

/** Kills and pauses one worker after the other, at random, until it is told to stop. */
async function makeTrouble(
  crew: readonly Worker[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const under: Promise<void>[] = [];
  while (!signal.aborted) {
    await sleep(100 + random.below(400));
    const worker = random.pick(crew);
    if (signal.aborted || worker === undefined) break;
    const forMs = random.below(700);
    under.push(random.chance(0.5) ? worker.kill(forMs) : worker.pause(forMs));
  }
  await Promise.all(under);
}

/** Resolves to what is unsettled still: nothing, unless it takes too long. */
async function untilSettled(ledger: Ledger, deadlineMs: number): Promise<readonly Entry[]> {
  for (;;) {
    const entries = await allEntries(ledger, ['claimed', 'dispatched', 'unknown']);
    const nowMs = Date.now();
    const open = entries.filter((entry) => entry.state !== 'claimed' || isUnsettled(entry, nowMs));
    if (open.length === 0 || performance.now() >= deadlineMs) return open;
    await sleep(250);
  }
}

async function allEntries(ledger: Ledger, states?: Entry['state'][]): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for (;;) {
    const after = all.at(-1);
    const page = await ledger.list({
      limit: 500,
      ...(states === undefined ? {} : { states }),
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page);
    if (page.length < 500) return all;
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
