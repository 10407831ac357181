import type { JsonValue } from '../call/json.ts';
import { failed, ok, type ToolResult } from '../call/result.ts';
import { safeJson } from '../call/safe-json.ts';
import type { Entry } from '../ledger/entry.ts';
import type { SettleAnswer } from '../ledger/ledger.ts';
import { type Parts, step } from './parts.ts';
import { sealResult } from './told.ts';

/** Why a verdict is given, by whom, and what the remote system said. */
export interface VerdictGrounds {
  readonly by: string;
  readonly why: string;
  readonly data?: JsonValue;
  /** When the remote system was looked at, by the ledger's clock, in milliseconds since 1970; left out: now. */
  readonly lookedAtMs?: number;
  /** Which write of this key it was: the number at the end of the key on the wire; left out: the latest. */
  readonly generation?: number;
  /** What whoever decides has seen of the entry: refused where another verdict, or an attempt, came first. */
  readonly seen?: Pick<Entry, 'state' | 'token'>;
}

/** Gives a verdict from outside; rejects only where the ledger does not answer. */
export async function settleEntry(
  parts: Parts,
  key: string,
  verdict: 'happened' | 'did_not_happen',
  grounds: VerdictGrounds,
): Promise<SettleAnswer> {
  const { value } = safeJson(grounds.data ?? null, parts.settings.maxDataLength);
  const told = verdictResult(verdict, value);
  const { by, why, lookedAtMs, generation, seen } = grounds;
  const result = await sealResult(told, 'settle', parts);
  const looked = {
    ...(lookedAtMs === undefined ? {} : { lookedAtMs }),
    ...(generation === undefined ? {} : { generation }),
    ...(seen === undefined ? {} : { seen }),
  };
  const request = { key, verdict, by, why, result, ...looked };
  const before = verdict === 'happened' ? await lookUp(parts, key) : undefined;
  const answer = await step(parts, 'settle', parts.ledger.settle(request));
  if (answer.kind !== 'settled') return answer;
  if (before?.failedBy === 'verdict') {
    const { tool } = answer.entry;
    parts.events.report({ code: 'verdict_refuted', tool, key, message: `${tool} ${refuted}` });
  }
  announce(parts, answer.entry);
  return answer;
}

/** Said where proof came after a verdict. */
export const refuted = 'was settled as not having happened, and it did';

function lookUp(parts: Parts, key: string): Promise<Entry | undefined> {
  return step(parts, 'get', parts.ledger.get(key)).catch(() => undefined);
}

/** The result that a verdict leaves in the ledger. */
export function verdictResult(verdict: 'happened' | 'did_not_happen', data: JsonValue): ToolResult {
  return verdict === 'happened'
    ? ok('It was confirmed to have happened.', data)
    : failed('confirmed_not_done', 'It was confirmed not to have happened.');
}

function announce(parts: Parts, entry: Entry): void {
  const { tool, scope, key, verdict } = entry;
  const state = entry.state === 'ok' ? 'ok' : 'failed';
  parts.events.emit({ type: 'settled', tool, scope, key, state, ...(verdict ? { verdict } : {}) });
  parts.onLateSettlement();
}
