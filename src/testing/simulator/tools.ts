import { type Evidence, notSent } from '../../call/evidence.ts';
import { failed, ok, type ToolResult, unknown } from '../../call/result.ts';
import type { AnyTool, SendRequest, WriteCall } from '../../call/tool.ts';
import { tool } from '../../decode/define-tool.ts';
import { sumEvidence } from '../../http/classify.ts';
import type { Act, CallRecord } from './acts.ts';
import { times } from './numbers.ts';
import type { Process } from './process.ts';
import type { Manner } from './step.ts';
import type { World } from './world.ts';

/** What a simulated write tool is like. */
export interface ToolKind {
  readonly name: string;
  /** Whether the remote can be asked what became of it. */
  readonly asked: boolean;
  /** Whether the remote honours its keys. */
  readonly keyed?: true;
  readonly idempotent?: true;
  readonly repeat?: true;
  readonly keepLane?: false;
  readonly twin?: 'wait';
}

/** One of each sort that the runtime treats in a way of its own. */
export const kinds: readonly ToolKind[] = [
  { name: 'refund', asked: true },
  { name: 'gift', asked: false, twin: 'wait' },
  { name: 'charge', asked: true, keyed: true },
  { name: 'fee', asked: false, keyed: true },
  { name: 'address', asked: true, idempotent: true },
  { name: 'message', asked: true, keepLane: false },
  { name: 'parcel', asked: true, repeat: true },
];

/** What the host gives to each call, and to whoever asks about an entry later. */
export interface SimulatedContext {
  readonly world: World;
  readonly process: Process;
  /** Absent where an entry is asked about. */
  readonly call?: CallRecord;
}

interface Input {
  readonly order: number;
  readonly amount: number;
}

const plain: Manner = { before: 'sends', connects: false, after: 'is truthful' };

/** The lane of a kind's writes to one order. */
export function laneOf(kind: ToolKind, { order }: Pick<Input, 'order'>): string {
  return kind.idempotent === true ? `address:${order}` : `order:${order}`;
}

/** The tools of every simulated process: made once, since their schemas are compiled. */
export const simulatedTools: readonly AnyTool[] = kinds.map((kind) =>
  tool({
    name: kind.name,
    description: `A write of the kind ${kind.name}.`,
    effect: 'write',
    input: {
      type: 'object',
      properties: {
        order: { type: 'integer' },
        amount: { type: 'integer' },
        reason: { type: 'string' },
      },
      required: ['order', 'amount'],
      additionalProperties: false,
    },
    key: { ignore: ['reason'] },
    lane: (input) => laneOf(kind, input as unknown as Input),
    timeoutMs: times.timeoutMs,
    requestMaxMs: times.requestMaxMs,
    marginMs: times.marginMs,
    replayMs: times.replayMs,
    ...(kind.keyed === true ? { remoteKeyMs: times.remoteKeyMs } : {}),
    ...(kind.idempotent === true ? { idempotent: true } : {}),
    ...(kind.repeat === true ? { repeat: true } : {}),
    ...(kind.keepLane === false ? { keepLane: false } : {}),
    ...(kind.twin === undefined ? {} : { twin: kind.twin }),
    run: (input, call) => run(kind, input as unknown as Input, call as WriteCall<SimulatedContext>),
    ...(kind.asked
      ? {
          reconcile: (_input, { key, context }) => {
            const { world, process } = context as SimulatedContext;
            return world.remote.ask(process, key);
          },
        }
      : {}),
  }),
);

async function run(
  kind: ToolKind,
  input: Input,
  ctx: WriteCall<SimulatedContext>,
): Promise<ToolResult<never>> {
  const { world, process, call } = ctx.context;
  const manner = call?.plan.manner ?? plain;
  const act = world.begin(kind, input, ctx.key, process, call);
  await prepare(manner, act, ctx);
  if (manner.before === 'refuses') return failed('not_allowed', 'It is not allowed.');
  if (manner.before === 'throws') throw new Error('broken');
  const sending = ctx.dispatch((request) => send(act, manner, request, ctx.context));
  if (manner.after === 'does not wait') {
    sending.catch(() => undefined);
    return ok('Done.', null as never);
  }
  const evidence = await sending;
  if (manner.after === 'throws') throw new Error('broken');
  if (manner.after === 'says failed') return failed('no', 'It did not work.');
  return say(evidence);
}

function say(evidence: Evidence): ToolResult<never> {
  if (evidence.evidence === 'answered') return ok('Done.', evidence.value as never);
  if (evidence.evidence === 'none') return unknown('sent_no_answer', 'No answer.');
  return failed('refused', 'It was refused.');
}

async function prepare(
  { before }: Manner,
  act: Act,
  { context, signal }: WriteCall<SimulatedContext>,
): Promise<void> {
  if (before !== 'thinks' && before !== 'thinks and ignores its signal') return;
  await context.world.takesTime(context.process, () => `the tool of ${act.words()}`);
  if (before === 'thinks') signal.throwIfAborted();
}

/** Sends, twice where the remote honours keys and nothing came back. */
async function send(
  act: Act,
  manner: Manner,
  request: SendRequest,
  { world, process }: SimulatedContext,
): Promise<Evidence> {
  const sends: Evidence[] = [];
  if (manner.connects) await world.takesTime(process, () => `the connection of ${act.words()}`);
  for (let n = 1; n <= (act.kind.keyed === true ? 2 : 1); n += 1) {
    if (!request.maySend() || request.signal.aborted) {
      sends.push(notSent('the time for sending is over'));
      break;
    }
    await world.beforeSend(process, act);
    const evidence = await world.remote.send(act, process, request.key, request.signal);
    sends.push(evidence);
    if (evidence.evidence !== 'none') break;
  }
  return sumEvidence(sends);
}
