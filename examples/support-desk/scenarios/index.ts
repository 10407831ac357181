import type { Scenario } from '../scenario.ts';
import { answers } from './answers.ts';
import { crashes } from './crashes.ts';
import { order } from './order.ts';
import { recovery } from './recovery.ts';

/** All scenarios, in the order in which they are played. */
export const scenarios: readonly Scenario[] = [...answers, ...crashes, ...order, ...recovery];
