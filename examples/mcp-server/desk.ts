import { type AnyTool, answered, failed, ok, tool } from 'forthright';
import { z } from 'zod';

/** The tools of a desk that keeps its tickets in memory. */
export function deskTools(): readonly AnyTool[] {
  const states = new Map([
    [1, 'open'],
    [2, 'open'],
  ]);
  const read = tool({
    name: 'get_ticket',
    description: 'Reads a ticket.',
    input: z.object({ ticketId: z.int() }),
    effect: 'read',
    run: async ({ ticketId }) => {
      const state = states.get(ticketId);
      if (state === undefined) return failed('no_such_ticket', `There is no ticket ${ticketId}.`);
      return ok(`Ticket ${ticketId} is ${state}.`, { ticketId, state });
    },
  });
  const close = tool({
    name: 'close_ticket',
    description: 'Closes a ticket.',
    input: z.object({ ticketId: z.int().describe('The number of the ticket.') }),
    effect: 'write',
    idempotent: true,
    askUser: ['ticketId'],
    lane: ({ ticketId }) => `ticket:${ticketId}`,
    run: async ({ ticketId }, ctx) => {
      await ctx.dispatch(async () => answered(states.set(ticketId, 'closed')));
      return ok(`Ticket ${ticketId} is closed.`);
    },
  });
  return [read, close];
}
