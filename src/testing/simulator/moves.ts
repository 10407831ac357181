import { wireKey } from '../../key/key.ts';
import type { CallRecord } from './acts.ts';
import type { Happening } from './agenda.ts';
import { longestWaitMs, pass, wait } from './passing.ts';
import { Process, type ProcessOptions } from './process.ts';
import { type CallPlan, type ProcessStep, type Step, wrongOperator } from './step.ts';
import { judgeTold } from './told-promises.ts';
import type { World } from './world.ts';

/** A step that can be made now. */
export interface Move {
  step(): Step;
  make(): void | Promise<void>;
}

/** How a step of a story is made in the world as it is now; undefined where it cannot be. */
export function moveOf(world: World, step: Step): Move | undefined {
  const make = makeOf(world, step);
  return make && { step: () => step, make };
}

/** Lets something that is pending end. */
export function letEnd(world: World, happening: Happening, end: string): Move {
  return {
    step: () => ({ do: 'let', what: world.agenda.nameOf(happening), end }),
    make: () => world.end(happening, end),
  };
}

/** What a story calls the timer that is due first in a process. */
export function timerName(process: Process): string {
  return `${process.name}'s timer`;
}

/** Starts a process, or what takes the place of one that died. */
export function start(world: World, name: string, options: ProcessOptions): Process {
  const process = new Process(world, name, options);
  world.processes.set(name, process);
  return process;
}

function makeOf(world: World, step: Step): Move['make'] | undefined {
  switch (step.do) {
    case 'pass':
      return () => pass(world, step.ms);
    case 'wait':
      return longestWaitMs(world) > 0 ? () => wait(world, step.ms) : undefined;
    case 'let':
      return makeLet(world, step.what, step.end);
    case 'cancel': {
      const call = callOf(world, step.call);
      if (call === undefined || call.told !== undefined) return undefined;
      if (!call.process.isRunning || call.user.signal.aborted) return undefined;
      return () => {
        world.tell(() => `the user leaves call ${step.call}`);
        call.user.abort();
      };
    }
    default:
      return makeAt(world, step);
  }
}

type StepAt = Extract<Step, { readonly process: string }>;

/** What is done at a process. */
function makeAt(world: World, step: StepAt): (() => void) | undefined {
  const process = world.processes.get(step.process);
  if (process === undefined) return undefined;
  switch (step.do) {
    case 'call':
      return process.isRunning ? () => call(world, process, step.call) : undefined;
    case 'check':
      return process.isRunning ? makeCheck(world, process, step.call) : undefined;
    case 'webhook':
      return process.isRunning ? makeWebhook(world, process, step.request) : undefined;
    case 'verdict':
      return process.isRunning ? makeVerdict(world, process, step.call, step.wrong) : undefined;
    case 'set_clock':
      return () => {
        world.tell(() => `the wall clock of ${process.name} is off by ${step.ms / 1000} s`);
        process.setClock(step.ms);
      };
    default:
      return makeProcessStep(world, process, step.do);
  }
}

function makeLet(world: World, what: string, end: string): Move['make'] | undefined {
  for (const process of world.processes.values()) {
    if (what !== timerName(process)) continue;
    if (!process.isRunning || process.nextTimerMs > world.nowMs) return undefined;
    return () => process.fireTimer();
  }
  const happening = world.agenda.find(what);
  if (!happening?.ends.includes(end)) return undefined;
  return letEnd(world, happening, end).make;
}

function makeProcessStep(
  world: World,
  process: Process,
  step: ProcessStep,
): (() => void) | undefined {
  const { isDead, isPaused, isRunning, isClosing, name } = process;
  const told = (make: () => void) => (): void => {
    world.tell(() => `${name}: ${step}`);
    make();
  };
  switch (step) {
    case 'crash':
      return isDead ? undefined : told(() => process.crash());
    case 'restart':
      return isDead ? told(() => start(world, name, process.options)) : undefined;
    case 'pause':
      return isRunning ? told(() => process.pause()) : undefined;
    case 'resume':
      return isPaused && !isDead ? told(() => process.resume()) : undefined;
    case 'reconcile':
      return isRunning
        ? told(() => void process.runtime.reconcile().catch(() => undefined))
        : undefined;
    case 'close':
      return isRunning && !isClosing ? told(() => process.close()) : undefined;
  }
}

function call(world: World, process: Process, plan: CallPlan): void {
  const { n, tool, scope, turn } = plan;
  const intent = intentOf(plan);
  const record: CallRecord = {
    plan,
    intent,
    process,
    startedMs: world.nowMs,
    user: new AbortController(),
    acts: [],
    told: undefined,
    toldMs: undefined,
    key: undefined,
  };
  world.calls.push(record);
  world.tell(() => `call ${n} at ${process.name}: ${intent}${mannerOf(plan)}`);
  const signal = record.user.signal;
  const context = { world, process, call: record };
  void process.runtime
    .call({ name: tool, arguments: argumentsOf(plan), scope, turn, signal, context })
    .then(({ result, key }) => {
      world.tell(() => `call ${n} is told ${result.outcome} (${result.code})`);
      Object.assign(record, { key, told: result, toldMs: world.nowMs });
      judgeTold(world, record, result);
    });
}

function argumentsOf({ order, amount, reason, occurrence }: CallPlan): string {
  const more = occurrence > 1 ? { occurrence } : {};
  return JSON.stringify({ order, amount, ...(reason ? { reason } : {}), ...more });
}

function intentOf({ tool, order, amount, occurrence, scope }: CallPlan): string {
  return `${tool} ${order}/${amount}${occurrence > 1 ? `, time ${occurrence}` : ''} in ${scope}`;
}

function mannerOf({ manner: { before, connects, after } }: CallPlan): string {
  const odd = [
    ...(before === 'sends' ? [] : [before]),
    ...(connects ? ['connects'] : []),
    ...(after === 'is truthful' ? [] : [after]),
  ];
  return odd.length === 0 ? '' : ` (its tool ${odd.join(', ')})`;
}

function callOf(world: World, n: number): CallRecord | undefined {
  return world.calls.find(({ plan }) => plan.n === n);
}

function keyOf(world: World, n: number): string | undefined {
  const record = callOf(world, n);
  return record?.key ?? record?.acts[0]?.key;
}

function makeCheck(world: World, process: Process, n: number): (() => void) | undefined {
  const key = keyOf(world, n);
  const scope = callOf(world, n)?.plan.scope;
  if (key === undefined || scope === undefined || !process.options.offersCheck) return undefined;
  return () => {
    world.tell(() => `the model asks by check_write about call ${n}`);
    void process.runtime
      .call({ name: 'check_write', arguments: JSON.stringify({ ref: key }), scope })
      .then(({ result }) => {
        const data = result.outcome === 'ok' ? (result.data as { outcome?: string }) : {};
        world.tell(() => `it is told ${data.outcome}`);
        world.promises.heard({ key, result: { outcome: data.outcome ?? '' } });
      });
  };
}

function makeWebhook(world: World, process: Process, n: number): (() => void) | undefined {
  const effect = world.remote.effects.find(({ request }) => request.n === n);
  if (effect === undefined) return undefined;
  const { confirmation, request } = effect;
  return () => {
    world.tell(() => `a webhook about request ${n} comes in at ${process.name}`);
    const { key } = request.act;
    const { generation } = request.grant;
    const grounds = { by: 'webhook', why: 'it said so', data: { confirmation }, generation };
    void process.runtime.settle(key, 'happened', grounds).catch(() => undefined);
  };
}

function makeVerdict(
  world: World,
  process: Process,
  n: number,
  wrong: boolean,
): (() => void) | undefined {
  const key = keyOf(world, n);
  const entry = key === undefined ? undefined : world.entries.get(key);
  if (key === undefined || entry === undefined) return undefined;
  const { finding, ...seen } = world.remote.look(wireKey(entry));
  const verdict = wrong ? 'did_not_happen' : finding;
  if (verdict === 'not_known_yet') return undefined;
  return () => {
    world.tell(() => `${wrong ? 'a wrong' : 'an'} operator says of call ${n}: ${verdict}`);
    const by = wrong ? wrongOperator : 'operator';
    // What was looked up is one write of this key; by now there may be a later one.
    const { generation } = entry;
    const what = verdict === 'happened' ? seen : {};
    const grounds = { by, why: 'looked it up', generation, ...what };
    void process.runtime.settle(key, verdict, grounds).catch(() => undefined);
  };
}
