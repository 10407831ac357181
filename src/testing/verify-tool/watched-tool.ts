import { type Evidence, isEvidence } from '../../call/evidence.ts';
import { isResult } from '../../call/result.ts';
import type { ReconcileCall, SendRequest, WriteCall, WriteTool } from '../../call/tool.ts';
import { isSafeMethod } from '../../http/prepare.ts';

/** How often the downstream was reached by writes, by whatever can be counted. */
export type CountSent = () => number;

/** One run of the tool, as it was seen. */
export interface RunRecord {
  /** `ctx.key`. */
  readonly key: string;
  readonly sentBefore: number;
  /** What had been sent when the mark was asked for; undefined where none was. */
  sentAtMark: number | undefined;
  /** How often it asked to send. */
  asks: number;
  /** `none`: it returned no result; `pending`: it has not ended; `lost`: its process was killed. */
  word: 'pending' | 'lost' | 'ok' | 'failed' | 'unknown' | 'threw' | 'none';
  data: unknown;
  /** What the function that it gave to `ctx.dispatch` returned. */
  evidence: Evidence['evidence'] | undefined;
  /** The texts of the errors that it was given. */
  readonly errors: string[];
}

/** What was seen of a tool. */
export interface ToolRecord {
  readonly runs: RunRecord[];
  /** How many writes arrived while `reconcile` was asking. */
  sentByReconcile: number;
  /** How many `reconcile`s are under way. */
  asking: number;
}

/** The same tool, watched. */
export function watchedTool(tool: WriteTool, countSent: CountSent, seen: ToolRecord): WriteTool {
  const { run, reconcile } = tool.spec;
  const spec = {
    ...tool.spec,
    run: (input: unknown, call: WriteCall<unknown>) =>
      watchRun(seen, countSent, call, (ctx) => run.call(tool.spec, input, ctx)),
    ...(reconcile === undefined
      ? {}
      : {
          reconcile: (input: unknown, call: ReconcileCall<unknown>) =>
            watchReconcile(seen, countSent, () => reconcile.call(tool.spec, input, call)),
        }),
  };
  return { ...tool, spec };
}

async function watchRun<T>(
  seen: ToolRecord,
  countSent: CountSent,
  call: WriteCall<unknown>,
  run: (call: WriteCall<unknown>) => T | Promise<T>,
): Promise<T> {
  const record: RunRecord = {
    key: call.key,
    sentBefore: countSent(),
    sentAtMark: undefined,
    asks: 0,
    word: 'pending',
    data: undefined,
    evidence: undefined,
    errors: [],
  };
  seen.runs.push(record);
  try {
    const value = await run(watchedCall(call, record));
    const isWord =
      isResult(value) && value.outcome !== 'already_done' && value.outcome !== 'skipped';
    record.word = isWord ? value.outcome : 'none';
    record.data = isWord && value.outcome === 'ok' ? value.data : undefined;
    return value;
  } catch (cause) {
    record.word = 'threw';
    throw cause;
  }
}

async function watchReconcile<T>(
  seen: ToolRecord,
  countSent: CountSent,
  ask: () => T | Promise<T>,
): Promise<T> {
  const before = countSent();
  seen.asking += 1;
  try {
    return await ask();
  } finally {
    seen.asking -= 1;
    seen.sentByReconcile += countSent() - before;
  }
}

function watchedCall(call: WriteCall<unknown>, record: RunRecord): WriteCall<unknown> {
  async function kept<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      keepTexts(error, record);
      throw error;
    }
  }
  return {
    ...call,
    dispatch<T>(send: (request: SendRequest) => Promise<Evidence<T>>) {
      record.asks += 1;
      const watched = async (request: SendRequest): Promise<Evidence<T>> => {
        const evidence = await kept(send(request));
        if (isEvidence(evidence)) record.evidence = evidence.evidence;
        return evidence;
      };
      return kept(call.dispatch(watched));
    },
    fetch(input, init) {
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
      const isRead = init?.effect === undefined ? isSafeMethod(method) : init.effect === 'read';
      if (!isRead) record.asks += 1;
      return kept(call.fetch(input, init));
    },
    read: (work) => kept(call.read(work)),
  };
}

/** Short texts would be found in anything. */
const shortestText = 12;

function keepTexts(error: unknown, { errors }: RunRecord): void {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; depth += 1) {
    errors.push(each.message);
    each = each.cause;
  }
}

/** Whether it was marked before anything was sent. */
export function isMarked({ sentAtMark, sentBefore }: RunRecord): boolean {
  return sentAtMark === sentBefore;
}

/** The text of an error that stands in what was told. */
export function leakedText({ errors }: RunRecord, told: string): string | undefined {
  return errors.find((text) => text.length >= shortestText && told.includes(jsonText(text)));
}

/** As it stands inside a JSON string. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
