import type { Finding } from '../call/evidence.ts';
import type { JsonObject } from '../call/json.ts';
import { isWriteTool, type ReconcileCall, type WriteTool } from '../call/tool.ts';
import { within } from '../execute/bounded.ts';
import { wireKey } from '../key/key.ts';
import { type Entry, isUnsettled } from '../ledger/entry.ts';
import { contextFor } from './context.ts';
import { type Parts, step } from './parts.ts';
import { settleEntry } from './settle.ts';

/** What became of asking. */
export interface Reconciled {
  /** How many entries the remote system was asked about. */
  readonly asked: number;
  readonly settled: number;
  /** How many are open still: not known yet, not due, or with nobody to ask. */
  readonly open: number;
}

type Asking = 'settled' | 'asked' | 'not_asked';

const askMs = 30_000;
const longestPauseMs = 3_600_000;
const pageSize = 100;

/** Asks about every unsettled entry that is due, each by one asker at a time, across processes. */
export async function reconcileAll(parts: Parts): Promise<Reconciled> {
  let asked = 0;
  let settled = 0;
  let open = 0;
  let after: Entry | undefined;
  for (;;) {
    const page = await unsettledPage(parts, after);
    for (const entry of page) {
      if (!isUnsettled(entry, parts.settings.clock.nowMs())) continue;
      const asking = await askAbout(parts, entry);
      if (asking !== 'not_asked') asked += 1;
      if (asking === 'settled') settled += 1;
      else open += 1;
    }
    after = page.at(-1);
    if (page.length < pageSize || parts.closed.aborted) return { asked, settled, open };
  }
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
  if (tool === undefined || !isWriteTool(tool) || tool.spec.reconcile === undefined) {
    return 'not_asked';
  }
  try {
    const holdMs = pauseAfter(entry.asks);
    const turn = await step(parts, 'ask', parts.ledger.ask({ key: entry.key, holdMs }));
    if (turn.kind === 'refused') return 'not_asked';
    const finding = await ask(parts, tool, turn.entry);
    return finding === undefined ? 'asked' : await settleBy(parts, turn.entry, finding);
  } catch (cause) {
    const message = `asking about a write of ${entry.tool} failed`;
    parts.events.report({
      code: 'reconcile_failed',
      tool: entry.tool,
      key: entry.key,
      cause,
      message,
    });
    return 'asked';
  }
}

/** Longer than an answer may take, and twice as long after each asking, up to an hour. */
function pauseAfter(asks: number): number {
  return Math.min(askMs * 2 ** Math.min(asks, 20), longestPauseMs);
}

/** What the tool's reconcile found; undefined where it could not be asked properly. */
async function ask(parts: Parts, tool: WriteTool, entry: Entry): Promise<Finding | undefined> {
  const { clock, sealer } = parts.settings;
  const args = JSON.parse(await sealer.open(entry.input)) as JsonObject;
  const accepted = tool.accept(args);
  if (!accepted.ok) throw new TypeError('the stored arguments no longer fit the tool');
  const context = await contextFor(tool, await parts.settings.contextFor?.(entry), parts);
  if (!context.ok) return undefined;
  const over = new AbortController();
  const call: ReconcileCall<unknown> = {
    context: context.value,
    scope: entry.scope,
    signal: over.signal,
    key: wireKey(entry.key, entry.generation),
    note: entry.note === null ? undefined : await sealer.open(entry.note),
    sentAtMs: entry.firstSentAtMs ?? undefined,
  };
  try {
    const asking = Promise.resolve(tool.spec.reconcile?.(accepted.value.input, call as never));
    return readFinding(await within(clock, askMs, `reconcile of ${tool.name}`, asking));
  } finally {
    over.abort(new Error('This asking is over.'));
  }
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
    ...(finding.finding === 'happened' ? { data: finding.data } : {}),
  };
  const { kind } = await settleEntry(parts, entry.key, finding.finding, grounds);
  return kind === 'settled' ? 'settled' : 'asked';
}
