import type { Model } from 'forthright/agent';
import { deskModel } from './desk-model.ts';
import type { DeskTask } from './other-process.ts';

/** One turn of the customer's, in a process that can be killed. Each kind loads only what it needs. */
async function main(task: DeskTask): Promise<void> {
  const model = deskModel();
  if (task.kind === 'naive') await sayNaively(task, model);
  else await say(task, model);
}

async function sayNaively({ billingUrl, text }: DeskTask, model: Model): Promise<void> {
  const { NaiveAgent } = await import('./naive-agent.ts');
  const agent = new NaiveAgent({ billingUrl, model, timeoutMs: 30_000 });
  await agent.say(text, new AbortController().signal);
}

async function say({ billingUrl, ledgerPath, text }: DeskTask, model: Model): Promise<void> {
  const { sqliteLedger } = await import('forthright/sqlite');
  const { Desk } = await import('./desk.ts');
  await new Desk({ billingUrl, model, ledger: sqliteLedger(ledgerPath) }).say(text);
}

await main(JSON.parse(process.argv[2] ?? '{}'));
