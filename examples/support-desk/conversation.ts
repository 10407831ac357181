import { createInterface } from 'node:readline';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { renderResult } from 'forthright';
import type { Model } from 'forthright/agent';
import { aiSdkModel } from 'forthright/ai-sdk';
import { sqliteLedger } from 'forthright/sqlite';
import { startBilling } from './billing-server.ts';
import { Desk } from './desk.ts';

/** Where a model is to be reached, by the protocol of OpenAI's chat completions. */
export interface ModelPlace {
  readonly MODEL_URL?: string | undefined;
  readonly MODEL_NAME?: string | undefined;
  readonly MODEL_KEY?: string | undefined;
}

/** The real model that is configured; undefined for none. */
export function modelOf(place: ModelPlace): { name: string; model: Model } | undefined {
  const { MODEL_URL: baseURL, MODEL_NAME: name, MODEL_KEY: apiKey } = place;
  if (!baseURL || !name) return undefined;
  const provider = createOpenAICompatible({ name: 'desk', baseURL, ...(apiKey ? { apiKey } : {}) });
  return { name, model: aiSdkModel(provider.chatModel(name), { stream: true }) };
}

/** Lets a real model run the desk: each line of the input is what the customer says. */
export async function converse(
  place: ModelPlace,
  input: NodeJS.ReadableStream,
  ledgerPath: string,
  say: (text: string) => void,
): Promise<void> {
  const { model } = modelOf(place) ?? {};
  if (model === undefined) throw new TypeError('--model needs MODEL_URL and MODEL_NAME');
  const billing = await startBilling();
  const desk = new Desk({ billingUrl: billing.url, ledger: sqliteLedger(ledgerPath), model });
  try {
    for await (const line of createInterface({ input })) {
      if (line.trim() === '') continue;
      const run = await desk.say(line, {
        onEvent(event) {
          if (event.type === 'step_ended') say(`  ${renderResult(event.result)}\n`);
        },
      });
      say(`${run.text}\n`);
      if (run.cause !== undefined) say(`  (${String(run.cause)})\n`);
    }
  } finally {
    await desk.runtime.close();
    await billing.close();
  }
}
