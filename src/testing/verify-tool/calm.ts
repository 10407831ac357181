import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../call/json.ts';
import type { CallOutcome } from '../../runtime/runtime.ts';
import { judgeEffects, judgeRun, say } from './judge.ts';
import type { MortalProcess } from './mortal-process.ts';
import type { Stage } from './stage.ts';

/** What the calm run is given beside what every scenario has. */
export interface CalmWishes {
  readonly isReworded: boolean;
  /** Another intent. */
  readonly other: JsonObject | undefined;
}

export const calmName = 'all is well';

/** All is well; then the same again, in other words too, and another intent. */
export async function playCalm(stage: Stage, wishes: CalmWishes): Promise<void> {
  const one = stage.start();
  const told = await stage.call(one).told();
  if (told === undefined) {
    const code = stage.sent === 0 ? 'sends_nothing' : 'does_not_end';
    return stage.stop(code, `no outcome within ${stage.subject.waitMs} ms`);
  }
  if (stage.sent === 0) stage.stop('sends_nothing', say(told));
  judgeRun(stage, told, 'answered');
  judgeTold(stage, one, told);
  await judgeKeys(stage, one, told, wishes);
}

function judgeTold(stage: Stage, one: MortalProcess, told: CallOutcome): void {
  const { result } = told;
  if (result.outcome !== 'ok') {
    if (!stage.found.some(({ code }) => code === 'sends_before_mark')) {
      stage.find('swallows_answer', say(told));
    }
    return;
  }
  const data = stage.lastRun?.data ?? null;
  const isLeftOut = result.warnings.some(({ code }) => code === 'data_left_out');
  if (isLeftOut || !isDeepStrictEqual(asJson(data), result.data)) {
    stage.find('result_not_json', `the model is given ${JSON.stringify(result.data)}`);
  }
  if (one.reports.includes('unexpected_data')) {
    stage.find('data_not_as_promised', JSON.stringify(result.data));
  }
}

/** As plain JSON has it: without what is undefined, and anything else is no equal of it. */
function asJson(data: unknown): unknown {
  return isPlain(data, deepest) ? JSON.parse(JSON.stringify(data)) : Symbol('not JSON');
}

const deepest = 64;

function isPlain(value: unknown, depth: number): boolean {
  if (depth < 0) return false;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return value === undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isOwn = prototype === Object.prototype || prototype === null || Array.isArray(value);
  return isOwn && Object.values(value).every((each) => isPlain(each, depth - 1));
}

async function judgeKeys(
  stage: Stage,
  one: MortalProcess,
  told: CallOutcome,
  { isReworded, other }: CalmWishes,
): Promise<void> {
  const { reworded } = stage.subject;
  const again = await stage.call(one).told();
  if (again?.key !== told.key) {
    stage.stop('key_not_stable', again === undefined ? 'no outcome' : say(again));
  }
  judgeEffects(stage);
  const inOtherWords = isReworded ? await stage.call(one, reworded).told() : undefined;
  if (inOtherWords !== undefined && inOtherWords.key !== told.key) {
    stage.stop('key_changes_with_wording', `in other words it was ${say(inOtherWords)}`);
  }
  if (other === undefined) return;
  const another = await stage.call(one, other).told();
  if (another !== undefined && another.key === told.key)
    stage.find('key_too_wide', `the other was ${say(another)}`);
}
