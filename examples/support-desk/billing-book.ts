/** An order as billing knows it. Amounts are cents. */
export interface Order {
  readonly orderId: number;
  readonly customer: string;
  readonly item: string;
  readonly totalCents: number;
  /** yyyy-MM-dd */
  readonly placedOn: string;
  readonly address: string;
}

/** A refund that really happened. */
export interface Refund {
  readonly confirmation: string;
  readonly orderId: number;
  readonly amountCents: number;
  /** The Idempotency-Key it came with: kept as a reference, whether or not billing honours keys. */
  readonly key: string | null;
}

/** A change of address that really happened. */
export interface AddressChange {
  readonly orderId: number;
  readonly address: string;
  readonly key: string | null;
}

/** What billing answers: a status and a body. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Billing's own truth: what was really done, and in which order. It outlives a crash of the server. */
export class BillingBook {
  readonly refunds: Refund[] = [];
  readonly addresses: AddressChange[] = [];
  readonly #orders: Map<number, Order>;

  constructor(orders: readonly Order[] = someOrders) {
    this.#orders = new Map(orders.map((order) => [order.orderId, order]));
  }

  get orders(): readonly Order[] {
    return [...this.#orders.values()];
  }

  order(orderId: number): Order | undefined {
    return this.#orders.get(orderId);
  }

  refundedCents(orderId?: number): number {
    return this.refunds
      .filter((refund) => orderId === undefined || refund.orderId === orderId)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  refund(orderId: number, amountCents: number, key: string | null): Answer {
    const order = this.#orders.get(orderId);
    if (order === undefined) return { status: 404, body: { error: 'no such order' } };
    const leftCents = order.totalCents - this.refundedCents(orderId);
    if (!Number.isInteger(amountCents) || amountCents < 1 || amountCents > leftCents) {
      return { status: 400, body: { error: 'more than was paid', leftCents } };
    }
    const confirmation = `R-${1001 + this.refunds.length}`;
    this.refunds.push({ confirmation, orderId, amountCents, key });
    return { status: 201, body: { confirmation, orderId, amountCents } };
  }

  setAddress(orderId: number, address: string, key: string | null): Answer {
    const order = this.#orders.get(orderId);
    if (order === undefined) return { status: 404, body: { error: 'no such order' } };
    this.#orders.set(orderId, { ...order, address });
    this.addresses.push({ orderId, address, key });
    return { status: 200, body: { orderId, address } };
  }
}

const someOrders: readonly Order[] = [
  order(4512, 'ada', 'Desk lamp', 8_000, '2025-05-02', 'Rosenweg 1, Bern'),
  order(4513, 'ada', 'Bookshelf', 24_900, '2025-05-11', 'Rosenweg 1, Bern'),
  order(4514, 'ada', 'Kettle', 3_900, '2025-05-19', 'Rosenweg 1, Bern'),
  order(4515, 'ada', 'Armchair', 41_000, '2025-06-03', 'Rosenweg 1, Bern'),
  order(4516, 'ada', 'Curtains', 6_200, '2025-06-14', 'Rosenweg 1, Bern'),
  order(7781, 'grace', 'Bicycle', 89_000, '2025-05-23', 'Hafenstrasse 9, Basel'),
];

function order(
  orderId: number,
  customer: string,
  item: string,
  totalCents: number,
  placedOn: string,
  address: string,
): Order {
  return { orderId, customer, item, totalCents, placedOn, address };
}
