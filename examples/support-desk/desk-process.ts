import { systemClock } from 'forthright';
import { sqliteLedger } from 'forthright/sqlite';
import { Desk } from './desk.ts';
import { deskModel } from './desk-model.ts';
import { NaiveAgent } from './naive-agent.ts';
import type { DeskTask } from './other-process.ts';

/** One turn of the customer's, in a process that can be killed. */
async function main({ kind, billingUrl, ledgerPath, text }: DeskTask): Promise<void> {
  const model = deskModel();
  if (kind === 'naive') {
    const agent = new NaiveAgent({ billingUrl, model, clock: systemClock, timeoutMs: 30_000 });
    await agent.say(text, new AbortController().signal);
    return;
  }
  const desk = new Desk({ billingUrl, model, ledger: sqliteLedger(ledgerPath) });
  await desk.say(text);
}

await main(JSON.parse(process.argv[2] ?? '{}'));
