import type { Clock, JsonObject } from 'forthright';
import type { Message, Model, TurnCall } from 'forthright/agent';

/** What the tools of such an agent usually are: functions of parsed arguments. */
type NaiveTool = (args: JsonObject, signal: AbortSignal) => Promise<unknown>;

export interface NaiveOptions {
  readonly billingUrl: string;
  readonly model: Model;
  /** The machine's own if left out. */
  readonly clock?: Pick<Clock, 'after'>;
  readonly timeoutMs: number;
  /** Told of each call and of what the model was told of it. */
  onCalled?(call: TurnCall, told: string): void;
}

/**
 * The desk as it is written today: `JSON.parse`, a cast, a fetch with a timeout and the usual retry
 * policy of an HTTP client, and what is thrown becomes "Error: …" for the model.
 */
export class NaiveAgent {
  readonly #options: NaiveOptions;
  readonly #tools: Readonly<Record<string, NaiveTool>>;
  messages: Message[] = [];

  constructor(options: NaiveOptions) {
    this.#options = options;
    this.#tools = naiveTools(options);
  }

  /** One turn of the user's. */
  async say(
    user: string,
    signal: AbortSignal,
    model: Model = this.#options.model,
  ): Promise<string> {
    this.messages.push({ role: 'user', text: user });
    for (let round = 0; round < 8 && !signal.aborted; round += 1) {
      const turn = await model.next(this.messages, { tools: [], signal });
      if (turn.kind !== 'tool_calls') {
        const text = turn.kind === 'reply' ? turn.text : '';
        this.messages.push({ role: 'assistant', text, calls: [] });
        return text;
      }
      this.messages.push({ role: 'assistant', text: '', calls: turn.calls });
      const texts = await Promise.all(turn.calls.map((call) => this.#run(call, signal)));
      for (const [index, call] of turn.calls.entries()) this.#give(call, texts[index] ?? '');
    }
    return '';
  }

  #give(call: TurnCall, text: string): void {
    this.#options.onCalled?.(call, text);
    this.messages.push({ role: 'tool', callId: call.id, name: call.name, text });
  }

  async #run({ name, arguments: text }: TurnCall, signal: AbortSignal): Promise<string> {
    try {
      const tool = this.#tools[name];
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return JSON.stringify(await tool(JSON.parse(text), signal));
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

function naiveTools({
  billingUrl,
  clock = machineClock,
  timeoutMs,
}: NaiveOptions): Readonly<Record<string, NaiveTool>> {
  const send = async (path: string, method: string, body: object | null, signal: AbortSignal) => {
    const late = new AbortController();
    const callOff = clock.after(timeoutMs, () => late.abort(new Error('timed out')));
    const init = {
      method,
      ...(body === null
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    };
    try {
      const both = AbortSignal.any([signal, late.signal]);
      const response = await retried(`${billingUrl}${path}`, init, both);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return await response.json();
    } finally {
      callOff();
    }
  };
  return {
    get_order: ({ orderId }, signal) => send(`/orders/${orderId}`, 'GET', null, signal),
    find_orders: (_, signal) => send('/orders', 'GET', null, signal),
    refund_order: async ({ orderId, amountCents, reason }, signal) => {
      await send(`/orders/${orderId}`, 'GET', null, signal);
      return send('/refunds', 'POST', { orderId, amountCents, reason }, signal);
    },
    set_address: ({ orderId, address }, signal) =>
      send(`/orders/${orderId}/address`, 'PUT', { address }, signal),
    draft_reply: async ({ ticketId }) => ({ ticketId, draft: 'Dear customer, …' }),
  };
}

const machineClock: Pick<Clock, 'after'> = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The standard policy: what is transient is tried once more, whatever the method. */
async function retried(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, signal });
    if (response.status < 500) return response;
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return fetch(url, { ...init, signal });
}
