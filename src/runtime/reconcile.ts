import { randomUUID } from 'node:crypto';
import { type Finding, notKnownYet } from '../call/evidence.ts';
import type { JsonObject } from '../call/json.ts';
import { isWriteTool, type ReconcileCall, type WriteTool } from '../call/tool.ts';
import { within } from '../execute/bounded.ts';
import { outsideRun } from '../execute/run-scope.ts';
import { wireKey } from '../key/key.ts';
import { type Entry, isUnsettled } from '../ledger/entry.ts';
import { contextFor } from './context.ts';
import { type Parts, step, writeTimes } from './parts.ts';
import { settleEntry } from './settle.ts';
import { WriteAttempt } from './write-attempt.ts';

/** What became of asking. */
export interface Reconciled {
  /** How many entries the remote system was asked about. */
  readonly asked: number;
  readonly settled: number;
  /** How many are open still: not known yet, not due, or with nobody to ask. */
  readonly open: number;
  /** How many of those have been open for longer than `overdueMs`. */
  readonly overdue: number;
}

type Asking = 'settled' | 'asked' | 'not_asked';

const askMs = 30_000;
const longestPauseMs = 3_600_000;
const pageSize = 100;
const mostRaised = 10_000;

/** Asks about every unsettled entry that is due, each by one asker at a time, across processes. */
export async function reconcileAll(parts: Parts): Promise<Reconciled> {
  let asked = 0;
  let settled = 0;
  let open = 0;
  let overdue = 0;
  let oldestMs = 0;
  const { clock } = parts.settings;
  const startedMs = clock.monotonicMs();
  let after: Entry | undefined;
  for (;;) {
    const page = await unsettledPage(parts, after);
    for (const entry of page) {
      // Only the store's clock says whether an owner still lives: it is asked about each of them.
      const asking = await askAbout(parts, entry);
      if (asking !== 'not_asked') asked += 1;
      if (asking === 'settled') {
        settled += 1;
        continue;
      }
      if (asking === 'not_asked' && !isUnsettled(entry, clock.nowMs())) continue;
      open += 1;
      oldestMs = Math.max(oldestMs, openForMs(parts, entry));
      if (raise(parts, entry)) overdue += 1;
    }
    after = page.at(-1);
    if (page.length < pageSize || parts.closed.aborted) {
      const reconciled = { asked, settled, open, overdue };
      const durationMs = clock.monotonicMs() - startedMs;
      parts.events.emit({ type: 'reconciled', ...reconciled, oldestMs, durationMs });
      return reconciled;
    }
  }
}

/** Asks about one entry, if it is unsettled and due. */
export async function reconcileOne(parts: Parts, key: string): Promise<Reconciled> {
  const entry = await step(parts, 'get', parts.ledger.get(key));
  const asking = entry === undefined ? 'not_asked' : await askAbout(parts, entry);
  const isOpen =
    entry !== undefined &&
    asking !== 'settled' &&
    (asking === 'asked' || isUnsettled(entry, parts.settings.clock.nowMs()));
  return {
    asked: asking === 'not_asked' ? 0 : 1,
    settled: asking === 'settled' ? 1 : 0,
    open: isOpen ? 1 : 0,
    overdue: isOpen && raise(parts, entry) ? 1 : 0,
  };
}

function openForMs({ settings }: Parts, entry: Entry): number {
  return settings.clock.nowMs() - (entry.firstSentAtMs ?? entry.updatedAtMs);
}

/** Reports an entry that has been open for too long, once in a process. Says whether it has. */
function raise(parts: Parts, entry: Entry): boolean {
  const openMs = openForMs(parts, entry);
  if (openMs < parts.settings.overdueMs) return false;
  if (parts.raised.has(entry.key)) return true;
  if (parts.raised.size >= mostRaised) parts.raised.clear();
  parts.raised.add(entry.key);
  const { tool, key } = entry;
  const message = `a write of ${tool} has been unsettled for ${Math.round(openMs / 1000)} s; look at the remote system and settle it`;
  parts.events.report({ code: 'overdue', tool, key, message });
  return true;
}

/** Asks about one entry, if it is unsettled and due; never rejects. */
export async function askAboutKey(parts: Parts, key: string): Promise<void> {
  const entry = await step(parts, 'get', parts.ledger.get(key)).catch(() => undefined);
  if (entry !== undefined) await askAbout(parts, entry);
}

function unsettledPage(parts: Parts, after: Entry | undefined): Promise<readonly Entry[]> {
  const states = ['unknown', 'dispatched', 'claimed'] as const;
  return step(
    parts,
    'list',
    parts.ledger.list({ states, limit: pageSize, ...(after ? { after } : {}) }),
  );
}

async function askAbout(parts: Parts, entry: Entry): Promise<Asking> {
  const tool = parts.toolset.find(entry.tool);
  if (entry.state === 'claimed' && entry.restsOn === 'failed') return 'not_asked';
  if (tool === undefined || !isWriteTool(tool) || !canBeAsked(tool)) return 'not_asked';
  try {
    const holdMs = Math.max(pauseAfter(entry.asks), answerMs(tool, parts));
    const turn = await step(parts, 'ask', parts.ledger.ask({ key: entry.key, holdMs }));
    if (turn.kind === 'refused') return 'not_asked';
    return await outsideRun(() => askInTurn(parts, tool, turn.entry));
  } catch (cause) {
    const message = `asking about a write of ${entry.tool} failed`;
    const code = 'reconcile_failed';
    parts.events.report({ code, tool: entry.tool, key: entry.key, cause, message });
    return 'asked';
  }
}

/** Whether there is a way to ask what became of a tool's writes. */
function canBeAsked({ spec }: WriteTool): boolean {
  return spec.reconcile !== undefined || spec.remoteKeyMs !== undefined;
}

/** The longest that asking may take: the tool's reconcile, or a whole run of it. */
function answerMs(tool: WriteTool, parts: Parts): number {
  const { timeoutMs, requestMaxMs } = writeTimes(tool, parts.settings);
  return tool.spec.remoteKeyMs === undefined ? askMs : askMs + timeoutMs + requestMaxMs;
}

/** First by the tool's reconcile; then, where the remote honours keys, by sending the same again. */
async function askInTurn(parts: Parts, tool: WriteTool, entry: Entry): Promise<Asking> {
  const question = await questionOf(parts, tool, entry);
  if (question === undefined) return 'asked';
  const finding = await ask(parts, tool, question);
  if (finding.finding !== 'not_known_yet') return settleBy(parts, entry, finding);
  if (tool.spec.remoteKeyMs === undefined) return 'asked';
  await sendAgain(parts, tool, question);
  const now = await step(parts, 'get', parts.ledger.get(entry.key));
  return now?.state === 'ok' || now?.state === 'failed' ? 'settled' : 'asked';
}

/** Longer than an answer may take, and twice as long after each asking, up to an hour. */
function pauseAfter(asks: number): number {
  return Math.min(askMs * 2 ** Math.min(asks, 20), longestPauseMs);
}

/** An entry, with what its tool needs to ask about it. */
interface Question {
  readonly entry: Entry;
  readonly input: unknown;
  readonly context: unknown;
}

/** Undefined where the host has no context for it. */
async function questionOf(
  parts: Parts,
  tool: WriteTool,
  entry: Entry,
): Promise<Question | undefined> {
  const { sealer } = parts.settings;
  const args = JSON.parse(await sealer.open(entry.input)) as JsonObject;
  const accepted = tool.accept(args);
  if (!accepted.ok) throw new TypeError('the stored arguments no longer fit the tool');
  const context = await contextFor(tool, await parts.settings.contextFor?.(entry), parts);
  if (!context.ok) return undefined;
  return { entry, input: accepted.value.input, context: context.value };
}

async function ask(parts: Parts, tool: WriteTool, question: Question): Promise<Finding> {
  if (tool.spec.reconcile === undefined) return notKnownYet();
  const { entry, input, context } = question;
  const { clock, sealer } = parts.settings;
  const over = new AbortController();
  const startedMs = clock.monotonicMs();
  let heard: Finding['finding'] | 'not_found_out' = 'not_found_out';
  const call: ReconcileCall<unknown> = {
    context,
    scope: entry.scope,
    signal: over.signal,
    key: wireKey(entry),
    note: entry.note === null ? undefined : await sealer.open(entry.note),
    sentAtMs: entry.firstSentAtMs ?? undefined,
  };
  try {
    const asking = Promise.resolve(tool.spec.reconcile(input, call));
    const finding = readFinding(await within(clock, askMs, `reconcile of ${tool.name}`, asking));
    heard = finding.finding;
    return finding;
  } finally {
    const durationMs = clock.monotonicMs() - startedMs;
    const { key } = entry;
    parts.events.emit({ type: 'asked', tool: tool.name, key, finding: heard, durationMs });
    over.abort(new Error('This asking is over.'));
  }
}

async function sendAgain(parts: Parts, tool: WriteTool, question: Question): Promise<void> {
  const { scope } = question.entry;
  const request = {
    call: 0,
    tool,
    ...question,
    scope,
    signal: undefined,
    askAgainId: randomUUID(),
  };
  await new WriteAttempt(parts, request).tell();
}

function readFinding(value: unknown): Finding {
  const finding: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'finding') : undefined;
  if (finding === 'happened' || finding === 'did_not_happen' || finding === 'not_known_yet') {
    return value as Finding;
  }
  throw new TypeError('reconcile must return happened(), didNotHappen() or notKnownYet()');
}

async function settleBy(parts: Parts, entry: Entry, finding: Finding): Promise<Asking> {
  if (finding.finding === 'not_known_yet') return 'asked';
  const grounds = {
    by: 'reconcile',
    why: 'the remote system was asked',
    // The answer may have taken long: what the remote system did since then is not in it.
    lookedAtMs: entry.updatedAtMs,
    generation: entry.generation,
    ...(finding.finding === 'happened' ? { data: finding.data } : {}),
  };
  const { kind } = await settleEntry(parts, entry.key, finding.finding, grounds);
  return kind === 'settled' ? 'settled' : 'asked';
}
