/** Every change that an entry can undergo, as pure functions: see ARCHITECTURE.md for the table. */
export { askAgain, fail, giveUp, mark, note, renew, withdraw } from './attempt.ts';
export { claim } from './claim.ts';
export { announced, ask, complete, mayPurge, settle, tell } from './proof.ts';
export { type LedgerView, laneInQuestion, type Transition } from './transition.ts';
