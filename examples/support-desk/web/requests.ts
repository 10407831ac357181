import { z } from 'zod';
import type { Fate, Turning } from './room.ts';

const fates = [
  'lose_answer',
  'commit_then_503',
  '503_without_commit',
  'hang_before_commit',
  'hang_after_commit',
  'crash_before_commit',
  'crash_after_commit',
  'worker_dies_before',
  'worker_dies_after',
] as const satisfies readonly Fate[];

/** Which scenario to play; null for a room in which nothing has happened. */
export const beginRequest = z.strictObject({ scenario: z.string().nullable() });

/** What the customer says, and what befalls the write that it leads to. */
export const sayRequest = z.strictObject({
  text: z.string().trim().min(1).max(2_000),
  fate: z.enum(fates).nullable(),
  realModel: z.boolean(),
});

const minute = 60_000;

/** What the visitor does to billing and to time. */
export const turnRequest: z.ZodType<Turning> = z.discriminatedUnion('turn', [
  z.strictObject({ turn: z.literal('latency'), ms: z.int().min(0).max(10_000) }),
  z.strictObject({ turn: z.literal('searchable'), on: z.boolean() }),
  z.strictObject({ turn: z.literal(['release', 'restart', 'ask']) }),
  z.strictObject({
    turn: z.literal('pass'),
    ms: z
      .int()
      .min(1)
      .max(24 * 60 * minute),
  }),
  z.strictObject({ turn: z.literal('decide'), verdict: z.enum(['granted', 'denied']) }),
]);
