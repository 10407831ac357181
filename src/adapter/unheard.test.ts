import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answered } from '../call/evidence.ts';
import { ok } from '../call/result.ts';
import { tool } from '../decode/define-tool.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { createRuntime } from '../runtime/create-runtime.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { runAsWritten } from './as-written.ts';
import { CallTexts } from './call-texts.ts';
import type { ParsedJoined } from './parsed.ts';
import { keptRefusal, ownResult } from './unheard.ts';

const refund = tool({
  name: 'refund_order',
  description: 'Refund an order.',
  input: z.object({ orderId: z.int() }),
  effect: 'write',
  async run({ orderId }, ctx) {
    await ctx.dispatch(async () => answered(orderId));
    return ok('Refunded.');
  },
});

function joined(available: (context: unknown) => boolean = () => true): ParsedJoined {
  const tools = [tool({ ...refund.spec, available })];
  const runtime = createRuntime({ tools, ledger: memoryLedger() }) as unknown as Runtime;
  return { runtime, options: { scope: 's' }, texts: new CallTexts(runtime, 's') };
}

describe('a call for which the framework has words of its own', () => {
  it('is not said to have failed where its text is not known', () => {
    const place = joined();
    expect(ownResult(place, 'refund_order', 'c').outcome).toBe('unknown');
    expect(keptRefusal(place, 'refund_order', 'c')).toBeUndefined();
  });

  it('is not said to have failed by the text of a later call of the same id', () => {
    const place = joined();
    place.texts.keep('c', '{"orderId":4512}');
    place.texts.keep('c', '{"orderId":45');
    expect(place.texts.find('c')).toBe('{"orderId":45');
    expect(ownResult(place, 'refund_order', 'c').outcome).toBe('unknown');
  });

  it('is not said to have failed where its tool was offered when it ran, and no longer is', async () => {
    const place = joined((context) => context === 'open');
    const call = { name: 'refund_order', callId: 'c', input: { orderId: 4512 } };
    place.texts.keep('c', '{"orderId":4512}');
    const open = { ...place, options: { ...place.options, context: 'open' as never } };
    expect((await runAsWritten(open, call)).outcome).toBe('ok');
    expect(ownResult(place, 'refund_order', 'c').outcome).toBe('unknown');
    expect(keptRefusal(place, 'refund_order', 'other process')).toBeUndefined();
    place.texts.keep('never run', '{"orderId":4512}');
    expect(ownResult(place, 'refund_order', 'never run').code).toBe('unknown_tool');
  });

  it('failed where its text could not run, or there is no such tool', () => {
    const place = joined();
    place.texts.keep('c', '{}');
    expect(ownResult(place, 'refund_order', 'c').code).toBe('missing_argument');
    expect(ownResult(place, 'no_tool', 'd').code).toBe('unknown_tool');
  });
});
