import {
  answered,
  createRuntime,
  type Ledger,
  memoryLedger,
  ok,
  type Runtime,
  tool,
} from 'forthright';
import { z } from 'zod';
import type { ScriptedAnswer } from '../../src/testing/adapter-cases/harness.ts';
import { type ChatServer, chatServer } from './chat-server.ts';

/** A desk that refunds, and what reached billing. */
export interface Stage {
  readonly runtime: Runtime;
  readonly ledger: Ledger;
  readonly server: ChatServer;
  readonly refunds: number[];
  /** How many refunds were under way at the same moment, at most. */
  most(): number;
  /** The codes that the model was told. */
  codes(): readonly string[];
  close(): Promise<void>;
}

/** One lane for each order below 100; the others share one. At most two writes at the same moment. */
export async function stage(
  answers: readonly ScriptedAnswer[],
  ledger: Ledger = memoryLedger(),
): Promise<Stage> {
  const refunds: number[] = [];
  let under = 0;
  let most = 0;
  const refund = tool({
    name: 'refund_order',
    description: 'Refund an order.',
    input: z.object({ orderId: z.int() }),
    effect: 'write',
    lane: ({ orderId }) => (orderId < 100 ? `order:${orderId}` : 'orders'),
    async run({ orderId }, ctx) {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await ctx.dispatch(async () => answered(refunds.push(orderId)));
      under -= 1;
      return ok('Refunded.');
    },
  });
  const runtime = createRuntime({ tools: [refund], ledger, maxConcurrent: 2 });
  const server = await chatServer(answers);
  return {
    runtime: runtime as unknown as Runtime,
    ledger,
    server,
    refunds,
    most: () => most,
    codes: () => server.told().map((text) => JSON.parse(text).code),
    close: async () => {
      await runtime.close();
      await server.close();
    },
  };
}

let called = 0;

/** One answer that refunds each of the orders; each call has an id of its own, as providers give them. */
export function refundCalls(...texts: readonly string[]): ScriptedAnswer {
  const calls = texts.map((text) => {
    called += 1;
    return { id: `call_${called}`, name: 'refund_order', arguments: text };
  });
  return { calls };
}

export const done: ScriptedAnswer = { text: 'That is all.' };
