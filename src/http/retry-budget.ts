import { NewestMap } from '../call/newest-map.ts';

/** Stops retries to an origin while most of what is sent there fails. */
export interface RetryBudget {
  /** Whether a retry is within the budget now. */
  allows(origin: string): boolean;
  succeeded(origin: string): void;
  failed(origin: string): void;
}

/** Origins that are remembered; beyond them the one that failed longest ago is forgotten. */
const mostOrigins = 1000;

/**
 * The rule of gRPC's retry throttling (gRFC A6): each origin has `tokens`, 10 if left out; a failure
 * takes one, a success gives back `ratio` of one, 0.1 if left out; retries are made above one half.
 */
export function createRetryBudget(
  options: { readonly tokens?: number; readonly ratio?: number } = {},
): RetryBudget {
  const { tokens: full = 10, ratio = 0.1 } = options;
  const left = new NewestMap<string, number>(mostOrigins);
  return {
    allows: (origin) => (left.get(origin) ?? full) > full / 2,
    succeeded(origin) {
      const tokens = left.get(origin);
      if (tokens === undefined) return;
      if (tokens + ratio >= full) left.delete(origin);
      else left.set(origin, tokens + ratio);
    },
    failed(origin) {
      const tokens = left.get(origin) ?? full;
      left.set(origin, Math.max(0, tokens - 1));
    },
  };
}
