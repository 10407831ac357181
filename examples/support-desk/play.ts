import { join } from 'node:path';
import type { Entry } from 'forthright';
import { type BillingServer, startBilling } from './billing-server.ts';
import { ForthrightStage } from './forthright-stage.ts';
import { NaiveStage } from './naive-stage.ts';
import type { Scenario } from './scenario.ts';
import type { Line, Stage } from './stage.ts';

type Show = (line: Line) => void;

/** What billing really did. */
export interface BillingTruth {
  readonly refunds: readonly number[];
  readonly addresses: readonly string[];
  /** How many writes to one order it was given at the same time. */
  readonly mostAtOnce: number;
}

/** What a scenario came to with forthright. */
export interface Played extends BillingTruth {
  readonly told: readonly string[];
  readonly ledger: readonly string[];
  readonly entries: readonly Entry[];
  /** The stage, closed: its runs tell the rest. */
  readonly stage: ForthrightStage;
}

/** Plays a scenario on the desk as it is written today. */
export async function playNaive(scenario: Scenario, show: Show): Promise<BillingTruth> {
  const billing = await startBilling(scenario.billing);
  try {
    await scenario.play(bound(new NaiveStage(billing, show)));
    return truthOf(billing);
  } finally {
    await billing.close();
  }
}

/** What a scenario has come to on a stage with forthright. */
export async function playedOn(stage: ForthrightStage): Promise<Omit<Played, 'stage'>> {
  const entries = await stage.entries();
  const steps = stage.runs.flatMap(({ plan }) => plan.steps);
  return {
    ...truthOf(stage.billing),
    told: steps.flatMap((step) =>
      'result' in step ? [`${step.result.outcome} ${step.result.code}`] : [],
    ),
    ledger: entries.map(({ tool, state }) => `${tool} ${state}`),
    entries,
  };
}

/** Plays a scenario with forthright, on a ledger file of its own in `directory`. */
export async function playForthright(
  scenario: Scenario,
  directory: string,
  show: Show = () => undefined,
): Promise<Played> {
  const billing = await startBilling(scenario.billing);
  const ledgerPath = join(directory, `${scenario.name}.db`);
  const stage = new ForthrightStage(billing, ledgerPath, show);
  try {
    await scenario.play(bound(stage));
    return { ...(await playedOn(stage)), stage };
  } finally {
    billing.release();
    await stage.close();
    await billing.close();
  }
}

/** Which promises of a scenario did not hold; none, if all is well. */
export function broken(
  scenario: Omit<Scenario, 'play'>,
  played: Pick<Played, 'refunds' | 'addresses' | 'told' | 'ledger'>,
): readonly string[] {
  const promises: [what: string, promised: readonly unknown[], was: readonly unknown[]][] = [
    ['refunds at billing', scenario.refunds, played.refunds],
    ['addresses at billing', scenario.addresses ?? [], played.addresses],
    ['what the model was told', scenario.told, played.told],
    ['the ledger', scenario.ledger, played.ledger],
  ];
  return promises
    .filter(([, promised, was]) => JSON.stringify(promised) !== JSON.stringify(was))
    .map(([what, promised, was]) => `${what}: ${promised.join(', ')} (was: ${was.join(', ')})`);
}

/** What a billing server has done by now. */
function truthOf({ book, mostAtOnce }: BillingServer): BillingTruth {
  return {
    refunds: book.refunds.map(({ amountCents }) => amountCents),
    addresses: book.addresses.map(({ address }) => address),
    mostAtOnce,
  };
}

/** The stage with its methods bound, so that a scenario can take them apart. */
export function bound(stage: Stage): Stage {
  const { kind, billing, ledger } = stage;
  return {
    kind,
    billing,
    ledger,
    note: (text) => stage.note(text),
    say: (text, options) => stage.say(text, options),
    decide: (verdict) => stage.decide(verdict),
    jump: (ms) => stage.jump(ms),
    askOnce: () => stage.askOnce(),
    ask: () => stage.ask(),
    asked: () => stage.asked(),
    settled: () => stage.settled(),
    recorded: () => stage.recorded(),
    elsewhere: (text) => stage.elsewhere(text),
  };
}
