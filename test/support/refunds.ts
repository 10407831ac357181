import { z } from 'zod';
import type { Clock } from '../../src/call/clock.ts';
import { answered, type Evidence } from '../../src/call/evidence.ts';
import type { WriteSpec } from '../../src/call/tool.ts';
import {
  type AnyTool,
  createRuntime,
  failed,
  type Ledger,
  type Logger,
  memoryLedger,
  ok,
  type Result,
  type Runtime,
  type RuntimeEvent,
  type RuntimeOptions,
  tool,
} from '../../src/index.ts';

/** Something that a test lets happen when it says so. */
export interface Latch<T = void> {
  readonly opened: Promise<T>;
  open(value: T): void;
  break(cause: unknown): void;
}

export function latch<T = void>(): Latch<T> {
  let open: (value: T) => void = () => undefined;
  let broken: (cause: unknown) => void = () => undefined;
  const opened = new Promise<T>((resolve, reject) => {
    open = resolve;
    broken = reject;
  });
  opened.catch(() => undefined);
  return { opened, open, break: broken };
}

export const silent: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const refundInput = z.object({
  orderId: z.int(),
  amountCents: z.int().positive(),
  reason: z.string().optional(),
});

export type RefundSpec = WriteSpec<'refund_order', typeof refundInput, unknown, never>;

/** A remote system in this process: it counts what it did. */
export class Remote {
  readonly effects: string[] = [];
  /** What it does with a request; by default it commits and answers at once. */
  behave: (key: string, commit: () => { confirmation: string }) => Promise<Evidence> = async (
    _key,
    commit,
  ) => answered(commit());

  async receive(key: string): Promise<Evidence> {
    return this.behave(key, () => {
      this.effects.push(key);
      return { confirmation: `r-${this.effects.length}` };
    });
  }
}

/** A refund tool that sends to `remote`, with whatever a test wants different. */
export function refundTool(remote: Remote, more: Partial<RefundSpec> = {}): AnyTool {
  return tool({
    name: 'refund_order',
    description: 'Refund part or all of an order.',
    input: refundInput,
    effect: 'write',
    key: { ignore: ['reason'] },
    lane: ({ orderId }) => `order:${orderId}`,
    async run(_input, ctx) {
      const sent = await ctx.dispatch(({ key }) => remote.receive(key));
      return sent.evidence === 'answered'
        ? ok('Refunded.', sent.value as never)
        : failed('refused_by_billing', 'Billing refused it.');
    },
    ...more,
  } as RefundSpec);
}

/** A runtime with one tool, what it reported, and a short way to call it. */
export interface Desk {
  readonly runtime: Runtime;
  readonly ledger: Ledger;
  readonly events: RuntimeEvent[];
  refund(
    args: object,
    more?: { scope?: string; signal?: AbortSignal; turn?: number },
  ): Promise<Result>;
  reports(): string[];
}

export function desk(
  tools: readonly AnyTool[],
  options: Partial<RuntimeOptions<readonly AnyTool[]>> & { readonly clock?: Clock } = {},
): Desk {
  const ledger = options.ledger ?? memoryLedger();
  const runtime = createRuntime({
    logger: silent,
    ...options,
    tools,
    ledger,
  }) as unknown as Runtime;
  const events: RuntimeEvent[] = [];
  runtime.on((event) => events.push(event));
  return {
    runtime,
    ledger,
    events,
    async refund(args, more = {}) {
      const { result } = await runtime.call({
        name: tools[0]?.name ?? '',
        arguments: JSON.stringify(args),
        scope: 'conversation-1',
        ...more,
      });
      return result;
    },
    reports: () => events.flatMap((event) => (event.type === 'report' ? [event.code] : [])),
  };
}

/** The same ledger, with some of its steps replaced. */
export function ledgerWith(ledger: Ledger, replaced: Partial<Ledger>): Ledger {
  return { ...ledger, ...replaced };
}
