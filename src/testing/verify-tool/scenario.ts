import type { Trouble } from '../downstream.ts';
import { judgeEffects, judgeReconcile } from './judge.ts';
import type { MortalProcess } from './mortal-process.ts';
import type { Stage } from './stage.ts';

/** One thing that happens to a write, and what its tool may make of it. */
export interface Scenario {
  readonly name: string;
  /** What the downstream has to be able to do. */
  readonly needs?: Trouble | 'reads';
  play(stage: Stage): Promise<void>;
}

/** The call again, in other words; then the remote system is asked; then the call again. */
export async function aftermath(stage: Stage, asker: MortalProcess): Promise<void> {
  const sent = stage.sent;
  await stage.call(asker, stage.subject.reworded).told();
  const state = (await stage.entry())?.state;
  if (stage.sent > sent && state === 'unknown') judgeEffects(stage);
  stage.clock.jump(stage.patienceMs);
  if ((await stage.entry())?.state !== 'ok') await judgeReconcile(stage, asker);
  if ((await stage.entry())?.state === 'unknown') return;
  await stage.call(asker).told();
  judgeEffects(stage);
}
