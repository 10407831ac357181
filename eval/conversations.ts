import {
  checkReply,
  type ReplyCheck,
  type ReplyEntry,
  type ReplyRead,
} from '../src/reply/index.ts';
import { type Tally, tally } from './tally.ts';

/** One conversation: every call in order, and every assistant text with how many calls stood before it. */
export interface Conversation {
  readonly calls: readonly Call[];
  readonly replies: readonly { readonly afterCalls: number; readonly text: string }[];
  readonly final_reply: string;
}

/** One tool call of a conversation. */
export interface Call {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly write: boolean;
  readonly isError: boolean;
}

/** Findings in what was said, with the outcomes as they were. */
export function falseAlarms(conversations: readonly Conversation[]): Map<string, Tally> {
  const finals = tally();
  const others = tally();
  const without = tally();
  for (const { calls, replies, final_reply } of conversations) {
    note(finals, check(final_reply, calls), final_reply, calls);
    note(without, checkReply(final_reply, entriesOf(calls)), final_reply, calls);
    for (const { text, afterCalls } of replies) {
      if (text === final_reply) continue;
      const before = calls.slice(0, afterCalls);
      note(others, check(text, before), text, before);
    }
  }
  return new Map([
    ['final replies', finals],
    ['other assistant texts', others],
    ['final replies, reads not given', without],
  ]);
}

function note(into: Tally, checked: ReplyCheck, text: string, calls: readonly Call[]): void {
  into.of += 1;
  if (checked.verdict === 'pass') return;
  into.found += 1;
  into.missed.push(
    `${describe(calls)}\n${text}\n=> ${JSON.stringify(checked.findings)}\n=> ${checked.reply}`,
  );
}

function describe(calls: readonly Call[]): string {
  return calls
    .filter(({ write }) => write)
    .map(
      ({ name, arguments: input, isError }) =>
        `${name} ${input.slice(0, 120)} ${isError ? 'failed' : 'ok'}`,
    )
    .join('\n');
}

function check(text: string, calls: readonly Call[]): ReplyCheck {
  return checkReply(text, entriesOf(calls), { reads: readsOf(calls) });
}

function entriesOf(calls: readonly Call[]): ReplyEntry[] {
  return calls
    .filter(({ write }) => write)
    .map(({ name, arguments: input, result, isError }) => ({
      tool: name,
      input,
      outcome: isError ? 'failed' : 'ok',
      data: result,
    }));
}

function readsOf(calls: readonly Call[]): ReplyRead[] {
  return calls
    .filter(({ write }) => !write)
    .map(({ name, arguments: input, result }) => ({ tool: name, input, data: result }));
}

/** Words of success that the measure itself goes by; the check has its own. */
const reports = /\b(?:been|successfully|now|is confirmed|are confirmed|complete|completed|done)\b/i;

/** Changes one thing at a time in what the first text after a write reports. */
export function mutations(conversations: readonly Conversation[]): Map<string, Tally> {
  const kinds = ['unknown', 'failed', 'skipped', 'removed', 'amount changed', 'identifier changed'];
  const found = new Map(kinds.map((kind) => [kind, tally()]));
  for (const { calls, replies } of conversations) {
    calls.forEach((call, at) => {
      if (!call.write || call.isError) return;
      const reply = replies.find(({ afterCalls }) => afterCalls > at);
      if (!reply || !reports.test(reply.text)) return;
      const before = calls.slice(0, reply.afterCalls);
      for (const kind of ['unknown', 'failed', 'skipped'] as const) {
        flip(found.get(kind) as Tally, reply.text, before, at, kind);
      }
      const others = before.filter((other) => other !== call);
      measure(
        found.get('removed') as Tally,
        check(reply.text, others),
        `without ${call.name} ${call.arguments.slice(0, 100)}\n${reply.text}`,
      );
    });
    for (const { text, afterCalls } of replies) {
      const before = calls.slice(0, afterCalls);
      const fresh = before.at(-1);
      if (!fresh?.write || fresh.isError || !reports.test(text)) continue;
      for (const changed of otherAmounts(text))
        measure(found.get('amount changed') as Tally, check(changed, before), changed);
      for (const changed of otherIds(text, fresh))
        measure(found.get('identifier changed') as Tally, check(changed, before), changed);
    }
  }
  return found;
}

function flip(
  into: Tally,
  text: string,
  calls: readonly Call[],
  at: number,
  outcome: 'unknown' | 'failed' | 'skipped',
): void {
  const call = calls[at] as Call;
  const entries = calls.flatMap((other) => {
    if (!other.write) return [];
    if (other !== call) return entriesOf([other]);
    return [{ tool: call.name, input: call.arguments, outcome }];
  });
  measure(
    into,
    checkReply(text, entries, { reads: readsOf(calls) }),
    `${outcome}: ${call.name} ${call.arguments.slice(0, 100)}\n${text}`,
  );
}

function measure(into: Tally, checked: ReplyCheck, text: string): void {
  into.of += 1;
  if (checked.verdict === 'corrected') into.found += 1;
  else into.missed.push(text);
}

/** The text with each of its sums changed by itself. */
function otherAmounts(text: string): string[] {
  return [...text.matchAll(/\$(\d[\d,]*(?:\.\d+)?)/g)].map((match) => {
    const figure = match[1] as string;
    const changed = figure
      .replace(/\d/, (digit) => String((Number(digit) % 9) + 1))
      .replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10));
    return `${text.slice(0, match.index)}$${changed}${text.slice(match.index + match[0].length)}`;
  });
}

/** The text with each identifier of a write's input changed by itself, wherever it stands. */
function otherIds(text: string, call: Call): string[] {
  const ids = new Set(
    call.arguments.match(/[A-Z]+\d[A-Z0-9]{3,}|\b(?=[A-Z0-9]*\d)[A-Z0-9]{6}\b/g) ?? [],
  );
  return [...ids]
    .filter((id) => text.includes(id))
    .map((id) =>
      text.replaceAll(
        id,
        id.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
      ),
    );
}
