import { executeTool } from '@ai-sdk/provider-utils';
import { tool as aiTool } from 'ai';
import {
  type AnyTool,
  answered,
  createRuntime,
  type Ledger,
  type Logger,
  memoryLedger,
  ok,
  type Runtime,
  tool,
} from 'forthright';
import { z } from 'zod';
import { type Effort, interleaved, type Subject, type Timing } from '../measure.ts';
import { atMost, type Finding, type Measured, type Row, timingOf } from '../row.ts';
import { withPowertools } from './powertools.ts';

const silent: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const input = z.strictObject({ orderId: z.int(), amountCents: z.int() });

/** A tool that reads nothing and answers at once. */
const readOrder: AnyTool = tool({
  name: 'read_order',
  description: 'Reads an order.',
  effect: 'read',
  input,
  run: async ({ orderId }) => ok('It is there.', { orderId }),
});

/** A tool whose remote system is a resolved promise. */
const refundOrder: AnyTool = tool({
  name: 'refund_order',
  description: 'Refunds.',
  effect: 'write',
  input,
  lane: ({ orderId }) => `order:${orderId}`,
  async run({ orderId }, ctx) {
    await ctx.dispatch(async () => answered({ orderId }));
    return ok('Refunded.', { orderId });
  },
});

/** A runtime on a ledger, for `atOnce` calls side by side. */
export function runtimeOn(ledger: Ledger, atOnce: number): Runtime {
  return createRuntime({
    tools: [readOrder, refundOrder],
    ledger,
    logger: silent,
    maxConcurrent: Math.max(16, atOnce),
    reconcileEveryMs: false,
  }) as unknown as Runtime;
}

let orders = 0;

/** Calls the write with a new order each time, so many at once; throws where one is not `ok`. */
export function newWrites(name: string, runtime: Runtime, atOnce: number): Subject {
  return side(name, atOnce, async () => {
    orders += 1;
    const text = `{"orderId":${orders},"amountCents":2000}`;
    const { result } = await runtime.call({ name: 'refund_order', arguments: text, scope: 's' });
    if (result.outcome !== 'ok') throw new Error(`a write was told ${result.code}`);
  });
}

/** A subject that keeps so many going at once. */
export function side(name: string, atOnce: number, work: () => Promise<unknown>): Subject {
  return {
    name,
    async run(count) {
      let left = count;
      const one = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await work();
        }
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    },
  };
}

/** A read, with nothing durable in it. */
export const read: Row = {
  name: 'read',
  work: 'a read call through the runtime, nothing durable',
  async measure(effort: Effort): Promise<Measured> {
    const runtime = runtimeOn(memoryLedger(), 1);
    const text = '{"orderId":4512,"amountCents":2000}';
    const bare = async ({ orderId }: { orderId: number }) => ({ orderId });
    const idempotent = withPowertools(bare);
    const sdkTool = aiTool({ description: 'Reads.', inputSchema: input, execute: bare });
    let orderId = 0;
    const timings = await interleaved(
      [
        side('the bare function', 1, () => bare(JSON.parse(text))),
        side('forthright read', 1, () =>
          runtime.call({ name: 'read_order', arguments: text, scope: 's' }),
        ),
        side('AI SDK tool execution', 1, async () => {
          const parsed = input.parse(JSON.parse(text));
          const options = { toolCallId: 'call_1', messages: [], context: {} };
          for await (const part of executeTool({
            tool: sdkTool as never,
            input: parsed as never,
            options: options as never,
          }))
            void part;
        }),
        side('Powertools, in memory', 1, () => {
          orderId += 1;
          return idempotent({ orderId });
        }),
      ],
      effort,
    );
    const overUs =
      timingOf(timings, 'forthright read').medianUs -
      timingOf(timings, 'the bare function').medianUs;
    const finding: Finding = {
      work: 'a read call',
      ours: 'forthright read',
      beside: 'the bare function',
      value: overUs,
      aim: 'at most 10 µs over',
      isMet: overUs <= 10,
    };
    return { timings: { read: timings }, findings: [finding] };
  },
};

/** Writes on the memory ledger: first calls and replays. */
export const memory: Row = {
  name: 'memory',
  work: 'a write call on the memory ledger, and a replay',
  async measure(effort: Effort): Promise<Measured> {
    const runtime = runtimeOn(memoryLedger({ maxEntries: 5_000_000 }), 1);
    const idempotent = withPowertools(async ({ orderId }: { orderId: number }) => ({ orderId }));
    const first = await interleaved(
      [
        side('Powertools, in memory', 1, () => {
          orders += 1;
          return idempotent({ orderId: orders });
        }),
        newWrites('forthright write', runtime, 1),
      ],
      effort,
    );
    const replay = await replays(runtime, effort, first[0]?.name ?? '', () =>
      idempotent({ orderId: 1 }),
    );
    const findings = [
      atMost(first, {
        work: 'a write call on the memory ledger',
        ours: 'forthright write',
        beside: 'Powertools, in memory',
        most: 1,
      }),
      fasterThanFirst(replay, 'Powertools, in memory', first),
    ];
    return { timings: { first, replay }, findings };
  },
};

/** A call whose write was done before, beside the peer's. */
export async function replays(
  runtime: Runtime,
  effort: Effort,
  peer: string,
  peerReplay: () => Promise<unknown>,
): Promise<readonly Timing[]> {
  const call = { name: 'refund_order', arguments: '{"orderId":1,"amountCents":1}', scope: 'again' };
  await runtime.call(call);
  return interleaved(
    [
      side(peer, 1, peerReplay),
      side('forthright replay', 1, async () => {
        const { result } = await runtime.call(call);
        if (result.outcome !== 'already_done') throw new Error(`a replay was told ${result.code}`);
      }),
    ],
    effort,
    'wall',
  );
}

/** The finding that a replay is ten times as fast as a peer's first call. */
function fasterThanFirst(
  replay: readonly Timing[],
  peer: string,
  first: readonly Timing[],
): Finding {
  const ours = timingOf(replay, 'forthright replay').medianUs;
  const value = ours / timingOf(first, peer).medianUs;
  return {
    work: 'a replay',
    ours: 'forthright replay',
    beside: `a first call by ${peer}`,
    value,
    aim: 'at most 0.1 ×',
    isMet: value <= 0.1,
  };
}
