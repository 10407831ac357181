import type { Entry } from '../src/index.ts';
import { nameOf, type Write } from './billing.ts';
import type { Aftermath, Intent } from './storm.ts';

/** A promise that was broken: nothing of it may be there. */
export interface Finding {
  readonly intent: string;
  readonly broken: string;
}

/** Holds what was told, and what the ledger says, against what billing did. */
export function findingsOf(aftermath: Aftermath): readonly Finding[] {
  const { intents, effects, entries, unsettled, crashes } = aftermath;
  const byName = new Map(entries.map((entry) => [entryName(entry), entry]));
  const found = intents.flatMap((intent) =>
    brokenOf(intent, effects.get(intent.name) ?? 0, byName.get(intent.name)).map((broken) => ({
      intent: intent.name,
      broken,
    })),
  );
  const open = unsettled.map((entry) => ({ intent: entryName(entry), broken: sayOpen(entry) }));
  found.push(...open);
  if (crashes > 0) found.push({ intent: '-', broken: 'a worker ended that nobody killed' });
  return found;
}

function brokenOf(intent: Intent, effects: number, entry: Entry | undefined): readonly string[] {
  const { tellings } = intent;
  const broken: string[] = [];
  if (effects > 1) broken.push(`it happened ${effects} times`);
  const isToldDone = tellings.some(({ outcome }) => outcome === 'ok' || outcome === 'already_done');
  if (isToldDone && effects === 0) broken.push('told done, and it never happened');
  const last = tellings.at(-1);
  if (last !== undefined && isDenial(last) && effects > 0) {
    broken.push(`told failed (${last.code}) in the end, and it happened`);
  }
  const early = tellings.find((its) => isDenial(its) && !its.isDoubtful && its.effects > 0);
  if (early !== undefined) broken.push(`told failed (${early.code}), and it had happened`);
  if (entry?.state === 'ok' && effects === 0) broken.push('ok in the ledger, and never happened');
  if (entry?.state !== 'ok' && effects > 0) broken.push(`${entry?.state}, and it happened`);
  return broken;
}

/** Without its ledger, a call can say of itself only that it sent nothing. */
function isDenial({ outcome, code }: Intent['tellings'][number]): boolean {
  return outcome === 'failed' && code !== 'ledger_unavailable';
}

function sayOpen({ state, asks, unproven, token, updatedAtMs }: Entry): string {
  const sinceMs = Date.now() - updatedAtMs;
  return `${state} still: ${asks} asks, ${unproven} unproven, token ${token}, for ${sinceMs} ms`;
}

function entryName({ tool, input }: Entry): string {
  return nameOf(tool, JSON.parse(input) as Write);
}
