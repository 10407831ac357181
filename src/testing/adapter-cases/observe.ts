import { isDeepStrictEqual } from 'node:util';
import { renderResult } from '../../call/result.ts';
import { decode } from '../../decode/decode.ts';
import { explain } from '../../decode/explain.ts';
import type { Entry } from '../../ledger/entry.ts';
import { memoryLedger } from '../../ledger/memory-ledger.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { AdapterCase } from './cases.ts';
import { caseDesk, type Desk } from './desk.ts';
import type { AdapterHarness, Observed } from './harness.ts';

/** What one case came to, and in what it is not what it must be. */
export interface Judged extends Observed {
  readonly complaints: readonly string[];
}

const scope = 'conversation-7';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Runs one case through an adapter and holds it against what must hold. */
export async function judgeCase(
  harness: AdapterHarness,
  one: AdapterCase,
  isStreamed: boolean,
): Promise<Judged> {
  const leaving = new AbortController();
  const desk = caseDesk({ leave: () => leaving.abort() });
  const runtime = createRuntime({ tools: desk.tools, ledger: memoryLedger(), logger: quiet });
  const rendered: string[] = [];
  runtime.on((event) => {
    if (event.type === 'told') rendered.push(renderResult(event.result));
  });
  try {
    const { answers } = one;
    const job = { answers, isStreamed, signal: leaving.signal, runtime, scope, checkReply: true };
    const run = await harness.run(job);
    const entries = await settled(runtime, leaving.signal.aborted);
    const observed = observedOf(run, desk);
    return { ...observed, complaints: complaintsOf(one, observed, rendered, runtime, entries) };
  } finally {
    desk.release();
    await runtime.close({ graceMs: 1_000 });
  }
}

/** Runs one case by the framework alone. */
export async function observePlain(
  harness: AdapterHarness,
  one: AdapterCase,
  isStreamed: boolean,
): Promise<Observed> {
  const leaving = new AbortController();
  const desk = caseDesk({ leave: () => leaving.abort() });
  const { answers } = one;
  const timer = setTimeout(desk.release, 100);
  const job = { answers, isStreamed, signal: leaving.signal, tools: desk.plainTools };
  const run = await harness.runPlain(job);
  // What runs on by itself has had its time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearTimeout(timer);
  return observedOf(run, desk);
}

function observedOf(run: Awaited<ReturnType<AdapterHarness['run']>>, desk: Desk): Observed {
  return { ...run, ranWith: [...desk.ranWith], effects: desk.effects() };
}

/** The record; where the user has left, once nothing is under way in it any more. */
async function settled(runtime: Runtime, hasLeft: boolean): Promise<readonly Entry[]> {
  for (let round = 0; hasLeft && round < 100; round += 1) {
    const entries = await runtime.entries({ scope });
    if (entries.some(({ state }) => state === 'ok' || state === 'failed')) return entries;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return runtime.entries({ scope });
}

function complaintsOf(
  one: AdapterCase,
  observed: Observed,
  rendered: readonly string[],
  runtime: Runtime,
  entries: readonly Entry[],
): readonly string[] {
  const { told, reply, thrown, ranWith, effects } = observed;
  const ours = new Set([...rendered, ...refusals(one, runtime)]);
  const states = entries.map(({ state }) => state);
  const check = (holds: boolean, complaint: string): readonly string[] =>
    holds ? [] : [complaint];
  return [
    ...check(isSame(ranWith, one.ranWith), `ran with ${JSON.stringify(ranWith)}`),
    ...check(effects === one.effects, `${effects} effects`),
    ...check(
      one.record === undefined || isDeepStrictEqual(states, one.record),
      `the record says ${states.join(', ')}`,
    ),
    ...told.filter((text) => !ours.has(text)).map((text) => `the model was told ${text}`),
    ...check(
      one.hidden === undefined || !`${told.join()}${reply}`.includes(one.hidden),
      `shown: ${one.hidden}`,
    ),
    ...(one.codes === undefined
      ? []
      : [
          ...check(thrown === undefined, `the run threw ${String(thrown)}`),
          ...check(
            [one.codes, one.laterCodes ?? one.codes].some((codes) => isSame(codesOf(told), codes)),
            `told ${codesOf(told).join(', ')}`,
          ),
          ...check(reply !== '', 'the run did not go on'),
        ]),
  ];
}

/** What decoding alone says of the calls of a case. */
function refusals(one: AdapterCase, { toolset }: Runtime): readonly string[] {
  const calls = one.answers.flatMap((answer) => answer.calls ?? []);
  return calls.flatMap((call) => {
    const decoded = decode(toolset, call);
    return decoded.ok ? [] : [renderResult(explain(decoded.error, toolset.find(call.name)))];
  });
}

/** The codes in what a model was told; the text itself where it is no result. */
export function codesOf(told: readonly string[]): readonly string[] {
  return told.map((text) => {
    try {
      return String((JSON.parse(text) as { code?: unknown }).code ?? text);
    } catch {
      return text;
    }
  });
}

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  const sorted = (all: readonly unknown[]): string[] =>
    all.map((one) => JSON.stringify(one)).sort();
  return isDeepStrictEqual(sorted(left), sorted(right));
}
