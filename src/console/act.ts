import type { JsonValue } from '../call/json.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Ledger, SettleAnswer } from '../ledger/ledger.ts';
import { verdictResult } from '../runtime/settle.ts';
import { json, problem } from './answers.ts';
import type { ConsoleOptions } from './options.ts';
import { viewOf } from './show.ts';
import type { Acted, EntryView, VerdictRequest } from './views.ts';

const longestBody = 65_536;
const longestWhy = 500;

/** The page's JSON; undefined where it is none, or too long. */
export async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.length > longestBody) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Records a person's verdict, if the entry still is as it was shown. */
export async function settle(
  ledger: Ledger,
  options: ConsoleOptions,
  operator: string | null,
  body: unknown,
): Promise<Response> {
  const asked = verdictFrom(body, operator);
  if ('problem' in asked) return problem(400, asked.problem);
  const answer = await giveVerdict(ledger, options, asked);
  if (answer.kind === 'no_entry') return json({ kind: 'no_entry' } satisfies Acted, 404);
  const entry = await view(ledger, options, answer.entry);
  switch (answer.kind) {
    case 'settled':
      return json({ kind: 'settled', entry } satisfies Acted);
    case 'too_early':
      return json({ kind: 'too_early', entry } satisfies Acted, 409);
    case 'not_settleable':
      return json({ kind: 'changed', entry } satisfies Acted, 409);
  }
}

/** Asks the remote system about one entry, now. */
export async function ask(
  ledger: Ledger,
  options: ConsoleOptions,
  body: unknown,
): Promise<Response> {
  const key = isRecord(body) ? body.key : undefined;
  if (typeof key !== 'string') return problem(400, 'The key is missing.');
  const { runtime } = options;
  if (runtime === undefined) return problem(409, 'No runtime is at hand here.');
  const { asked, settled } = await runtime.reconcile(key);
  const entry = await ledger.get(key);
  if (entry === undefined) return json({ kind: 'no_entry' } satisfies Acted, 404);
  const kind = settled > 0 ? 'settled' : asked > 0 ? 'asked' : 'not_asked';
  return json({ kind, entry: await view(ledger, options, entry) } satisfies Acted);
}

async function giveVerdict(
  ledger: Ledger,
  { runtime, sealer }: ConsoleOptions,
  asked: Verdict,
): Promise<SettleAnswer> {
  const { key, verdict, by, why, data, seen } = asked;
  const { generation } = seen;
  if (runtime !== undefined) {
    return runtime.settle(key, verdict, { by, why, data, generation, seen });
  }
  const text = JSON.stringify(verdictResult(verdict, data));
  const result = sealer === undefined ? text : await sealer.seal(text);
  return ledger.settle({ key, verdict, by, why, result, generation, seen });
}

type Verdict = Required<VerdictRequest>;

function verdictFrom(
  body: unknown,
  operator: string | null,
): Verdict | { readonly problem: string } {
  if (!isRecord(body)) return { problem: 'The body is no JSON object.' };
  const { key, verdict, seen, data = null } = body;
  if (typeof key !== 'string') return { problem: 'The key is missing.' };
  if (verdict !== 'happened' && verdict !== 'did_not_happen') {
    return { problem: 'The verdict is happened or did_not_happen.' };
  }
  const why = sentence(body.why);
  if (why === undefined) return { problem: `Say why, in at most ${longestWhy} characters.` };
  // Who is signed in cannot give a verdict in another one's name.
  const by = operator ?? sentence(body.by);
  if (by === undefined) return { problem: 'Say who gives the verdict.' };
  if (!isRecord(seen) || typeof seen.token !== 'number' || typeof seen.generation !== 'number') {
    return { problem: 'What was seen of the entry is missing.' };
  }
  return {
    key,
    verdict,
    why,
    by,
    data: data as JsonValue,
    seen: seen as unknown as Verdict['seen'],
  };
}

/** A person's words, as every store keeps them. */
function sentence(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.toWellFormed().replaceAll('\0', '').trim();
  return text === '' || text.length > longestWhy ? undefined : text;
}

async function view(ledger: Ledger, options: ConsoleOptions, entry: Entry): Promise<EntryView> {
  return viewOf(entry, await ledger.history(entry.key), options, Date.now());
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
