import type { Scenario } from '../scenario.ts';
import { answers } from './answers.ts';
import { crashes } from './crashes.ts';
import { order } from './order.ts';
import { recovery } from './recovery.ts';

/** The scenarios by what they are about, in the order in which they are played. */
export const scenarioGroups: readonly { title: string; scenarios: readonly Scenario[] }[] = [
  { title: 'What becomes of an answer', scenarios: answers },
  { title: 'Crashes', scenarios: crashes },
  { title: 'Order, repeats, approval', scenarios: order },
  { title: 'Calls that are wrong', scenarios: recovery },
];

/** All of them. */
export const scenarios: readonly Scenario[] = scenarioGroups.flatMap((group) => group.scenarios);
