import type { OutcomeName } from '../call/codes.ts';
import type { JsonValue } from '../call/json.ts';
import type { Entry, EntryState } from '../ledger/entry.ts';
import type { ReplyGuard } from '../reply/reply-guard.ts';
import type {
  ReplyCheck,
  ReplyEntry,
  ReplyFinding,
  ReplyGuarding,
  ReplyOptions,
  ReplyTool,
} from '../reply/types.ts';
import { type Parts, step } from './parts.ts';
import { openResult } from './told.ts';

const pageSize = 100;
const mostEntries = 1000;

const outcomes: Readonly<Record<EntryState, OutcomeName>> = {
  claimed: 'unknown',
  dispatched: 'unknown',
  unknown: 'unknown',
  ok: 'ok',
  failed: 'failed',
};

/** Holds a reply against the record of its scope and what reads showed there. */
export async function checkScopeReply(
  parts: Parts,
  scope: string,
  text: string,
  options: ReplyOptions,
): Promise<ReplyCheck> {
  const { clock } = parts.settings;
  const entries = await replyEntries(parts, scope);
  // Its lexicons are loaded by those who use them.
  const { checkReply } = await import('../reply/check.ts');
  const reads = options.reads ?? parts.reads.of(scope);
  const startedMs = clock.monotonicMs();
  const check = checkReply(text, entries, { ...options, reads, tools: toolsOf(parts, options) });
  const durationMs = clock.monotonicMs() - startedMs;
  const { verdict, findings } = check;
  parts.events.emit({ type: 'reply_checked', scope, verdict, findings, durationMs });
  return check;
}

/** Guards a reply of a scope while it is written; see `Runtime.guardReply`. */
export function guardScopeReply(parts: Parts, scope: string, options: ReplyOptions): ReplyGuarding {
  const { clock } = parts.settings;
  const findings: ReplyFinding[] = [];
  let busyMs = 0;
  let made: Promise<ReplyGuard> | undefined;
  const guard = (): Promise<ReplyGuard> => {
    made ??= import('../reply/reply-guard.ts').then(
      ({ ReplyGuard }) =>
        new ReplyGuard({
          ...options,
          tools: toolsOf(parts, options),
          // What reads show while the reply is written counts as well.
          get reads() {
            return options.reads ?? parts.reads.of(scope);
          },
          entries: () => replyEntries(parts, scope),
          onFinding: (finding) => findings.push(finding),
        }),
    );
    return made;
  };
  const timed = async (work: () => Promise<string>): Promise<string> => {
    const startedMs = clock.monotonicMs();
    const text = await work();
    busyMs += clock.monotonicMs() - startedMs;
    return text;
  };
  return {
    findings,
    push: (chunk) => timed(async () => (await guard()).push(chunk)),
    async end() {
      const text = await timed(async () => (await guard()).end());
      const verdict = findings.length === 0 ? 'pass' : 'corrected';
      parts.events.emit({ type: 'reply_checked', scope, verdict, findings, durationMs: busyMs });
      return text;
    },
  };
}

/** The writes of a scope, as the reply check takes them: the latest thousand. */
async function replyEntries(parts: Parts, scope: string): Promise<readonly ReplyEntry[]> {
  const found: Entry[] = [];
  let after: Entry | undefined;
  do {
    const query = { scope, limit: pageSize, ...(after ? { after } : {}) };
    const page = await step(parts, 'list', parts.ledger.list(query));
    found.push(...page);
    found.splice(0, found.length - mostEntries);
    after = page.length < pageSize ? undefined : page.at(-1);
  } while (after !== undefined);
  return Promise.all(found.map((entry) => replyEntry(parts, entry)));
}

async function replyEntry(parts: Parts, entry: Entry): Promise<ReplyEntry> {
  const { key, tool, state } = entry;
  const input = JSON.parse(await parts.settings.sealer.open(entry.input)) as JsonValue;
  const result = state === 'ok' ? await openResult(entry, parts) : undefined;
  const data = result?.outcome === 'ok' ? { data: result.data } : {};
  return { tool, input, key, effect: 'write', outcome: outcomes[state], ...data };
}

function toolsOf(parts: Parts, options: ReplyOptions): Readonly<Record<string, ReplyTool>> {
  const known = parts.toolset.tools.map(({ name, spec: { description, effect } }) => [
    name,
    { description, effect, ...options.tools?.[name] },
  ]);
  return { ...options.tools, ...Object.fromEntries(known) };
}
