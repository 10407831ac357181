import {
  blocked,
  didNotHappen,
  type Finding,
  failed,
  happened,
  type JsonObject,
  notKnownYet,
  ok,
  tool,
} from 'forthright';
import { z } from 'zod';
import type { Order } from './billing-book.ts';
import { type FindTicket, findTicket, ticketForm } from './tickets.ts';

/** Who is signed in: supplied by the host, never seen by the model. */
const deskContext = z.object({ customer: z.string() });

/** What the desk's tools are made for. */
export interface DeskToolOptions {
  readonly billingUrl: string;
  /** How long a write may take before its outcome is told, in milliseconds. */
  readonly timeoutMs?: number;
  /** The longest life of one request to billing, in milliseconds. */
  readonly requestMaxMs?: number;
  /** How long billing may still act after a connection broke, in milliseconds. */
  readonly marginMs?: number;
  readonly tickets?: FindTicket;
}

const orderId = z.int().describe('The number of the order.');
const date = z.iso.date().describe('A day, yyyy-MM-dd.');

/** The tools of the desk: orders, refunds, addresses and tickets of the customer who is signed in. */
export function deskTools(options: DeskToolOptions) {
  return [
    getOrder(options),
    findOrders(options),
    refundOrder(options),
    setAddress(options),
    draftReply(options),
  ] as const;
}

function getOrder({ billingUrl }: DeskToolOptions) {
  return tool({
    name: 'get_order',
    description: 'Looks up one order of the customer.',
    effect: 'read',
    context: deskContext,
    input: z.object({ orderId }),
    lane: ({ orderId }) => `order:${orderId}`,
    async run({ orderId }, { context, signal }) {
      const order = await fetchOrder(billingUrl, orderId, signal);
      return order?.customer === context.customer
        ? ok(`Order ${orderId}: ${order.item}, ${money(order.totalCents)}.`, { ...order })
        : noOrder(orderId);
    },
  });
}

function findOrders({ billingUrl }: DeskToolOptions) {
  return tool({
    name: 'find_orders',
    description: 'Finds the orders of the customer in a range of days, both included.',
    effect: 'read',
    context: deskContext,
    input: z.object({ startDate: date, endDate: date }),
    askUser: ['startDate', 'endDate'],
    async run({ startDate, endDate }, { context, signal }) {
      if (endDate < startDate) return reversedRange;
      const response = await fetch(`${billingUrl}/orders`, { signal });
      const orders = ((await response.json()) as Order[]).filter(
        ({ customer, placedOn }) =>
          customer === context.customer && startDate <= placedOn && placedOn <= endDate,
      );
      return ok(
        `${orders.length} orders.`,
        orders.map((order) => ({ ...order })),
      );
    },
  });
}

const reversedRange = failed(
  'invalid_date_range',
  'The end date must be on or after the start date.',
  {
    outputs: { parameterName: 'endDate', expectedShape: 'date on or after startDate' },
    nextActions: ['Retry with an endDate that is on or after startDate.'],
  },
);

function refundOrder({ billingUrl, tickets: _, ...times }: DeskToolOptions) {
  return tool({
    name: 'refund_order',
    description: 'Refunds part or all of an order.',
    effect: 'write',
    context: deskContext,
    input: z.object({
      orderId,
      amountCents: z.int().positive().describe('How much, in cents.'),
      reason: z.string().describe('Why, in a few words.'),
    }),
    key: { ignore: ['reason'] },
    lane: ({ orderId }) => `order:${orderId}`,
    repeat: true,
    ...times,
    async run({ orderId, amountCents, reason }, ctx) {
      const order = await ctx.read(() => fetchOrder(billingUrl, orderId, ctx.signal));
      if (order?.customer !== ctx.context.customer) return noOrder(orderId);
      const response = await ctx.fetch(`${billingUrl}/refunds`, {
        ...asJson('POST', { orderId, amountCents, reason }),
        acceptStatuses: [400],
      });
      const answer = (await response.json()) as { confirmation: string; leftCents: number };
      if (!response.ok) {
        const { leftCents } = answer;
        return failed('exceeds_order', `Only ${money(leftCents)} of the order can be refunded.`, {
          outputs: { parameterName: 'amountCents', leftCents },
        });
      }
      const { confirmation } = answer;
      return ok(`Refunded ${money(amountCents)} on order ${orderId}: ${confirmation}.`, {
        confirmation,
        orderId,
        amountCents,
      });
    },
    reconcile: (_, { key, signal }) => lookUp(`${billingUrl}/refunds?key=${key}`, signal),
  });
}

function setAddress({ billingUrl, tickets: _, ...times }: DeskToolOptions) {
  return tool({
    name: 'set_address',
    description: 'Sets where an order is delivered.',
    effect: 'write',
    context: deskContext,
    input: z.object({ orderId, address: z.string().min(1) }),
    lane: ({ orderId }) => `order:${orderId}`,
    idempotent: true,
    ...times,
    async run({ orderId, address }, ctx) {
      const order = await ctx.read(() => fetchOrder(billingUrl, orderId, ctx.signal));
      if (order?.customer !== ctx.context.customer) return noOrder(orderId);
      await ctx.fetch(`${billingUrl}/orders/${orderId}/address`, asJson('PUT', { address }));
      return ok(`Order ${orderId} goes to ${address}.`, { orderId, address });
    },
    reconcile: (_, { key, signal }) => lookUp(`${billingUrl}/addresses?key=${key}`, signal),
  });
}

function draftReply({ tickets = findTicket }: DeskToolOptions) {
  return tool({
    name: 'draft_reply',
    description: 'Drafts a reply to a support ticket.',
    effect: 'read',
    context: deskContext,
    input: z.object({ ticketId: z.string().describe(ticketForm) }),
    askUser: ['ticketId'],
    run({ ticketId }) {
      const ticket = tickets(ticketId);
      if (ticket === undefined) {
        return failed('ticket_not_found', `There is no ticket ${ticketId}.`, {
          outputs: { parameterName: 'ticketId', expectedShape: ticketForm },
        });
      }
      if (!ticket.hasBillingEvidence) {
        return blocked('The ticket is blocked until billing evidence is attached.', {
          outputs: { reason: 'missing_billing_evidence', ticketId },
          nextActions: ['Ask for billing evidence before drafting the reply again.'],
        });
      }
      return ok('Drafted.', { ticketId, draft: `Dear customer, about "${ticket.subject}": …` });
    },
  });
}

/** Asks billing what became of a write, by the key that it was sent with. */
async function lookUp(url: string, signal: AbortSignal): Promise<Finding> {
  const response = await fetch(url, { signal });
  if (!response.ok) return notKnownYet();
  const [done] = (await response.json()) as JsonObject[];
  return done === undefined ? didNotHappen() : happened(done);
}

async function fetchOrder(
  billingUrl: string,
  orderId: number,
  signal: AbortSignal,
): Promise<Order | undefined> {
  const response = await fetch(`${billingUrl}/orders/${orderId}`, { signal });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`billing answered ${response.status}`);
  return (await response.json()) as Order;
}

function noOrder(orderId: number) {
  return failed('order_not_found', `The customer has no order ${orderId}.`, {
    outputs: { parameterName: 'orderId' },
    nextActions: ['Ask the user for the number of the order.'],
  });
}

function asJson(method: string, body: object) {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** An amount as it is read: `20.00`. */
export function money(cents: number): string {
  return (cents / 100).toFixed(2);
}
