import type { TallySlice } from './ledger.ts';

/** Where in a sorted list of `count` values the smallest stands that a share of them does not exceed. */
export function rankOf(share: number, count: number): number {
  return Math.max(0, Math.ceil(share * count) - 1);
}

/** By time, then by state. */
export function inTallyOrder(a: TallySlice, b: TallySlice): number {
  return a.slice - b.slice || (a.state < b.state ? -1 : a.state > b.state ? 1 : 0);
}
