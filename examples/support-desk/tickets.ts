/** A support ticket. */
export interface Ticket {
  readonly subject: string;
  readonly hasBillingEvidence: boolean;
}

/** Looks a ticket up; may throw, as any store may. */
export type FindTicket = (ticketId: string) => Ticket | undefined;

/** What a ticket's id looks like, for the model and the user. */
export const ticketForm = 'A ticket ID such as TCK-1042.';

const tickets = new Map<string, Ticket>([
  ['TCK-1042', { subject: 'Charged twice', hasBillingEvidence: false }],
  ['TCK-2001', { subject: 'Where is my lamp?', hasBillingEvidence: true }],
]);

/** The desk's tickets; one of them stands on a page that cannot be read. */
export function findTicket(ticketId: string): Ticket | undefined {
  if (ticketId === 'TCK-6660') {
    throw new Error('pg: password "hunter2" refused at /var/lib/desk/tickets.db:312');
  }
  return tickets.get(ticketId);
}
