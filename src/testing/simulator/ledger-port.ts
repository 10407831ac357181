import type { Ledger, SettleRequest } from '../../ledger/ledger.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** The steps of a ledger, by name. */
export type LedgerStep = Exclude<keyof Ledger, 'close'>;

/** One step of the ledger that has taken effect. */
export interface LedgerSeen {
  readonly process: Process;
  readonly step: LedgerStep;
  readonly args: readonly unknown[];
  readonly answer: unknown;
}

const steps: readonly LedgerStep[] = [
  'claim',
  'fail',
  'mark',
  'withdraw',
  'complete',
  'giveUp',
  'askAgain',
  'ask',
  'settle',
  'renew',
  'note',
  'tell',
  'announced',
  'get',
  'holder',
  'list',
  'purge',
];

interface Caller {
  resolve(answer: unknown): void;
  reject(cause: unknown): void;
}

const lost = (): Error => new Error('The connection to the ledger was lost.');

/**
 * The shared ledger as one process reaches it: over a connection on which a step may be lost before or
 * after it takes effect, and its answer may come late, or never.
 */
export function ledgerPort(world: World, process: Process): Ledger {
  const port = (step: LedgerStep) => {
    return (...args: readonly unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (!process.isDead) request(world, process, step, args, { resolve, reject });
      });
  };
  const reached = Object.fromEntries(steps.map((step) => [step, port(step)]));
  return { ...reached, close: () => Promise.resolve() } as unknown as Ledger;
}

function request(
  world: World,
  process: Process,
  step: LedgerStep,
  args: readonly unknown[],
  caller: Caller,
): void {
  world.meet(step, args[0]);
  const words = (): string => `${process.name}: ${step}${world.aboutRequest(args[0])}`;
  const happen = (end: string): void => {
    if (end === 'is lost') return;
    if (end === 'never arrives') {
      deliver(world, process, words, () => caller.reject(lost()));
      return;
    }
    const call = world.store[step] as (...args: readonly unknown[]) => Promise<unknown>;
    call(...args).then(
      (answer) => {
        world.seen({ process, step, args, answer });
        if (process.isDead) return;
        if (end === 'is done' && process.isRunning) caller.resolve(answer);
        else hand(world, process, words, answer, caller);
      },
      (cause: unknown) => caller.reject(cause),
    );
  };
  // An operator's look and his verdict are one: what he saw is not to be old when it counts.
  if (step === 'settle' && isOperators(args[0] as SettleRequest)) {
    happen('is done');
    return;
  }
  world.agenda.add({
    words,
    where: 'ledger',
    owner: undefined,
    ends: ['is done', 'is done, and the answer takes its time', 'never arrives', 'is lost'],
    isQuiet: true,
    happen,
  });
}

/** The answer is on its way back. */
function hand(
  world: World,
  process: Process,
  words: () => string,
  answer: unknown,
  caller: Caller,
): void {
  world.agenda.add({
    words: () => `the answer to ${words()}`,
    where: 'ledger',
    owner: process,
    ends: ['arrives', 'breaks off', 'is lost'],
    happen: (end) => {
      if (end === 'arrives') caller.resolve(answer);
      else if (end === 'breaks off') caller.reject(lost());
    },
  });
}

function deliver(world: World, process: Process, words: () => string, task: () => void): void {
  if (process.isDead) return;
  if (process.isRunning) {
    task();
    return;
  }
  world.agenda.add({
    words: () => `the error of ${words()}`,
    where: 'ledger',
    owner: process,
    ends: ['arrives'],
    happen: task,
  });
}

function isOperators({ by }: SettleRequest): boolean {
  return by.startsWith('operator');
}
