import type { JsonObject } from 'forthright';
import type { Message, Model, Turn, TurnCall } from 'forthright/agent';

/**
 * A model for the desk that needs no provider: it reads plain wishes ("Refund 20.00 on order 4512
 * because it came late"), and does with a result what language models do: it reports success, tries
 * once more after an error, and asks the user where it is told to.
 */
export function deskModel(): Model {
  return { next: async (conversation) => nextTurn(conversation) };
}

/** How often one call is made within a turn of the user's. */
const mostTries = 2;

function nextTurn(conversation: readonly Message[]): Turn {
  const start = conversation.findLastIndex(({ role }) => role === 'user');
  const since = conversation.slice(start + 1);
  const rounds = since.filter(({ role }) => role === 'assistant').length;
  const results = lastResults(since);
  if (results.length === 0) {
    const user = conversation[start];
    const notice = since.findLast(({ role }) => role === 'notice');
    if (notice !== undefined) return say(tellDecision(notice.text));
    return firstTurn(user?.role === 'user' ? user.text : '', conversation);
  }
  const retries = results.filter(({ text }) => invitesRetry(text)).map(({ call }) => call);
  if (retries.length > 0 && rounds < mostTries) {
    return {
      kind: 'tool_calls',
      calls: retries.map((call) => reworded(call, conversation.length)),
    };
  }
  const told = results.map(({ text }) => tell(text)).filter((text) => text !== '');
  return say(told.join(' ') || 'It is being done right now.');
}

function firstTurn(wish: string, conversation: readonly Message[]): Turn {
  const found = wishes(wish, conversation);
  const meant = found.length > 0 ? found : answered(wish, conversation);
  const calls = meant.map(([name, args], index) => ({
    id: `call_${conversation.length}_${index + 1}`,
    name,
    arguments: JSON.stringify(args),
  }));
  return calls.length > 0 ? { kind: 'tool_calls', calls } : say('How can I help you?');
}

type Wish = readonly [name: string, args: JsonObject];

function wishes(text: string, conversation: readonly Message[]): readonly Wish[] {
  const again: JsonObject = /once more/i.test(text) ? { occurrence: 2 } : {};
  const refunds = [...text.matchAll(/refund (\d+\.\d\d) on order (\d+)(?: because ([^.,;]+))?/gi)];
  const addresses = [...text.matchAll(/send order (\d+) to ([^.;]+)/gi)];
  const found: Wish[] = [
    ...refunds.map(([, amount, orderId, reason = 'the customer asks for it']): Wish => {
      const amountCents = Math.round(Number(amount) * 100);
      return ['refund_order', { orderId: Number(orderId), amountCents, reason, ...again }];
    }),
    ...addresses.map(([, orderId, address = '']): Wish => {
      return ['set_address', { orderId: Number(orderId), address: address.trim() }];
    }),
  ];
  return found.length > 0 ? found : questions(text, conversation);
}

function questions(text: string, conversation: readonly Message[]): readonly Wish[] {
  if (/orders/i.test(text)) {
    const [, startDate] = /from (\d{4}-\d\d-\d\d)/.exec(text) ?? [];
    const [, endDate] = /(?:to|until) (\d{4}-\d\d-\d\d)/.exec(text) ?? [];
    return [
      ['find_orders', { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) }],
    ];
  }
  if (/\breply\b/i.test(text)) {
    const [ticketId] = /TCK-\d+/.exec(text) ?? [];
    return [['draft_reply', ticketId === undefined ? {} : { ticketId }]];
  }
  const ref = /what became of/i.test(text) ? lastRef(conversation) : undefined;
  if (ref !== undefined) return [['check_write', { ref }]];
  const [, orderId] = /order (\d+)/i.exec(text) ?? [];
  return orderId === undefined ? [] : [['get_order', { orderId: Number(orderId) }]];
}

/** The call of the turn before, with what it was asked for, if the user says that now. */
function answered(text: string, conversation: readonly Message[]): readonly Wish[] {
  const now = conversation.findLastIndex(({ role }) => role === 'user');
  const before = conversation.slice(0, now);
  const turn = before.slice(before.findLastIndex(({ role }) => role === 'user') + 1);
  const [said] = /TCK-\d+|\d{4}-\d\d-\d\d/.exec(text) ?? [];
  for (const { call, text: result } of lastResults(turn)) {
    const [, parameterName] = /"clarification":\{.*?"parameterName":"(\w+)"/.exec(result) ?? [];
    if (said === undefined || parameterName === undefined) continue;
    return [[call.name, { ...(JSON.parse(call.arguments) as JsonObject), [parameterName]: said }]];
  }
  return [];
}

/** The reference of the latest result that was not certain. */
function lastRef(conversation: readonly Message[]): string | undefined {
  const [, ref] =
    conversation
      .filter(({ role }) => role === 'tool')
      .map(({ text }) => /"ref":"(\w+)"/.exec(text))
      .findLast((match) => match !== null) ?? [];
  return ref;
}

interface CallResult {
  readonly call: TurnCall;
  readonly text: string;
}

function lastResults(since: readonly Message[]): readonly CallResult[] {
  const asked = since.findLast(
    (message) => message.role === 'assistant' && message.calls.length > 0,
  );
  if (asked?.role !== 'assistant') return [];
  const texts = new Map(
    since.flatMap((message) =>
      message.role === 'tool' ? [[message.callId, message.text] as const] : [],
    ),
  );
  return asked.calls.flatMap((call) => {
    const text = texts.get(call.id);
    return text === undefined ? [] : [{ call, text }];
  });
}

/** An error invites a second try; so does a result that says that the call may be made again. */
function invitesRetry(text: string): boolean {
  return text.startsWith('Error:') || text.includes('may be made again');
}

/** The same call in other words, as models make it. */
function reworded(call: TurnCall, salt: number): TurnCall {
  const args = JSON.parse(call.arguments) as JsonObject;
  const reason = typeof args.reason === 'string' ? { reason: `Second try: ${args.reason}` } : {};
  const text = JSON.stringify({ ...args, ...reason });
  return { id: `${call.id}_${salt}`, name: call.name, arguments: text };
}

function say(text: string): Turn {
  return { kind: 'reply', text };
}

/** A notice about what was decided ends with the result. */
function tellDecision(notice: string): string {
  const [, result] = notice.split('Its result: ');
  return result === undefined ? 'There is nothing to decide.' : tell(result);
}

function tell(text: string): string {
  if (text.startsWith('Error:')) return 'I am sorry, that did not work; nothing was changed.';
  const result = JSON.parse(text) as JsonObject;
  switch (result.outcome) {
    case undefined:
      return `Done: ${String(result.confirmation ?? result.address ?? text)}.`;
    case 'unknown':
      return 'It is being confirmed; I will not repeat it.';
    case 'skipped':
      return '';
    case 'failed': {
      const clarification = result.clarification as JsonObject | undefined;
      return String(clarification?.question ?? result.summary);
    }
    default:
      return String(result.summary);
  }
}
